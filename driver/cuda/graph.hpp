// SPDX-License-Identifier: Apache-2.0
// Work of a stream, recorded once and launched as a whole.
#pragma once

#include <cuda.h>

#include <functional>

#include "driver/cuda/handle.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::cuda {

struct destroy_graph {
  void operator()(CUgraphExec g) const;
};

class graph {
 public:
  /// What `work` queues on `s` becomes the graph; nothing of it runs now. Throws what `work`
  /// throws, with the recording ended.
  graph(const stream& s, const std::function<void()>& work);
  void launch(const stream& s) const;

 private:
  unique_handle<CUgraphExec, destroy_graph> executable_;
};

}  // namespace ptxlab::cuda
