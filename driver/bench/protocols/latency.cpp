// SPDX-License-Identifier: Apache-2.0
// latency: one warp runs N, 2N and 4N copies of an instruction, each fed by the one before. The
// slope over the number of copies is the latency; what the clock reads cost is in the offset. An
// operand may be swept.
#include <algorithm>

#include "driver/bench/chain.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/swept.hpp"

namespace ptxlab::bench {
namespace {

std::vector<axes> points(const kernels::measurement& m, const sizes&, bool quick) {
  std::vector<axes> out;
  for (const unsigned t : m.threads) out.push_back({{"threads", t}});
  if (out.empty()) out.push_back({});
  return swept_points(m.swept, out, quick);
}

std::vector<results::row> measure(lab& l, const kernels::variant& v, const axes& at) {
  cuda::geometry g;
  g.block_threads = at.contains("threads") ? static_cast<unsigned>(at.at("threads")) : 32;
  g.blocks = std::max(1U, v.measure.cluster_blocks);
  g.cluster_blocks = v.measure.cluster_blocks;
  return {chain_row(l, protocol_of(kernels::protocol::latency), v.measure, at, g,
                    swept_operands(v.measure.swept, at, v.measure.operands))};
}

const protocol_registration registered({.how = kernels::protocol::latency,
                                        .name = "latency",
                                        .says = "a chain of dependent copies, one warp",
                                        .contract = chain_contract,
                                        .points = points,
                                        .measure = measure});

}  // namespace
}  // namespace ptxlab::bench
