// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/context.hpp"

#include <fmt/format.h>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

context::context(int ordinal) : device_(ordinal) {
  check(library::get().cuDevicePrimaryCtxRetain(&handle_, device_.handle()),
        "cuDevicePrimaryCtxRetain", device_.identify());
  use();
}

void context::use() const {
  check(library::get().cuCtxSetCurrent(handle_), "cuCtxSetCurrent", device_.identify());
}

void context::reach(const context& other) const {
  use();
  const CUresult status = library::get().cuCtxEnablePeerAccess(other.handle_, 0);
  if (status == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED) return;
  check(status, "cuCtxEnablePeerAccess",
        fmt::format("from {} to {}", device_.identify(), other.device_.identify()));
}

void synchronise() {
  check(library::get().cuCtxSynchronize(), "cuCtxSynchronize");
}

bool can_reach(const device& from, const device& to) {
  int can = 0;
  check(library::get().cuDeviceCanAccessPeer(&can, from.handle(), to.handle()),
        "cuDeviceCanAccessPeer", fmt::format("from {} to {}", from.identify(), to.identify()));
  return can != 0;
}

}  // namespace ptxlab::cuda
