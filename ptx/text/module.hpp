// SPDX-License-Identifier: Apache-2.0
// A PTX module as read from text: functions with their statements, and everything needed to print
// it back. All text is views into the source, which the module owns.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/text/opcode.hpp"

namespace ptxlab::ptx {

inline constexpr std::uint32_t nothing = 0xffffffff;

enum class operand_kind : std::uint8_t {
  reg,        ///< a declared register; `value` is its number within the function
  special,    ///< %tid.x, %clock64, WARP_SZ
  integer,    ///< 12, 0x1f, 7U; `text` has the spelling
  floating,   ///< 0f3F800000, 0d..., 1.5
  symbol,     ///< label, function, variable, parameter
  sink,       ///< _
  address,    ///< [...]; children separated as written
  vector,     ///< {...}
  pair,       ///< a|b
  group,      ///< (...) of a call
  expression  ///< anything longer (sym+4, constant expressions), kept as written
};

struct operand {
  operand_kind kind = operand_kind::symbol;
  bool negated = false;        ///< !p
  bool minus = false;          ///< -x
  bool after_plus = false;     ///< inside an address: joined to the one before by '+'
  std::uint32_t children = 0;  ///< address, vector, pair, group: number of operands that follow
  std::uint32_t value = 0;     ///< reg: its number; address etc.: number of direct children
  std::uint32_t text = 0, length = 0;  ///< in module::source()
};

/// One `.loc`: where the code that follows comes from, with the call sites it was inlined at.
struct location {
  std::uint32_t file = 0, line = 0, column = 0;
  std::uint32_t parent = nothing;  ///< index of the location it was inlined at
  std::uint32_t depth = 0;         ///< of inlining
  std::string_view function;       ///< label of the inlined function's name in .debug_str
};

struct instruction {
  std::uint32_t opcode = 0;          ///< in module::opcodes
  std::uint32_t first_operand = 0;   ///< in function::operands
  std::uint32_t operands = 0;        ///< top-level and nested together
  std::uint32_t guard = nothing;     ///< register number of @p
  std::uint32_t line = 0;            ///< of the PTX text, 1-based
  std::uint32_t location = nothing;  ///< in function::locations
  bool guard_negated = false;
  bool in_asm = false;             ///< between nvcc's "begin inline asm" and "end inline asm"
  std::uint32_t target = nothing;  ///< bra: index into function::labels
};

struct label {
  std::string_view name;
  std::uint32_t instruction = 0;  ///< index of the instruction that follows
};

enum class statement_kind : std::uint8_t {
  instruction,
  label,
  open,   ///< {
  close,  ///< }
  text    ///< directive or declaration, printed as written
};

struct statement {
  statement_kind kind;
  std::uint32_t index;  ///< of the instruction, label or text
};

struct parameter {
  std::string_view name;
  std::uint32_t bytes = 0;   ///< whole size; 0 where the text does not say
  std::uint32_t offset = 0;  ///< in the parameter space, by the alignment rules
};

/// `.reg .b32 %r<200>;` or single names; numbers are unique within the function, and ranges ascend.
struct register_range {
  std::string_view prefix;
  std::string_view type;  ///< "b32", "pred"
  std::uint32_t first = 0, count = 0;
  bool numbered = false;  ///< declared with <N>
};

struct indirect_table {
  std::string_view name;
  std::vector<std::string_view> labels;
};

struct function {
  std::string_view name;
  std::string_view header;  ///< text up to the body or ';'
  bool entry = false, has_body = false;
  std::uint32_t line = 0;
  std::vector<parameter> params, results;
  std::optional<std::uint32_t> max_threads;  ///< product of .maxntid or .reqntid
  std::vector<statement> statements;
  std::vector<instruction> instructions;
  std::vector<operand> operands;
  std::vector<label> labels;
  std::vector<location> locations;
  std::vector<register_range> registers;
  std::vector<std::string_view> texts;
  std::vector<indirect_table> tables;  ///< .branchtargets
  std::uint32_t register_count = 0;

  /// Type of a register, as declared; empty for a number that none has.
  std::string_view register_type(std::uint32_t number) const;
};

struct source_file {
  std::uint32_t number = 0;
  std::string_view path;
};

struct item {
  bool is_function = false;
  std::uint32_t index = 0;  ///< of the function, or of `texts`
};

struct module {
  std::string name;  ///< file name for messages
  std::unique_ptr<std::string> source;
  std::string_view version, target;  ///< "9.0", "sm_90" (the first of .target)
  std::vector<opcode> opcodes;
  std::vector<function> functions;
  std::vector<source_file> files;
  std::vector<std::string_view> texts;    ///< module-level directives and declarations, as written
  std::vector<item> items;                ///< functions and texts in order
  std::vector<std::string_view> globals;  ///< names of module-scope variables
  std::size_t unknown_instructions = 0;

  std::string_view text(const operand& o) const {
    return std::string_view(*source).substr(o.text, o.length);
  }
  const opcode& op(const instruction& i) const { return opcodes[i.opcode]; }
  std::string_view file(std::uint32_t number) const;
  const function* find(std::string_view function_name) const;
  /// The text of a label in `.section .debug_str`, where nvcc keeps the names of inlined functions.
  std::string debug_string(std::string_view label) const;
};

/// Direct children of an address, vector, pair or group; each child's own children are skipped.
template <typename F>
void for_each_child(std::span<const operand> all, std::uint32_t parent, F f) {
  const std::uint32_t end = parent + 1 + all[parent].children;
  for (std::uint32_t i = parent + 1; i < end; i += 1 + all[i].children) f(i);
}

/// The top-level operands of an instruction.
template <typename F>
void for_each_operand(const function& fn, const instruction& in, F f) {
  const std::uint32_t end = in.first_operand + in.operands;
  for (std::uint32_t i = in.first_operand; i < end; i += 1 + fn.operands[i].children) f(i);
}

/// Value of an integer literal, or nothing (too large, malformed).
std::optional<std::int64_t> integer_value(std::string_view text, bool minus);

/// A floating-point literal: its bits, and whether they are those of a float (0f...) or of a
/// double.
struct floating_literal {
  std::uint64_t bits = 0;
  bool single = false;
};
/// Value of 0f3F800000, 0d3FF0000000000000 or 1.5, or nothing (malformed).
std::optional<floating_literal> floating_value(std::string_view text, bool minus);

}  // namespace ptxlab::ptx
