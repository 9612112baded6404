// SPDX-License-Identifier: Apache-2.0
// A stream, and waiting for it with a deadline.
#pragma once

#include <cuda.h>

#include <chrono>

#include "driver/cuda/handle.hpp"

namespace ptxlab::cuda {

struct destroy_stream {
  void operator()(CUstream s) const;
};

class stream {
 public:
  stream();
  CUstream handle() const { return stream_.get(); }
  /// What is queued behind waits until the word at `address` is not 0.
  void hold(CUdeviceptr address) const;
  /// True once all work is done, false at the deadline. Throws what the work ended with.
  bool wait(std::chrono::milliseconds deadline) const;

 private:
  unique_handle<CUstream, destroy_stream> stream_;
};

}  // namespace ptxlab::cuda
