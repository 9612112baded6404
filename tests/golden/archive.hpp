// SPDX-License-Identifier: Apache-2.0
// The file of golden values: where they were measured, then one line for each case. An exact case
// has a 64-bit digest of each quarter of its results, an approximate one the results themselves:
//
//   # device: NVIDIA H200
//   add.s32 9b01d2... 77aa10... 0c3f21... e9a8b7...
//   ex2.approx.f32 = 3f800000 7f800000 ...
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {

inline constexpr unsigned quarters = 4;

/// What a case left: result k of tuple i at [k * tuples + i].
using result_words = std::vector<std::uint64_t>;

struct golden_value {
  std::array<std::uint64_t, quarters> digest{};
  result_words words;  ///< empty for an exact case
  bool operator==(const golden_value&) const = default;
};

struct archive {
  /// "device", "driver", "toolkit", "commit", ... in order of the file.
  std::vector<std::pair<std::string, std::string>> provenance;
  std::map<std::string, golden_value, std::less<>> values;  ///< by name of the case
};

/// Name of the file that holds a part: "golden.txt", "golden-textures.txt".
std::string archive_name(part p);

/// Digests of the quarters of the tuples, over all results.
std::array<std::uint64_t, quarters> digests(std::span<const std::uint64_t> words);
/// What the archive keeps of a case's results.
golden_value value_of(const golden_case& c, std::span<const std::uint64_t> words);

std::string to_text(const archive& a);
/// Throws ptxlab::error, with NAME:LINE, for text that is no archive, or says something twice.
archive read_archive(std::string_view text, std::string_view name);

/// Changes when operands or cases of old names change, so that old archives are refused.
inline constexpr std::string_view generator_version = "1";

}  // namespace ptxlab::golden
