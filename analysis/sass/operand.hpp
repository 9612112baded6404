// SPDX-License-Identifier: Apache-2.0
// One operand of a SASS instruction, taken apart.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace ptxlab::sass {

enum class register_file : std::uint8_t { gpr, uniform, predicate, uniform_predicate, barrier };

/// A register, numbered over all files: R0.., UR0.., P0.., UP0.., B0...
using register_id = std::uint16_t;
inline constexpr register_id first_of_file[] = {0, 256, 512, 520, 528};
inline constexpr register_id register_ids = 544;

constexpr register_id make_id(register_file f, unsigned index) {
  return static_cast<register_id>(first_of_file[static_cast<int>(f)] + index);
}
constexpr register_id gpr(unsigned i) {
  return make_id(register_file::gpr, i);
}
constexpr register_id uniform(unsigned i) {
  return make_id(register_file::uniform, i);
}
constexpr register_id predicate_register(unsigned i) {
  return make_id(register_file::predicate, i);
}

/// A register as written: `-R4.64`, `URZ`, `!P0`.
struct register_use {
  register_file file = register_file::gpr;
  std::uint16_t index = 0;
  bool zero = false;     ///< RZ, URZ, PT, UPT: reads as a constant, writes are dropped
  bool altered = false;  ///< negated, inverted or absolute
  bool wide = false;     ///< `.64`
  bool narrow = false;   ///< `.U32`, `.S32`, `.X4`: 32 bits even where an address has 64

  bool is_predicate() const {
    return file == register_file::predicate || file == register_file::uniform_predicate;
  }
  register_id id() const { return make_id(file, index); }
};

enum class operand_kind : std::uint8_t { reg, integer, number, memory, constant, special, other };

struct operand {
  operand_kind kind = operand_kind::other;
  std::string_view text;
  register_use reg;        ///< kind reg
  std::int64_t value = 0;  ///< kind integer; offset of memory and constant
  std::uint8_t bank = 0;   ///< kind constant
  std::uint8_t parts = 0;  ///< kind memory, constant: registers of the address
  std::array<register_use, 3> address{};
  bool has_descriptor = false;  ///< desc[..][..], gdesc[..]: `descriptor` is read as well
  register_use descriptor;
};

using operand_list = std::array<operand, 16>;

/// Splits operands as module::operands gives them. What is beyond 16 operands or malformed becomes
/// operand_kind::other; never throws.
std::span<const operand> parse_operands(std::string_view text, operand_list& out);

}  // namespace ptxlab::sass
