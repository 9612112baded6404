// SPDX-License-Identifier: Apache-2.0
#include "analysis/results/statistics.hpp"

#include <algorithm>
#include <cmath>

#include "ptx/text/error.hpp"

namespace ptxlab::results {

double quantile(std::vector<double> values, double q) {
  if (values.empty()) throw error("no samples");
  std::sort(values.begin(), values.end());
  const double at = q * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  if (below + 1 >= values.size()) return values.back();
  return values[below] + (at - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

summary summarise(const std::vector<double>& values) {
  summary out;
  out.median = median(values);
  out.min = *std::min_element(values.begin(), values.end());
  out.max = *std::max_element(values.begin(), values.end());
  out.p5 = quantile(values, 0.05);
  out.p95 = quantile(values, 0.95);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (const double v : values) distances.push_back(std::abs(v - out.median));
  out.mad = median(distances);
  out.samples = static_cast<int>(values.size());
  return out;
}

line fit(std::span<const double> x, std::span<const double> y) {
  const std::size_t n = std::min(x.size(), y.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < n; ++i) {
    mean_x += x[i] / static_cast<double>(n);
    mean_y += y[i] / static_cast<double>(n);
  }
  double xx = 0, xy = 0;
  for (std::size_t i = 0; i < n; ++i) {
    xx += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  if (xx == 0) throw error("a slope needs two different lengths");
  line out;
  out.slope = xy / xx;
  out.offset = mean_y - out.slope * mean_x;
  for (std::size_t i = 0; i < n; ++i)
    out.residual = std::max(out.residual, std::abs(y[i] - out.offset - out.slope * x[i]));
  return out;
}

slopes slopes_of(const std::vector<series>& raw) {
  std::vector<double> lengths, medians, each;
  for (const series& s : raw) {
    if (s.values.size() != raw.front().values.size())
      throw error("lengths with different numbers of samples");
    lengths.push_back(s.length);
    medians.push_back(median(s.values));
  }
  for (std::size_t i = 0; !raw.empty() && i < raw.front().values.size(); ++i) {
    std::vector<double> points;
    points.reserve(raw.size());
    for (const series& s : raw) points.push_back(s.values[i]);
    each.push_back(fit(lengths, points).slope);
  }
  const line through = fit(lengths, medians);
  if (through.slope <= 0) throw error("more of it took no longer: there is no cost of one");
  return {summarise(each), through.offset, through.residual};
}

}  // namespace ptxlab::results
