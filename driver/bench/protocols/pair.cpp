// SPDX-License-Identifier: Apache-2.0
// pair: two warps or two blocks hand a word to and fro, R and 2R times. The slope, on the clock of
// the one that starts, is a round trip: two hand-overs.
#include <algorithm>

#include "analysis/results/statistics.hpp"
#include "driver/bench/exchange.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned rounds = 64;

std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  if (m.partners.empty()) return {{}};
  std::vector<axes> out;
  for (const unsigned p : m.partners)
    if (static_cast<int>(p) < s.multiprocessors && (!quick || out.size() < 2))
      out.push_back({{"partner", p}});
  return out;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.block_threads = v.measure.threads.empty() ? 32 : v.measure.threads.front();
  g.cluster_blocks = v.measure.cluster_blocks;
  g.blocks = std::max(1U, v.measure.cluster_blocks);
  std::vector<std::uint64_t> operands = v.measure.operands;
  operands.resize(device::rounds_operand + 1);
  if (at.contains("partner")) {
    operands[1] = static_cast<std::uint64_t>(at.at("partner"));
    g.blocks = static_cast<unsigned>(operands[1]) + 1;
    g.spins = true;
    // More than half of the shared memory of an SM: every block is on one of its own.
    g.dynamic_shared_bytes = static_cast<unsigned>(
        l.gpu().attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR) / 2);
  }
  results::row r = make_row(protocol_of(kernels::protocol::pair), at, "round trip", "cycle");
  for (const unsigned times : {1U, 2U}) {
    operands[device::rounds_operand] = std::uint64_t{times} * rounds;
    std::vector<sample> taken =
        l.launch(g, operands, std::size_t{g.blocks} * device::exchange_samples);
    taken.resize(device::exchange_samples);  // of the block that starts
    r.raw.push_back(cycles_of(taken, 0, times * rounds));
    if (times == 2) r.sm_clock_mhz = clock_of(taken);
  }
  const results::slopes found = results::slopes_of(r.raw);
  r.value = found.value;
  return {std::move(r)};
}

const protocol_registration registered({.how = kernels::protocol::pair,
                                        .name = "pair",
                                        .says = "a word handed to and fro between two",
                                        .contract = exchange_contract,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
