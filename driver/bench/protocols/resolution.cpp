// SPDX-License-Identifier: Apache-2.0
// resolution: a kernel reads a counter again and again and hands out what it read; the smallest
// step between two readings that differ is how finely it counts.
#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

std::vector<axes> points(const kernels::measurement&, const sizes&, bool) {
  return {{}};
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  constexpr int launches = 8;
  cuda::geometry g;
  g.block_threads = 1;
  results::row r = make_row(protocol_of(kernels::protocol::resolution), at, "resolution", "ns");
  r.raw_unit = "ns";
  std::vector<double> smallest;
  for (int i = 0; i < launches; ++i) {
    const std::vector<sample> taken = l.launch(g, v.measure.operands, device::resolution_samples);
    double step = 0;
    for (std::size_t k = 1; k < taken.size(); ++k) {
      if (taken[k].time_ns < taken[k - 1].time_ns) throw error("a reading is before the last one");
      const auto d = static_cast<double>(taken[k].time_ns - taken[k - 1].time_ns);
      if (d > 0 && (step == 0 || d < step)) step = d;
    }
    if (step == 0) throw error("the counter did not move");
    smallest.push_back(step);
  }
  r.raw = {{1, smallest}};
  r.value = results::summarise(smallest);
  return {std::move(r)};
}

const protocol_registration registered({.how = kernels::protocol::resolution,
                                        .name = "resolution",
                                        .says = "the smallest step of a counter",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
