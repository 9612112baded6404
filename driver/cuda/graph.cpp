// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/graph.hpp"

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

void destroy_graph::operator()(CUgraphExec g) const {
  library::get().cuGraphExecDestroy(g);
}

graph::graph(const stream& s, const std::function<void()>& work) {
  const library& calls = library::get();
  check(calls.cuStreamBeginCapture(s.handle(), CU_STREAM_CAPTURE_MODE_THREAD_LOCAL),
        "cuStreamBeginCapture");
  CUgraph recorded{};
  try {
    work();
  } catch (...) {
    if (calls.cuStreamEndCapture(s.handle(), &recorded) == CUDA_SUCCESS && recorded != nullptr)
      calls.cuGraphDestroy(recorded);
    throw;
  }
  check(calls.cuStreamEndCapture(s.handle(), &recorded), "cuStreamEndCapture");
  CUgraphExec made{};
  const CUresult status = calls.cuGraphInstantiateWithFlags(&made, recorded, 0);
  calls.cuGraphDestroy(recorded);
  check(status, "cuGraphInstantiateWithFlags");
  executable_ = unique_handle<CUgraphExec, destroy_graph>(made);
}

void graph::launch(const stream& s) const {
  check(library::get().cuGraphLaunch(executable_.get(), s.handle()), "cuGraphLaunch");
}

}  // namespace ptxlab::cuda
