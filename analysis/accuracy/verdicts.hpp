// SPDX-License-Identifier: Apache-2.0
// A block of results beside their exact values: what is wrong with each, and what that adds up to.
#pragma once

#include <array>
#include <cstddef>

namespace ptxlab::accuracy {

/// So many results are looked at by one set of loops.
inline constexpr std::size_t block = 256;

struct verdicts {
  std::array<double, block> exact, got;  ///< given
  /// Of those with a NaN these are 0.
  std::array<double, block> error;     ///< in ulp
  std::array<double, block> absolute;  ///< |got - exact|
  std::array<double, block> floats;    ///< from the correctly rounded value, in floats
  std::array<double, block> nan;       ///< 1 where one is NaN and the other is not
  /// 1 where the exact value is so near to the middle of two floats that a double with an error
  /// does not tell which is nearer.
  std::array<double, block> open;
};

/// Of all results of a block.
struct totals {
  double error = 0, absolute = 0, floats = 0;      ///< largest
  double sum = 0, inexact = 0, nan = 0, open = 0;  ///< sum of errors; how many
};

/// Looks at the first `n`.
totals judge(verdicts& v, std::size_t n);
/// The same for integers, whose unit is 1.
totals judge_integers(verdicts& v, std::size_t n);
/// Once more, where something was changed.
totals add_up(const verdicts& v, std::size_t n);

}  // namespace ptxlab::accuracy
