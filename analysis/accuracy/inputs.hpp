// SPDX-License-Identifier: Apache-2.0
// Which numbers a function is tried with: all between two ends, or evenly many of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "analysis/accuracy/exact.hpp"

namespace ptxlab::accuracy {

/// Ends of the operands, both included.
struct ends {
  double lowest = 0, highest = 0;
  double lowest_second = 0, highest_second = 0;
};

/// Numbers in order. Of one operand: floats at an odd distance in the order of all floats, so that
/// every bit of the significand changes. Of two: the second in order, the first drawn at random,
/// for floats of all floats and for integers of all lengths alike. The same ones each time.
class inputs {
 public:
  /// About `samples` of them; 0: every number (one operand), which `second` does not allow. Throws
  /// ptxlab::error for ends that are no numbers, not in order, or outside of the type.
  inputs(const function& f, const ends& e, std::uint64_t samples);

  std::uint64_t count() const { return count_; }
  /// Whether no number between the ends is left out.
  bool complete() const { return step_ == 1 && operands_ == 1; }
  /// Numbers from the `first` on: as many as fit; `y` is empty for one operand.
  void fill(std::uint64_t first, std::span<std::uint32_t> x, std::span<std::uint32_t> y) const;

 private:
  struct span_of_numbers {
    std::int64_t lowest = 0, highest = 0;  ///< places in the order of the type
  };
  std::uint32_t integer(std::uint64_t random, unsigned length, const span_of_numbers& s) const;

  number of_;
  unsigned operands_;
  span_of_numbers x_, y_;
  std::uint64_t count_ = 0, step_ = 1;
};

/// Places of an array: `count` of them from `first` on.
struct slice {
  std::size_t first = 0, count = 0;
};
/// What core number `core` of `cores` cares for of the first `length` places of an array of `size`:
/// always the same places, however many of them are used, so that no core writes what another one
/// still reads.
slice slice_of(std::size_t length, std::size_t size, unsigned core, unsigned cores);

}  // namespace ptxlab::accuracy
