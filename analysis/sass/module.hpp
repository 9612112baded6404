// SPDX-License-Identifier: Apache-2.0
// A disassembled cubin: its functions and their instructions, with opcodes and positions interned.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "analysis/sass/opcode.hpp"

namespace ptxlab::sass {

inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

/// The guard of an instruction: `@P0`, `@!UP1`; always true where there is none.
struct predicate {
  std::uint8_t index = 7;  ///< 7 is PT
  bool uniform = false;
  bool negated = false;

  bool always() const { return index == 7 && !negated; }
};

/// A line of a source file; `inlined_at` is the position of the call it was inlined for.
struct position {
  std::uint32_t file = none;  ///< index into module::files
  std::uint32_t line = 0;
  std::uint32_t inlined_at = none;  ///< index into module::positions
  bool operator==(const position&) const = default;
};

/// One instruction. Texts are held by the module.
struct instruction {
  std::uint32_t address = 0;      ///< byte offset in its section, as nvdisasm prints it
  std::uint32_t opcode = 0;       ///< index into module::opcodes
  std::uint32_t operands_at = 0;  ///< in the module's text
  std::uint32_t operands_size = 0;
  std::uint32_t target = none;    ///< of a branch, within its own function
  std::uint32_t where = none;     ///< index into module::positions
  std::uint32_t ptx_line = none;  ///< line of the PTX it was assembled from, starting at 1
  predicate guard;
};

/// One function: a kernel, a device function, or a subroutine that the assembler added to a
/// kernel's section (`$kernel$function`, `$__internal_0_$__cuda_...`).
struct function {
  std::string name;
  std::uint32_t start = 0;  ///< byte offset of its first instruction in its section
  std::uint32_t section =
      none;                   ///< index of the function that owns the section; its own if it does
  std::optional<bool> entry;  ///< whether a kernel; the JSON format does not tell
  /// Byte offset in constant bank 0 at which its parameters start; told by the cubin only.
  std::optional<std::uint32_t> param_base;
  std::vector<instruction> instructions;
  /// Targets of indirect branches, (instruction, target), sorted; only the text format tells.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> jump_tables;
};

/// A disassembled cubin. Not copyable: opcodes point into themselves.
class module {
 public:
  module() = default;
  module(module&&) = default;
  module& operator=(module&&) = default;

  std::string arch;      ///< "sm_90"
  std::string producer;  ///< what nvdisasm says of itself; empty in the text format
  std::string schema;    ///< "13.2.0"; empty in the text format
  /// Why nothing in this dump should be believed; empty where it may be.
  std::string doubt;
  std::vector<function> functions;
  std::deque<opcode> opcodes;
  std::vector<std::string> files;
  std::vector<position> positions;
  /// Byte offset in constant bank 4 -> the symbol whose address stands there; told by the cubin
  /// only.
  std::map<std::uint32_t, std::string> addresses;

  bool trustworthy() const { return doubt.empty(); }
  const opcode& code_of(const instruction& i) const { return opcodes[i.opcode]; }
  /// Operands separated by commas without blanks: "R0,desc[UR4][R2.64+0x8]".
  std::string_view operands(const instruction& i) const {
    return std::string_view(text_).substr(i.operands_at, i.operands_size);
  }
  /// Index of the function of that name (the first, should there be several), or none.
  std::uint32_t find(std::string_view name) const;
  /// How many instructions of a function have an opcode that no table knows.
  std::uint32_t unknown_instructions(const function& f) const;

  std::uint32_t intern_opcode(std::string_view text);
  std::uint32_t intern_file(std::string_view name);
  std::uint32_t intern_position(const position& p);
  /// Stores operands of either format in the form that `operands` promises.
  void set_operands(instruction& i, std::string_view raw);
  /// Fills in branch targets, section owners, and `doubt` where the sizes do not add up. Readers
  /// call it last.
  void finish();

 private:
  std::string text_;
  std::unordered_map<std::string_view, std::uint32_t> opcode_ids_;
  std::unordered_map<std::string, std::uint32_t> file_ids_, function_ids_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> position_ids_;
};

}  // namespace ptxlab::sass
