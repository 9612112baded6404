// SPDX-License-Identifier: Apache-2.0
// grid: R and 2R rounds of a barrier over all blocks of the grid. Each block times itself on its
// own SM's clock; the slope of the slowest block counts. The blocks wait for each other, so a grid
// that cannot be resident at once is refused.
#include "analysis/results/statistics.hpp"
#include "driver/bench/exchange.hpp"
#include "driver/bench/grids.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned rounds = 256;  // so many that what a pass begins with does not count

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  std::vector<axes> out;
  for (const unsigned t : grid_threads(m, s))
    for (const unsigned b : grid_blocks(m, s)) out.push_back({{"threads", t}, {"blocks", b}});
  if (quick && out.size() > 2) out.resize(2);
  return out;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.block_threads = static_cast<unsigned>(at.at("threads"));
  g.blocks = static_cast<unsigned>(at.at("blocks"));
  g.cluster_blocks = v.measure.cluster_blocks;
  g.cooperative = v.measure.cooperative;
  g.spins = true;
  if (v.measure.surplus_blocks > 0)
    g.blocks = static_cast<unsigned>(l.resident(g).blocks()) + v.measure.surplus_blocks;
  g.unchecked = l.runs_refused();
  std::vector<std::uint64_t> operands = v.measure.operands;
  operands.resize(device::rounds_operand + 1);
  axes shown = at;
  shown["resident_blocks"] = l.resident(g).blocks();
  results::row r = make_row(protocol_of(kernels::protocol::grid), shown, "latency", "cycle");
  operands[device::rounds_operand] = rounds;
  if (!g.unchecked) l.warm_up(g, operands, std::size_t{g.blocks} * device::exchange_samples);
  for (const unsigned times : {1U, 2U}) {
    operands[device::rounds_operand] = std::uint64_t{times} * rounds;
    const std::vector<sample> taken =
        l.launch(g, operands, std::size_t{g.blocks} * device::exchange_samples);
    r.raw.push_back(slowest_of(taken, g.blocks, times * rounds));
    if (times == 2)
      r.sm_clock_mhz = clock_of({taken.begin(), taken.begin() + device::exchange_samples});
  }
  r.value = results::slopes_of(r.raw).value;
  return {std::move(r)};
}

const protocol_registration registered({.how = kernels::protocol::grid,
                                        .name = "grid",
                                        .says = "rounds of a barrier over the whole grid",
                                        .contract = exchange_contract,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
