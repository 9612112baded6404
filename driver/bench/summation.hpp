// SPDX-License-Identifier: Apache-2.0
// What a reduction launches for n numbers, and numbers whose sum is known, without a device.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// One launch of a reduction.
struct summation_launch {
  std::uint64_t n = 0;  ///< numbers that it takes
  unsigned blocks = 0;
  bool operator==(const summation_launch&) const = default;
};

/// The launches that leave one number of `n` (ptxlab::kernels::summation says how): none where
/// there is nothing to add. `resident` bounds the blocks of what takes one launch. Throws
/// ptxlab::error for a declaration that gets nowhere, and for more blocks than a grid can have.
std::vector<summation_launch> launches_of(const kernels::measurement& m, std::uint64_t n,
                                          unsigned resident);

/// Numbers that a kernel is given: `period` again and again. Counts times `unit` is each of them,
/// so that the sum of all is known exactly.
template <typename T>
struct summands {
  std::vector<T> period;
  std::uint64_t n = 0;
  std::uint64_t counts = 0;  ///< of all n numbers, added; of integers modulo 2^64
  long double unit = 1;
  std::vector<T> all() const;  ///< the n numbers
  /// Of all, rounded at most once (integers: modulo their width).
  T sum() const;
};

/// Numbers that no order of additions rounds: integers of all sizes, or floating numbers that are
/// small integers, whose sum stays below 2^24 (f32) or 2^53.
template <typename T>
summands<T> exact_summands(std::uint64_t n);

/// Numbers between 0 and 1 that have all bits, so that every addition rounds; of integers the same
/// as above.
template <typename T>
summands<T> real_summands(std::uint64_t n);

/// The largest relative error that a sum of numbers above 0 may have, in units of the type's
/// epsilon / 2, where each of its terms goes through `additions` roundings (Higham, Accuracy and
/// Stability of Numerical Algorithms, 2nd edition, section 4.2, to first order).
double additions_of(const kernels::measurement& m, const std::vector<summation_launch>& launches);

/// What is wrong with `result`: "the sum is 3, not 4"; empty where its relative error is at most
/// `additions` roundings. 0: it must be the very number.
template <typename T>
std::string wrong_sum(T result, const summands<T>& of, double additions);

}  // namespace ptxlab::bench
