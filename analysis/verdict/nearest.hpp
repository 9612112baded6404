// SPDX-License-Identifier: Apache-2.0
// The nearest name to a misspelt one, for messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ptxlab::verdict {

/// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (the
/// "optimal string alignment" distance; bytes, case counts).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The name with the smallest edit distance, the first of equals; empty if there are no names.
std::string nearest(std::string_view word, const std::vector<std::string>& names);

/// "; nearest is 'NAME'", to end a message; empty if there are no names.
std::string suggestion(std::string_view word, const std::vector<std::string>& names);

}  // namespace ptxlab::verdict
