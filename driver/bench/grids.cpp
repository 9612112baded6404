// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/grids.hpp"

#include <algorithm>

namespace ptxlab::bench {

std::vector<unsigned> grid_blocks(const kernels::measurement& m, const sizes& s,
                                  std::vector<unsigned> usual) {
  const auto sms = static_cast<unsigned>(s.multiprocessors);
  const unsigned step = std::max(1U, m.cluster_blocks);
  std::vector<unsigned> out;
  const auto add = [&](unsigned blocks) {
    blocks = blocks / step * step;
    if (blocks > 0 && std::find(out.begin(), out.end(), blocks) == out.end()) out.push_back(blocks);
  };
  const bool named = !m.blocks.empty() || !m.blocks_per_sm.empty();
  for (const unsigned b : named ? m.blocks : usual)
    if (b <= sms) add(b == 0 ? sms : b);
  for (const unsigned k : m.blocks_per_sm) add(k * sms);
  return out;
}

std::vector<unsigned> grid_threads(const kernels::measurement& m, const sizes& s,
                                   std::vector<unsigned> usual) {
  std::vector<unsigned> out = m.threads.empty() ? std::move(usual) : m.threads;
  std::erase_if(out, [&](unsigned t) { return t > static_cast<unsigned>(s.max_block_threads); });
  return out;
}

std::vector<axes> few_of(const std::vector<axes>& all) {
  constexpr std::size_t few = 4;
  if (all.size() <= few) return all;
  std::vector<axes> out;
  for (std::size_t i = 0; i < few; ++i) out.push_back(all[i * (all.size() - 1) / (few - 1)]);
  return out;
}

}  // namespace ptxlab::bench
