// SPDX-License-Identifier: Apache-2.0
// Points in a stream's work, and the time between two of them.
#pragma once

#include <cuda.h>

#include "driver/cuda/handle.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::cuda {

struct destroy_event {
  void operator()(CUevent e) const;
};

class event {
 public:
  event();
  /// Marks the point that `s` has reached when all work queued so far is done.
  void record(const stream& s);
  /// Nanoseconds from `earlier` to this one; both have happened. The driver's clock has steps of
  /// about half a microsecond (CUDA Driver API, cuEventElapsedTime).
  double ns_since(const event& earlier) const;

 private:
  unique_handle<CUevent, destroy_event> event_;
};

}  // namespace ptxlab::cuda
