// SPDX-License-Identifier: Apache-2.0
// What reductions were to reach, and whether they did.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"

namespace ptxlab::report {
namespace {

// What this project set itself.
constexpr double times_of_cub = 1.02, share_of_reading = 0.93;
constexpr double gibibyte = 1 << 30, few_from = 1 << 10, few_to = 1 << 24;

line judged(const std::string& what, const std::string& wanted, const std::string& found,
            const std::optional<bool>& met) {
  return {{what, wanted, found, !met ? "cannot tell" : *met ? "reached" : "missed"}, {}};
}

bool is_power_of_two(double n) {
  int power = 0;
  return std::frexp(n, &power) == 0.5;
}

/// A ratio at each power of two from `from` to `to`, and what is wanted of it.
struct comparison {
  double from, to;
  std::optional<double> (*ratio)(const section&, const std::string& best, double n);
  bool (*good)(double);
};

/// The middle 90 % of the samples overlap: neither is known to be faster.
bool tie(const measurement& a, const measurement& b) {
  const results::summary &x = *a.row().value, &y = *b.row().value;
  return x.p5 <= y.p95 && y.p5 <= x.p95;
}

std::optional<double> against_cub(const section& s, const std::string& best, double n) {
  const measurement *ours = sum_at(s, best, "time", n), *theirs = sum_at(s, best, "time of cub", n);
  if (ours == nullptr || theirs == nullptr || !ours->ok() || !theirs->ok()) return {};
  // Within each other's spread counts as even.
  if (n <= few_to && tie(*ours, *theirs)) return 1;
  return ours->row().value->median / theirs->row().value->median;
}

std::optional<double> against_reading(const section& s, const std::string& best, double n) {
  const measurement *ours = sum_at(s, best, "bandwidth", n),
                    *read = sum_at(s, plain_read(s), "bandwidth", n);
  if (ours == nullptr || read == nullptr || !ours->ok() || !read->ok()) return {};
  return ours->row().value->median / read->row().value->median;
}

/// One line for all sizes: how many are good, and the one that is furthest from it.
line compared(const topic_context& c, const std::string& best, const std::string& what,
              const std::string& wanted, const comparison& with) {
  int sizes = 0, good = 0;
  double worst_n = 0, worst = 0;
  for (double n = with.from; n <= with.to; n *= 2) {
    if (!is_power_of_two(n)) continue;
    const auto ratio = with.ratio(c.of, best, n);
    if (!ratio) continue;
    ++sizes;
    if (with.good(*ratio)) ++good;
    // Time: the larger the worse; share of a bandwidth: the smaller.
    const double badness = with.good(0) ? *ratio : -*ratio;
    if (sizes == 1 || badness > worst) {
      worst = badness;
      worst_n = n;
    }
  }
  if (sizes == 0) return judged(what, wanted, not_measured_text, {});
  return judged(what, wanted,
                fmt::format("at {} of {} sizes; furthest off {:.3f}, N = {}", good, sizes,
                            std::abs(worst), size_name(worst_n)),
                good == sizes);
}

}  // namespace

std::vector<table> reduction_target_tables(const topic_context& c) {
  const std::string best = best_sum(c.of);
  table out{fmt::format("What was to be reached, by {}",
                        best.empty() ? "a sum in one launch" : operation_of(best)),
            {{"what", false, true}, {"wanted"}, {"found", false, true}, {""}},
            {}};
  const double most = std::exp2(33);
  out.lines.push_back(compared(
      c, best, "time against CUB's, 1 GiB and more", fmt::format("at most {}", exact(times_of_cub)),
      {gibibyte / sizeof(float), most, against_cub, [](double r) { return r <= times_of_cub; }}));
  out.lines.push_back(compared(c, best, "bandwidth against reading alone, 1 GiB and more",
                               fmt::format("at least {}", exact(share_of_reading)),
                               {gibibyte / sizeof(float), most, against_reading,
                                [](double r) { return r >= share_of_reading; }}));
  out.lines.push_back(
      compared(c, best, "time against CUB's, 2^10 to 2^24 numbers (even within the spread)",
               "at most 1", {few_from, few_to, against_cub, [](double r) { return r <= 1; }}));
  return {out};
}

}  // namespace ptxlab::report
