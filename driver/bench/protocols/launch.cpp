// SPDX-License-Identifier: Apache-2.0
// launch: one small kernel after the other, R and 2R of them, by stream, by graph, or as
// programmatic dependents. `host` is what the host takes for one more launch; `period` is the time
// from the start of one kernel to the start of the next, and `edge` from the end of one to the
// start of the next, both by the kernels' own %globaltimer. The stream is held until all is queued,
// so that neither is the host's time.
#include <chrono>
#include <optional>

#include "analysis/results/statistics.hpp"
#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/cuda/graph.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using clock = std::chrono::steady_clock;

constexpr unsigned launches = 256;
constexpr int repeats = 20;

std::vector<axes> points(const kernels::measurement&, const sizes& s, bool quick) {
  std::vector<axes> out = {{{"blocks", 1}}};
  if (!quick) out.push_back({{"blocks", s.multiprocessors}});
  return out;
}

double host_ns(clock::time_point begin) {
  return std::chrono::duration<double, std::nano>(clock::now() - begin).count();
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.blocks = static_cast<unsigned>(at.at("blocks"));
  g.block_threads = 32;
  g.overlaps_previous = v.measure.by == kernels::launcher::dependent;
  const protocol& p = protocol_of(kernels::protocol::launch);
  results::row host = make_row(p, at, "host", "ns"), period = make_row(p, at, "period", "ns"),
               edge = make_row(p, at, "edge", "ns");
  for (results::row* r : {&host, &period, &edge}) r->raw_unit = "ns";
  std::vector<double> periods, edges;
  for (const unsigned times : {1U, 2U}) {
    const unsigned n = times * launches;
    results::series s{static_cast<double>(n), {}};
    l.arm(g, v.measure.operands, n);
    const auto queue_all = [&] {
      for (unsigned i = 0; i < n; ++i) l.queue(g, i);
    };
    std::optional<cuda::graph> recorded;
    if (v.measure.by == kernels::launcher::graph) recorded.emplace(l.queue_of(), queue_all);
    for (int i = -2; i < repeats; ++i) {  // the first two warm up
      l.hold();
      const auto begin = clock::now();
      if (recorded) {
        recorded->launch(l.queue_of());
      } else {
        queue_all();
      }
      const double ns = host_ns(begin);
      l.release();
      l.wait();
      if (i < 0) continue;
      s.values.push_back(ns);
      const std::vector<sample> taken = l.collect();
      for (unsigned k = 0; k < n; ++k)
        if (taken[k].time_ns == 0 || taken[k].end < taken[k].time_ns ||
            (k > 0 && taken[k].time_ns < taken[k - 1].time_ns))
          throw error("samples are not in order: a kernel did not write its own");
      for (unsigned k = 1; k < n; ++k) {
        const auto previous = static_cast<double>(taken[k - 1].time_ns);
        periods.push_back(static_cast<double>(taken[k].time_ns) - previous);
        edges.push_back(static_cast<double>(taken[k].time_ns) -
                        static_cast<double>(taken[k - 1].end));
      }
    }
    host.raw.push_back(std::move(s));
  }
  // A graph costs the host next to nothing for one node more; less than it can tell is no number.
  try {
    host.value = results::slopes_of(host.raw).value;
  } catch (const error& e) {
    host.state = results::status::invalid;
    host.reason = e.what();
  }
  period.value = results::summarise(periods);
  edge.value = results::summarise(edges);
  return {std::move(host), std::move(period), std::move(edge)};
}

const protocol_registration registered({.how = kernels::protocol::launch,
                                        .name = "launch",
                                        .says = "one kernel after the other",
                                        .contract = nullptr,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
