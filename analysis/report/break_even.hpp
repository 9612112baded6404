// SPDX-License-Identifier: Apache-2.0
// From which size on one way to do something is faster than another, with an interval.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ptxlab::report {

/// Both at one size, samples of each in one unit.
struct compared_size {
  double n = 0;
  std::vector<double> first, second;
};

/// Where the second becomes the faster one and stays it, over sizes that were measured. 0 stands
/// for "already at the smallest", infinity for "not up to the largest".
struct crossing {
  double n = 0, low = 0, high = 0;
  double smallest = 0, largest = 0;  ///< sizes that were measured
  std::string n_text() const;
  /// "61200 to 64800"; empty where no samples were resampled.
  std::string interval_text() const;
  bool resampled = false;
};

/// The crossing of the medians, between two sizes where the ratio of times passes 1 on a straight
/// line over the logarithm of n. The interval holds the middle 95 % of 1000 crossings of medians of
/// samples drawn anew, with replacement, from those that there are (Efron's percentile bootstrap,
/// 1979), by a fixed seed; sizes with one sample alone, as printed tables have, give none. Nothing
/// without sizes.
std::optional<crossing> break_even(std::vector<compared_size> sizes);

}  // namespace ptxlab::report
