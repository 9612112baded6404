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
// Powers of two. Numbers of 4 bytes are a GiB from 2^28 on.
constexpr int few_from = 10, few_to = 24, gibibyte = 28, most = 33;

line judged(const std::string& what, const std::string& wanted, const std::string& found,
            const std::optional<bool>& met) {
  return {{what, wanted, found, !met ? "cannot tell" : *met ? "reached" : "missed"}, {}};
}

/// A ratio at each 2^from to 2^to numbers, and what is wanted of it.
struct comparison {
  int from, to;
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
  if (n <= std::exp2(few_to) && tie(*ours, *theirs)) return 1;
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
  for (int power = with.from; power <= with.to; ++power) {
    const double n = std::exp2(power);
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
  out.lines.push_back(compared(
      c, best, "time against CUB's, 1 GiB and more", fmt::format("at most {}", exact(times_of_cub)),
      {gibibyte, most, against_cub, [](double r) { return r <= times_of_cub; }}));
  out.lines.push_back(
      compared(c, best, "bandwidth against reading alone, 1 GiB and more",
               fmt::format("at least {}", exact(share_of_reading)),
               {gibibyte, most, against_reading, [](double r) { return r >= share_of_reading; }}));
  out.lines.push_back(
      compared(c, best, "time against CUB's, 2^10 to 2^24 numbers (even within the spread)",
               "at most 1", {few_from, few_to, against_cub, [](double r) { return r <= 1; }}));
  return {out};
}

}  // namespace ptxlab::report
