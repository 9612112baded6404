// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/stream.hpp"

#include <thread>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

void destroy_stream::operator()(CUstream s) const {
  library::get().cuStreamDestroy(s);
}

stream::stream() {
  CUstream s{};
  check(library::get().cuStreamCreate(&s, CU_STREAM_NON_BLOCKING), "cuStreamCreate");
  stream_ = unique_handle<CUstream, destroy_stream>(s);
}

void stream::hold(CUdeviceptr address) const {
  check(library::get().cuStreamWaitValue32(handle(), address, 1, CU_STREAM_WAIT_VALUE_GEQ),
        "cuStreamWaitValue32");
}

bool stream::done() const {
  const CUresult status = library::get().cuStreamQuery(handle());
  if (status == CUDA_ERROR_NOT_READY) return false;
  check(status, "cuStreamQuery", "work of a stream");
  return true;
}

bool stream::wait(std::chrono::milliseconds deadline) const {
  const auto end = std::chrono::steady_clock::now() + deadline;
  auto pause = std::chrono::microseconds(5);
  for (;;) {
    if (done()) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, std::chrono::microseconds(1000));
  }
}

}  // namespace ptxlab::cuda
