// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/break_even.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "analysis/results/statistics.hpp"

namespace ptxlab::report {
namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr int drawn_anew = 1000;

struct ratio_at {
  double n = 0;
  double log_ratio = 0;  ///< above 0 the second is the faster one
};

/// Behind the last size at which the second is not the faster one.
double crossing_of(const std::vector<ratio_at>& ratios) {
  std::size_t i = ratios.size();
  while (i > 0 && ratios[i - 1].log_ratio > 0) --i;
  if (i == ratios.size()) return never;
  if (i == 0) return 0;
  const ratio_at &below = ratios[i - 1], &above = ratios[i];
  const double part = -below.log_ratio / (above.log_ratio - below.log_ratio);
  return below.n * std::pow(above.n / below.n, part);
}

template <typename F>
std::vector<ratio_at> ratios_of(const std::vector<compared_size>& sizes, F median) {
  std::vector<ratio_at> out;
  out.reserve(sizes.size());
  for (const compared_size& s : sizes)
    out.push_back({s.n, std::log(median(s.first) / median(s.second))});
  return out;
}

/// The i-th draw's remainder is the same everywhere, which std::uniform_int_distribution is not.
double median_drawn_anew(const std::vector<double>& from, std::mt19937& bits) {
  std::vector<double> drawn(from.size());
  for (double& x : drawn) x = from[bits() % from.size()];
  return results::median(std::move(drawn));
}

std::string size_text(double n, const crossing& c) {
  if (n == 0) return fmt::format("below {:.0f}", c.smallest);
  if (n == never) return fmt::format("not up to {:.0f}", c.largest);
  return fmt::format("{:.0f}", n);
}

}  // namespace

std::string crossing::n_text() const {
  return size_text(n, *this);
}

std::string crossing::interval_text() const {
  if (!resampled) return "";
  const std::string from = size_text(low, *this), to = size_text(high, *this);
  return from == to ? from : from + " to " + to;
}

std::optional<crossing> break_even(std::vector<compared_size> sizes) {
  std::erase_if(sizes, [](const compared_size& s) { return s.first.empty() || s.second.empty(); });
  if (sizes.empty()) return {};
  std::sort(sizes.begin(), sizes.end(),
            [](const compared_size& a, const compared_size& b) { return a.n < b.n; });
  crossing out;
  out.smallest = sizes.front().n;
  out.largest = sizes.back().n;
  out.n = crossing_of(
      ratios_of(sizes, [](const std::vector<double>& all) { return results::median(all); }));
  out.resampled = std::any_of(sizes.begin(), sizes.end(), [](const compared_size& s) {
    return s.first.size() > 1 || s.second.size() > 1;
  });
  if (!out.resampled) return out;
  std::mt19937 bits(1);
  std::vector<double> all;
  all.reserve(drawn_anew);
  for (int i = 0; i < drawn_anew; ++i)
    all.push_back(crossing_of(ratios_of(
        sizes, [&](const std::vector<double>& from) { return median_drawn_anew(from, bits); })));
  // Order statistics themselves: between two of them may lie infinity.
  std::sort(all.begin(), all.end());
  out.low = all[drawn_anew / 40];
  out.high = all[drawn_anew - 1 - drawn_anew / 40];
  return out;
}

}  // namespace ptxlab::report
