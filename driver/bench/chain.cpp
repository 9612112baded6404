// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/chain.hpp"

#include "analysis/results/statistics.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned regions = 3;
constexpr int launches = 3;
/// Cycles that N copies take at least if the timer is to say anything.
constexpr double timer_cycles_at_least = 1500;
constexpr std::size_t samples = regions * device::samples_per_launch;

/// Adds, for every pass but the cold ones, how much longer the globaltimer saw the second region
/// take than the first: N copies, by a clock that knows nothing of the SM's.
void add_timer_differences(const std::vector<sample>& taken, std::vector<double>& out) {
  for (std::size_t i = std::size_t{cold_passes} * regions; i + regions <= taken.size();
       i += regions) {
    const auto t = [&](std::size_t k) { return static_cast<double>(taken[i + k].time_ns); };
    out.push_back((t(2) - t(1)) - (t(1) - t(0)));
  }
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum / static_cast<double>(values.size());
}

}  // namespace

timing::contract chain_contract(const kernels::measurement& m) {
  timing::contract c;
  c.how = timing::relation::chain;
  c.opcodes.assign(m.sass.begin(), m.sass.end());
  c.per_copy = m.per_copy;
  c.chained = m.chained;
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
  std::vector<double> clocks, by_timer;
  for (int i = 0; i < launches; ++i) {
    std::vector<sample> taken = l.launch(g, operands, samples * g.blocks);
    taken.resize(samples);  // the first block's
    for (unsigned region = 0; region < regions; ++region) {
      const results::series s = cycles_of(taken, region, r.raw[region].length);
      auto& values = r.raw[region].values;
      values.insert(values.end(), s.values.begin(), s.values.end());
    }
    add_timer_differences(taken, by_timer);
    if (const double mhz = clock_of(taken); mhz > 0) clocks.push_back(mhz);
  }
  const results::slopes found = results::slopes_of(r.raw);
  r.value = found.value;
  r.residual = found.residual;
  // The timer moves in steps of 32 ns, so that a mean says more than a median, and short copies
  // nothing at all.
  if (results::median(r.raw.front().values) >= timer_cycles_at_least)
    r.by_timer_ns = mean(by_timer) / m.copies;
  if (!clocks.empty()) r.sm_clock_mhz = results::median(clocks);
  return r;
}

}  // namespace ptxlab::bench
