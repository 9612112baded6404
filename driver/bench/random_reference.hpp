// SPDX-License-Identifier: Apache-2.0
// What a random kernel must have drawn: the numbers of a sequence from any place on, computed by
// the host, and the comparison with what was found.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// How words become numbers: see ptx/device/random_output.cuh.
struct random_output {
  unsigned words = 1;    ///< of 32 bits, in one unit
  unsigned numbers = 1;  ///< in one unit
  unsigned bytes = 4;    ///< of one number
  /// How far a number may be from the formula's: normal numbers take approximate functions.
  double tolerance = 0;
};
random_output output_of(kernels::generator::output as);

/// The numbers of one unit, from its words.
void convert(kernels::generator::output as, std::span<const std::uint32_t> words, double* numbers);

/// Units `first` to `first + count - 1` of a xorwow sequence in which unit e comes from subsequence
/// e modulo `subsequences`, as numbers.
std::vector<double> xorwow_numbers(kernels::generator::output as, std::uint64_t seed,
                                   std::uint32_t subsequences, std::uint64_t first,
                                   std::uint64_t count);

/// Numbers `first` to `first + count - 1` of a Sobol sequence of `points` points, one dimension
/// after the other; `vectors` and `constants` as kernels read them (the latter may be empty).
/// Normal numbers are by the inverse of the distribution.
std::vector<double> sobol_numbers(kernels::generator::output as,
                                  const std::vector<std::uint32_t>& vectors,
                                  const std::vector<std::uint32_t>& constants, std::uint64_t points,
                                  std::uint64_t first, std::uint64_t count);

/// Empty, or "3 of 100 are wrong, the first is number 5: 0.25, not 0.5". `first` is the number of
/// the first one. A NaN is wrong.
std::string wrong_numbers(const std::vector<double>& found, const std::vector<double>& wanted,
                          double tolerance, std::uint64_t first);

/// The x for which a share `p` of normal numbers is below; 0 < p < 1.
double normal_quantile(double p);

}  // namespace ptxlab::bench
