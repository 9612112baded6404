// SPDX-License-Identifier: Apache-2.0
// Coordinates of texture fetches as golden operands: centres and edges of texels, the steps of the
// filter's weights between them, their neighbours, what lies outside, and what is no number.
#pragma once

#include <vector>

#include "tests/golden/numbers.hpp"
#include "tests/golden/operands.hpp"

namespace ptxlab::golden {

/// What is taken seldom where there are other coordinates: beyond all bounds, or no number.
std::vector<std::uint64_t> coordinate_specials(const operand& o);
/// Places where a rounding shows, and their neighbours.
std::vector<std::uint64_t> coordinate_edges(const operand& o);
/// Any place in the texture or near it.
std::uint64_t random_coordinate(const operand& o, generator& g);

/// Operands of a fetch, as operand_words.
std::vector<std::uint64_t> coordinate_words(const std::vector<operand>& operands, generator& g);

}  // namespace ptxlab::golden
