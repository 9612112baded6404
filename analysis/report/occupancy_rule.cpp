// SPDX-License-Identifier: Apache-2.0
// The rule of thumb of 2009 for blocks, a multiple of 64 threads and at least 192, by counting and
// by what was measured.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/facts/occupancy_curve.hpp"
#include "analysis/report/occupancy.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr int warp = 32, multiple = 64, at_least = 192;
constexpr double near = 0.9;  // of the highest rate

bool follows_rule(int threads) {
  return threads % multiple == 0 && threads >= at_least;
}

/// Share of the warps that blocks of so many threads hold.
using shares = std::map<int, double>;

std::string sizes_text(const std::vector<int>& sizes) {
  return sizes.empty() ? "none" : fmt::format("{}", fmt::join(sizes, ", "));
}

line judged(const std::string& name, const shares& all) {
  std::vector<int> full_outside;
  int inside = 0, full_inside = 0, smallest_full = 0, worst_at = 0;
  double worst = 2;
  for (const auto& [threads, share] : all) {
    const bool full = share >= 1;
    if (full && smallest_full == 0) smallest_full = threads;
    if (!follows_rule(threads)) {
      if (full) full_outside.push_back(threads);
      continue;
    }
    ++inside;
    full_inside += full ? 1 : 0;
    if (share < worst) {
      worst = share;
      worst_at = threads;
    }
  }
  return {{name, smallest_full > 0 ? std::to_string(smallest_full) : "none",
           fmt::format("{} of {}", full_inside, inside),
           worst_at > 0 ? fmt::format("{:.0f} % at {}", 100 * worst, worst_at) : absent,
           sizes_text(full_outside)},
          {}};
}

/// Warps from which on the rate at `ilp` is near the highest; 0 for none of those measured.
int warps_needed(const std::map<int, double>& rate_by_warps, double highest) {
  for (const auto& [warps, rate] : rate_by_warps)
    if (rate >= near * highest) return warps;
  return 0;
}

}  // namespace

std::vector<table> block_rule_tables(const topic_context& c) {
  table out{"Blocks of a multiple of 64 threads, at least 192: do they fill a multiprocessor?",
            {{"GPU"},
             {"smallest full block", true},
             {"of the rule's sizes full", true},
             {"the worst of them", true},
             {"full without the rule", false, true}},
            {}};
  for (const resident_limits& l : limits_then(c.then)) {
    shares all;
    for (int t = warp; t <= l.block_threads; t += warp) all[t] = l.share(t);
    out.lines.push_back(judged(l.name, all));
  }
  for (const facts::architecture& a : facts::architectures()) {
    shares all;
    const auto curve =
        facts::curve_of({a.name, facts::uses_of(32), {}, 0, 0}, facts::occupancy_axis::block);
    for (const facts::occupancy_point& p : curve.points)
      all[static_cast<int>(p.at)] = p.what.fraction;
    out.lines.push_back(judged(a.name, all));
  }
  return {out};
}

std::vector<table> thread_rule_tables(const topic_context& c) {
  // By operation: the highest rate, and by ILP the rates over warps.
  struct operation {
    double highest = 0;
    std::map<int, std::map<int, double>> rates;
  };
  std::map<std::string, operation> all;
  std::set<int> ilps, warps;
  for (const measurement& m : c.of.measurements) {
    const results::row& r = m.row();
    if (r.protocol != "throughput" || r.quantity != "throughput" || !m.ok() ||
        !r.id.starts_with("throughput/") || !r.axes.contains("warps") || !r.axes.contains("ilp"))
      continue;
    const int w = static_cast<int>(r.axes.at("warps")), ilp = static_cast<int>(r.axes.at("ilp"));
    operation& o = all[r.id];
    o.highest = std::max(o.highest, r.value->median);
    o.rates[ilp][w] = r.value->median;
    ilps.insert(ilp);
    warps.insert(w);
  }
  table out{fmt::format("Operations that reach {:.0f} % of their highest rate with so many threads "
                        "of a multiprocessor",
                        100 * near),
            {{"threads", true}},
            {}};
  if (all.empty()) {
    out.title += fmt::format(": {}", not_measured_text);
    return {out};
  }
  for (const int ilp : ilps) out.columns.push_back({fmt::format("ILP {}", ilp), true});
  for (const int w : warps) {
    line l{{std::to_string(w * warp)}, {}};
    for (const int ilp : ilps) {
      int reach = 0, of = 0;
      for (const auto& [id, o] : all) {
        const auto at = o.rates.find(ilp);
        if (at == o.rates.end()) continue;
        ++of;
        const int needed = warps_needed(at->second, o.highest);
        reach += needed > 0 && needed <= w ? 1 : 0;
      }
      l.cells.push_back(fmt::format("{} of {}", reach, of));
    }
    out.lines.push_back(std::move(l));
  }
  return {out};
}

}  // namespace ptxlab::report
