// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that access words one after the other, as most accesses do: which lane has which.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

/// Words of a row: it begins at an address divisible by 128.
inline constexpr std::uint32_t row_words = 32;

/// Which lane accesses which word of a row.
struct lane_pattern {
  std::uint8_t log_words : 2 = 0;  ///< each lane has 1, 2 or 4 words
  std::uint8_t turn : 5 = 0;

  std::uint32_t lane_of(std::uint32_t word) const {
    return ((word >> log_words) - turn) % warp_lanes;
  }
  bool operator==(const lane_pattern&) const = default;
};

/// The words of such an access.
class lane_line {
 public:
  /// None if the lanes do not access whole words, each its own, in the order of the lanes and with
  /// gaps for missing lanes only.
  static std::optional<lane_line> of(const access& a);

  std::uint64_t first_row() const { return begin_ / row_words; }
  std::uint64_t last_row() const { return (end_ - 1) / row_words; }
  lane_pattern pattern(std::uint64_t row) const;
  /// Bit i: word i of the row is accessed, by one of `part`.
  lane_mask words(std::uint64_t row, lane_mask part) const;

 private:
  lane_mask lanes_ = 0;
  bool gaps_ = false;
  std::uint8_t log_words_ = 0;
  std::uint64_t begin_ = 0, end_ = 0;  // words: address / 4
};

}  // namespace ptxlab::machine
