// SPDX-License-Identifier: Apache-2.0
// What the golden cases compute with: for every list of operands the same 1024 tuples, on the GPU
// and on the machine, made of edge values, random bits and random short numbers.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/machine/type.hpp"

namespace ptxlab::golden {

/// Threads of a case, each with operands of its own: one block.
inline constexpr unsigned tuples = 1024;

/// What an operand is used for, where its type does not say it.
enum class use : std::uint8_t {
  value,   ///< edges of the type, random bits, random short numbers
  amount,  ///< of a shift, position or length: mostly 0 to 70
  bits,    ///< random bits
  lane,    ///< 0 to 31
  count,   ///< -33 to 33
  few,     ///< 0 to 3
  // 64 bits full of elements of a matrix:
  elements,        ///< each warp has numbers of another kind
  small_elements,  ///< integers from -8 to 8, or random bits of an integer type
  tf32_elements,   ///< as elements, and the low 13 bits are 0
  // Where a texture is read. An operation with one of them has no operands of other uses.
  texels,    ///< in texels
  fraction,  ///< in extents of the texture
  texel,     ///< a texel's number
  layer
};

struct operand {
  machine::type type;
  use as = use::value;
  std::uint16_t extent = 0;  ///< of the texture, where a coordinate is one of it; else 0
  auto operator<=>(const operand&) const = default;
};

bool is_elements(const operand& o);
bool is_coordinate(const operand& o);
/// Bits that the operand has in its word.
unsigned operand_bits(const operand& o);

/// Operand k of tuple i at [k * tuples + i], in the low bits of a word; a predicate is 0 or 1.
std::vector<std::uint64_t> operand_words(const std::vector<operand>& operands);

}  // namespace ptxlab::golden
