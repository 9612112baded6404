// SPDX-License-Identifier: Apache-2.0
// The few statistics that a measurement needs.
#pragma once

#include <span>
#include <vector>

#include "analysis/results/results.hpp"

namespace ptxlab::results {

/// Quantile q in [0, 1] of `values`, linear between order statistics (Hyndman and Fan, 1996,
/// definition 7). Throws ptxlab::error for no values.
double quantile(std::vector<double> values, double q);
double median(std::vector<double> values);
/// Throws ptxlab::error for no values.
summary summarise(const std::vector<double>& values);

/// A line through points by least squares.
struct line {
  double slope = 0, offset = 0;
  double residual = 0;  ///< largest distance of a point from the line, in the unit of y
};
/// Throws ptxlab::error for fewer than two different x.
line fit(std::span<const double> x, std::span<const double> y);

/// What one more of the length costs, once per pass: sample i of every series belongs together, and
/// each such set of points gives one slope. The summary is over those slopes; `residual` is that of
/// the line through the medians.
struct slopes {
  summary value;
  double offset = 0;
  double residual = 0;
};
/// Throws ptxlab::error for fewer than two series, for series of different size, and where what is
/// longer took no longer.
slopes slopes_of(const std::vector<series>& raw);

}  // namespace ptxlab::results
