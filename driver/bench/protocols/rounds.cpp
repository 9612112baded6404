// SPDX-License-Identifier: Apache-2.0
// rounds: N, 2N and 4N copies of what orders itself (a barrier, a fence), by threads of the block
// and by blocks, which all do the same: traffic for the one that is looked at, the first.
#include <algorithm>

#include "driver/bench/chain.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {
namespace {

timing::contract contract(const kernels::measurement& m) {
  timing::contract c = chain_contract(m);
  c.how = timing::relation::serial;
  return c;
}

/// Threads of a block and, where the kernel has them, blocks: 1, or one on every SM for traffic.
std::vector<axes> points(const kernels::measurement& m, const sizes& s, bool quick) {
  const std::vector<unsigned> threads = m.threads.empty() ? std::vector<unsigned>{32} : m.threads;
  std::vector<axes> out;
  for (const unsigned t : threads) {
    if (quick && t != threads.front() && t != threads.back()) continue;
    if (m.blocks.empty()) out.push_back({{"threads", t}});
    for (const unsigned b : m.blocks)
      out.push_back({{"threads", t}, {"blocks", b == 0 ? s.multiprocessors : static_cast<int>(b)}});
  }
  return out;
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.block_threads = static_cast<unsigned>(at.at("threads"));
  g.blocks = at.contains("blocks") ? static_cast<unsigned>(at.at("blocks"))
                                   : std::max(1U, v.measure.cluster_blocks);
  g.cluster_blocks = v.measure.cluster_blocks;
  return {
      chain_row(l, protocol_of(kernels::protocol::rounds), v.measure, at, g, v.measure.operands)};
}

const protocol_registration registered({.how = kernels::protocol::rounds,
                                        .name = "rounds",
                                        .says = "copies of what orders itself, by threads",
                                        .contract = contract,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
