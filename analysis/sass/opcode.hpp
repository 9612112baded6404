// SPDX-License-Identifier: Apache-2.0
// A SASS opcode as nvdisasm spells it, and what is known about its operands. NVIDIA documents only
// the mnemonics (CUDA Binary Utilities, "Instruction Set Reference"); operand roles and widths here
// were found with `nvdisasm -plr`, and tests/unit/sass_life_range_test.cc holds them to it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/flow/code.hpp"

namespace ptxlab::sass {

/// Where an instruction's results stand among its operands.
enum class layout : std::uint8_t {
  sink,            ///< no result: stores, branches, barriers
  result,          ///< predicates, then one register, then up to `trailing` predicates
  one_predicate,   ///< FCHK: the first operand only
  two_predicates,  ///< ISETP and its kin, PLOP3
  two_registers,   ///< texture reads, 256-bit loads: upper and lower half of the data
  to_predicates,   ///< R2P: the predicates of a mask
  from_predicates  ///< P2R: reads the predicates of a mask
};

/// What one opcode, with its modifiers, does to its operands. Widths are in 32-bit registers.
struct rule {
  bool known = false;
  layout shape = layout::result;
  flow::kind what = flow::kind::plain;
  flow::transfer then = flow::transfer::next;
  flow::form form = flow::form::other;
  flow::relation rel = flow::relation::none;
  flow::space memory = flow::space::none;
  flow::order ordering = flow::order::weak;
  flow::scope reach = flow::scope::none;
  bool unsigned_compare = false;
  bool condition_unseen = false;  ///< BRA.DIV, BRA.CONV: taken or not by the state of the warp
  std::uint8_t trailing = 2;
  std::uint16_t width_bits = 0;
  std::uint8_t result_regs = 1;
  std::uint8_t source_regs[4] = {1, 1, 1, 1};  ///< by position, immediates and zeros counted
};

/// An opcode with its parts; `base` and `modifiers` point into `text`.
struct opcode {
  std::string text;                         ///< "LDG.E.64.STRONG.SYS"
  std::string_view base;                    ///< "LDG"
  std::vector<std::string_view> modifiers;  ///< "E", "64", "STRONG", "SYS"
  rule how;

  explicit opcode(std::string_view full);
  opcode(const opcode&) = delete;
  opcode& operator=(const opcode&) = delete;

  bool has(std::string_view modifier) const;
};

/// The rule of an opcode; `known` is false for one that is in no table.
rule rule_of(const opcode& o);

}  // namespace ptxlab::sass
