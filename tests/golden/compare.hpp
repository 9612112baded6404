// SPDX-License-Identifier: Apache-2.0
// Golden values against what the machine computes: equal bits, and for approximate functions the
// share of them and the largest error.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tests/golden/archive.hpp"

namespace ptxlab::golden {

/// What is wrong with a case, or empty: a quarter of its results differs, its value is missing, or
/// an approximate result is beyond the ISA's limit.
std::string difference(const golden_case& c, const archive& golden,
                       std::span<const std::uint64_t> machine_words);

/// Of an approximate case, measured against the machine's correctly rounded results.
struct approximation_record {
  std::string name;
  std::size_t results = 0, equal = 0;
  double largest_ulp = 0;    ///< distance in units of the last place, of results that are numbers
  double largest_error = 0;  ///< in the measure of the ISA's limit
  std::string limit;         ///< "2 ulp", "2^-20.5 absolute"; empty: the ISA gives none
  std::string beyond;        ///< the first result beyond the limit, with its operands; or empty
};
approximation_record measure(const golden_case& c, std::span<const std::uint64_t> golden_words,
                             std::span<const std::uint64_t> machine_words);

/// "12 of 4096 results differ, by at most 3 ulp": the distance is told of textures and matrices of
/// floats, where infinities and NaNs count as the numbers behind the largest one.
std::string difference_counts(const golden_case& c, std::span<const std::uint64_t> golden_words,
                              std::span<const std::uint64_t> machine_words);

/// "tuple 17: operands 1 ffffffff: golden 0, machine 1" for each tuple that differs, at most
/// `most`.
std::vector<std::string> differing_tuples(const golden_case& c,
                                          std::span<const std::uint64_t> golden_words,
                                          std::span<const std::uint64_t> machine_words,
                                          std::size_t most);

/// The page on the approximate functions: what docs/APPROXIMATE.md holds.
std::string approximation_page(const archive& golden,
                               const std::vector<approximation_record>& records);

}  // namespace ptxlab::golden
