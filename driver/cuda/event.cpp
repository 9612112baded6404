// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/event.hpp"

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

void destroy_event::operator()(CUevent e) const {
  library::get().cuEventDestroy(e);
}

event::event() {
  CUevent e{};
  check(library::get().cuEventCreate(&e, CU_EVENT_DEFAULT), "cuEventCreate");
  event_ = unique_handle<CUevent, destroy_event>(e);
}

void event::record(const stream& s) {
  check(library::get().cuEventRecord(event_.get(), s.handle()), "cuEventRecord");
}

double event::ns_since(const event& earlier) const {
  float ms = 0;
  check(library::get().cuEventElapsedTime(&ms, earlier.event_.get(), event_.get()),
        "cuEventElapsedTime");
  return 1e6 * static_cast<double>(ms);
}

}  // namespace ptxlab::cuda
