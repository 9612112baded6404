// SPDX-License-Identifier: Apache-2.0
// What a comparison with exact values adds up to: over all inputs, and for each range of them.
#pragma once

#include <cstdint>
#include <vector>

namespace ptxlab::accuracy {

/// What was seen of the inputs from `from` on, away from 0, to where the next range begins.
struct range {
  double from = 0;
  std::uint64_t inputs = 0;
  std::uint64_t inexact = 0;    ///< not the correctly rounded value
  double largest = 0;           ///< error in ulp
  double largest_absolute = 0;  ///< |got - exact|
};

/// Where ranges begin: at every power of two, and at further places. Zero and subnormals are one.
class ranges {
 public:
  /// `extra` are further ends, above 0. `by_sign`: negative inputs have ranges of their own.
  explicit ranges(std::vector<double> extra = {}, bool by_sign = false);
  const std::vector<double>& ends() const { return ends_; }
  /// Index of the one that `x` is in; NaN is in the last one.
  std::size_t of(double x) const;

 private:
  std::vector<double> ends_, extra_;
  bool by_sign_;
  std::size_t half_ = 0;
};

struct tally {
  explicit tally(const ranges& of);

  std::vector<range> by_range;
  std::uint64_t inputs = 0, inexact = 0;
  double sum = 0;       ///< of errors in ulp
  double largest = -1;  ///< error in ulp; the rest says where, of the first input that has it
  double x = 0, y = 0, got = 0, exact = 0;
  double most_floats = 0;       ///< largest distance from the correctly rounded value, in floats
  std::uint64_t wrong_nan = 0;  ///< NaN where there is a value, or the other way; in no error
  double nan_x = 0, nan_y = 0;  ///< the first of them

  /// Adds what `other` saw of later inputs, in the same ranges.
  void add(const tally& other);
};

}  // namespace ptxlab::accuracy
