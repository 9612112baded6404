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
  /// Whether all work is done. Throws what it ended with.
  bool done() const;
  /// True once it is, false at the deadline.
  bool wait(std::chrono::milliseconds deadline) const;

 private:
  unique_handle<CUstream, destroy_stream> stream_;
};

}  // namespace ptxlab::cuda
