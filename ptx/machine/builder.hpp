// SPDX-License-Identifier: Apache-2.0
// Makes the steps of one instruction: gives operands a place, converts between widths where PTX
// allows registers wider than the instruction's type, and refuses what does not fit.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/registers.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/type.hpp"
#include "ptx/text/module.hpp"
#include "ptx/text/variable.hpp"

namespace ptxlab::machine {

/// Why an instruction cannot be decoded; caught by decode, which goes on with the next.
struct not_supported {
  std::string reason;
};

/// What is known of a whole program while it is decoded.
struct program_builder {
  program_builder(const ptx::module& text, const symbol_address& globals)
      : m(text), address_of(globals) {}

  const ptx::module& m;
  const symbol_address& address_of;
  program out;
  std::unordered_map<std::string_view, std::uint32_t> routine_of;  ///< by function name
  std::vector<const ptx::function*> routines;                      ///< parallel to out.routines
  std::map<std::pair<unsigned, std::uint64_t>, slot> constants;    ///< by bytes of an element, bits
  std::map<std::string, slot, std::less<>> specials;
  std::map<std::string_view, ptx::variable> shared_variables;  ///< of the module
  std::map<std::string_view, std::uint32_t> shared_at;
  std::map<std::string_view, std::uint32_t> function_number;  ///< place in the module

  /// A vector whose lanes all hold `bits` in `bytes` bytes; 4 bytes for a predicate.
  slot constant(unsigned bytes, std::uint64_t bits);
  /// A special register that does not change while a warp lives; `bytes` 4 or 8.
  slot special(std::string_view name, unsigned bytes);
  /// Offset of a shared variable of the module, placed when it is first named.
  std::uint32_t shared_offset(std::string_view name);
  /// Number of the routine, added when it is first named; 0xffffffff if it has no body.
  std::uint32_t routine(std::string_view name);
};

/// What is known of the function that an instruction stands in.
struct function_builder {
  const ptx::function* f = nullptr;
  std::uint32_t number = 0;  ///< in program::routines
  register_places places;
  std::map<std::string_view, ptx::variable> shared, local;  ///< declared in the body
  std::map<std::string_view, std::uint32_t> shared_at, local_at;
  std::map<std::string_view, parameter_range> params;  ///< formals and .param variables
  bool entry = false;
  slot param_slot = 0;  ///< where the activation's parameter bytes lie in the window
  std::uint32_t param_bytes = 0;
  std::uint32_t temporaries = 0;  ///< slots behind the registers
  std::uint32_t most_temporaries = 0;
  std::map<std::string_view, std::uint32_t> tables;  ///< .branchtargets, in program::tables
};

/// The address operand of a memory instruction.
struct address_operand {
  enum class base : std::uint8_t {
    none,  ///< an absolute address
    in_register,
    shared,     ///< offset in the block's shared memory
    local,      ///< offset in the activation's local variables
    parameter,  ///< offset in the activation's parameter bytes
    kernel_parameter
  };
  base from = base::none;
  slot at = no_slot;   ///< of a register
  unsigned bytes = 8;  ///< of the register: 4 or 8
  std::int64_t offset = 0;
};

class instruction_builder {
 public:
  instruction_builder(program_builder& p, function_builder& f, const ptx::instruction& in,
                      std::uint32_t site);

  // --- operands ---------------------------------------------------------------------------------
  std::size_t count() const { return operands_.size(); }
  const ptx::operand& operand(std::size_t i) const;
  std::string_view text(const ptx::operand& o) const { return p_.m.text(o); }
  std::string_view opcode() const { return p_.m.op(in_).text; }
  /// Direct children of operand i: of a vector, a pair, a group, an address.
  std::vector<std::uint32_t> children(std::size_t i) const;
  const ptx::operand& at(std::uint32_t index) const { return f_.f->operands[index]; }

  /// How a register's width may differ from the type: `wider` allows the register to be wider.
  enum class fit : std::uint8_t { exact, wider };
  /// Where the value of an operand lies, as `t`; 8-bit types lie in 16 bits.
  slot source(std::size_t i, type t, fit f = fit::exact) { return source(operand(i), t, f); }
  slot source(const ptx::operand& o, type t, fit f = fit::exact);
  /// Where a result goes; `_` gives a place that nobody reads. A register that is wider gets the
  /// value extended by its sign, or with zeros, when the instruction is finished.
  slot result(std::size_t i, type t, fit f = fit::exact) { return result(operand(i), t, f); }
  slot result(const ptx::operand& o, type t, fit f = fit::exact);
  address_operand address(std::size_t i);
  bool is_sink(std::size_t i) const { return operand(i).kind == ptx::operand_kind::sink; }
  std::optional<std::int64_t> integer(std::size_t i) const;
  /// Bits of the register that an operand names; 0 for anything else.
  unsigned register_bits(const ptx::operand& o) const;
  bool in_kernel() const { return f_.entry; }

  // --- steps ------------------------------------------------------------------------------------
  /// Adds a step under the instruction's guard.
  step& add(run_function run);
  slot temporary(unsigned element_bytes);
  std::uint32_t list(std::vector<slot> slots);
  /// Adds what `result` left to do and marks the last step as the one that counts.
  void finish();

  program_builder& whole() { return p_; }
  function_builder& function() { return f_; }
  const ptx::instruction& instruction() const { return in_; }
  /// Decodes a plain operation by its row's letters.
  void plain(const row& r, const choice& c);
  [[noreturn]] static void fail(std::string reason) { throw not_supported{std::move(reason)}; }

 private:
  struct late_extension {
    slot from, to;
    type t;
    unsigned to_bits;
  };
  slot symbol(const ptx::operand& o, type t);
  slot special(const ptx::operand& o, type t, fit f);
  slot literal(const ptx::operand& o, type t);
  slot narrowed(slot from, unsigned from_bits, unsigned to_bits);
  std::optional<std::uint64_t> symbol_value(std::string_view name, std::int64_t offset,
                                            bool& is_local);

  program_builder& p_;
  function_builder& f_;
  const ptx::instruction& in_;
  std::uint32_t site_;
  std::size_t first_step_;
  std::vector<std::uint32_t> operands_;
  std::vector<late_extension> late_;
};

}  // namespace ptxlab::machine
