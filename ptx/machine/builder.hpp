// SPDX-License-Identifier: Apache-2.0
// Makes the steps of one instruction: gives operands a place, converts between widths where PTX
// allows registers wider than the instruction's type, and refuses what does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ptx/machine/program_builder.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/type.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::machine {

/// Why an instruction cannot be decoded; caught by decode, which goes on with the next.
struct not_supported {
  std::string reason;
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
