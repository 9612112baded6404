// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/chain.hpp"

#include "analysis/results/statistics.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned regions = 3;
constexpr int launches = 3;
constexpr std::size_t samples = regions * device::samples_per_launch;

}  // namespace

timing::contract chain_contract(const kernels::measurement& m) {
  timing::contract c;
  c.how = timing::relation::chain;
  c.opcodes.assign(m.sass.begin(), m.sass.end());
  c.per_copy = m.per_copy;
  c.expands = m.expands;
  c.regions = {{m.copies}, {2 * m.copies}, {4 * m.copies}};
  return c;
}

results::row chain_row(lab& l, const protocol& p, const kernels::measurement& m, const axes& at,
                       const cuda::geometry& g, const std::vector<std::uint64_t>& operands) {
  results::row r = make_row(p, at, "latency", "cycle");
  l.warm_up(g, operands, samples * g.blocks);
  for (unsigned region = 0; region < regions; ++region)
    r.raw.push_back({static_cast<double>(m.copies << region), {}});
  std::vector<double> clocks;
  for (int i = 0; i < launches; ++i) {
    std::vector<sample> taken = l.launch(g, operands, samples * g.blocks);
    taken.resize(samples);  // the first block's
    for (unsigned region = 0; region < regions; ++region) {
      const results::series s = cycles_of(taken, region, r.raw[region].length);
      auto& values = r.raw[region].values;
      values.insert(values.end(), s.values.begin(), s.values.end());
    }
    if (const double mhz = clock_of(taken); mhz > 0) clocks.push_back(mhz);
  }
  const results::slopes found = results::slopes_of(r.raw);
  r.value = found.value;
  r.residual = found.residual;
  if (!clocks.empty()) r.sm_clock_mhz = results::median(clocks);
  return r;
}

}  // namespace ptxlab::bench
