// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/chain.hpp"

#include <cmath>
#include <optional>

#include "analysis/results/statistics.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned regions = 3;
constexpr int launches = 3;
/// Cycles that N copies take at least if the timer is to say anything.
constexpr double timer_cycles_at_least = 2000;
constexpr std::size_t samples = std::size_t{regions} * device::samples_per_launch;

/// For every pass but the cold ones, how much longer the globaltimer saw the second region take
/// than the first: N copies, by a clock that knows nothing of the SM's.
void add_timer_differences(const std::vector<sample>& taken, std::vector<double>& out) {
  for (std::size_t i = std::size_t{cold_passes} * regions; i + regions <= taken.size();
       i += regions) {
    const auto t = [&](std::size_t k) { return static_cast<double>(taken[i + k].time_ns); };
    out.push_back((t(2) - t(1)) - (t(1) - t(0)));
  }
}

/// Nanoseconds of a copy by the timer: the mean over the passes near the median, since the timer
/// moves in steps (latency/resolution) and a mean is moved by passes that something disturbed.
/// Empty where the copies are too short for it or too few passes are left.
std::optional<double> by_timer(const results::row& r, const std::vector<double>& differences,
                               double copies) {
  const auto& first = r.raw[0].values;
  const auto& second = r.raw[1].values;
  if (results::median(first) < timer_cycles_at_least) return std::nullopt;
  double sum = 0, n = 0;
  for (std::size_t i = 0; i < differences.size(); ++i) {
    const double cycles = (second[i] - first[i]) / copies;
    if (std::abs(cycles / r.value->median - 1) > 0.05) continue;
    sum += differences[i];
    n += 1;
  }
  if (n < static_cast<double>(differences.size()) / 2) return std::nullopt;
  return sum / n / copies;
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
  std::vector<double> clocks, differences;
  for (int i = 0; i < launches; ++i) {
    std::vector<sample> taken = l.launch(g, operands, samples * g.blocks);
    taken.resize(samples);  // the first block's
    for (unsigned region = 0; region < regions; ++region) {
      const results::series s = cycles_of(taken, region, r.raw[region].length);
      auto& values = r.raw[region].values;
      values.insert(values.end(), s.values.begin(), s.values.end());
    }
    add_timer_differences(taken, differences);
    if (const double mhz = clock_of(taken); mhz > 0) clocks.push_back(mhz);
  }
  const results::slopes found = results::slopes_of(r.raw);
  r.value = found.value;
  r.residual = found.residual;
  r.by_timer_ns = by_timer(r, differences, m.copies);
  if (!clocks.empty()) r.sm_clock_mhz = results::median(clocks);
  return r;
}

}  // namespace ptxlab::bench
