// SPDX-License-Identifier: Apache-2.0
// Matching one line of a tool's report against a pattern with numbers and names in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace ptxlab::facts {

/// `text` without blanks, tabs and carriage returns at both ends.
std::string_view trim(std::string_view text);

/// The whole of `text` as a decimal number from 0 to 10^12 (no tool counts more bytes); empty if it
/// is none.
std::optional<std::int64_t> number(std::string_view text);

/// Matches the whole of `text` against `pattern`, where `#` takes a number, `*` the shortest
/// non-empty text up to what follows it in the pattern, and a blank any run of blanks. Returns what
/// `#` and `*` took, in order, or nothing.
std::optional<std::vector<std::string_view>> match(std::string_view pattern, std::string_view text);

}  // namespace ptxlab::facts
