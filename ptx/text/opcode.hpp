// SPDX-License-Identifier: Apache-2.0
// What one PTX opcode with its modifiers means, decoded once per distinct spelling in a module.
// Source of the rules: PTX ISA 9.0, chapters "Instruction Set" and "Memory Consistency Model".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/flow/code.hpp"

namespace ptxlab::ptx {

/// Which operands an instruction writes.
enum class result : std::uint8_t {
  first,  ///< the first operand, all its elements (the usual form)
  none,   ///< no register is written: st, red, bar, bra, ...
  call    ///< the first parenthesised list, if it precedes the callee
};

struct opcode {
  std::string_view text;                    ///< "ld.global.nc.u32"
  std::string_view base;                    ///< "ld"
  std::vector<std::string_view> modifiers;  ///< "global", "nc", "u32"

  bool known = true;  ///< the base is one of PTX ISA 9.0
  result writes = result::first;
  flow::kind what = flow::kind::plain;
  flow::transfer then = flow::transfer::next;
  flow::form shape = flow::form::other;
  flow::relation rel = flow::relation::none;
  flow::space memory = flow::space::none;
  flow::order ordering = flow::order::weak;
  flow::scope reach = flow::scope::none;
  bool unsigned_compare = false;
  std::uint16_t width_bits = 0;  ///< of a memory access, all vector elements together

  bool has(std::string_view modifier) const;
};

/// Decodes a spelling. Never throws: an unknown base gives `known == false` and cautious defaults.
opcode decode_opcode(std::string_view text);

}  // namespace ptxlab::ptx
