// SPDX-License-Identifier: Apache-2.0
// What is known of a program and of its functions while they are decoded: where constants and
// variables lie, and which functions become routines.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/registers.hpp"
#include "ptx/text/module.hpp"
#include "ptx/text/variable.hpp"

namespace ptxlab::machine {

/// What is known of a whole program while it is decoded.
struct program_builder {
  /// `text` and `globals` must outlive it.
  program_builder(const ptx::module& text, const symbol_address& globals);

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
  /// By routine: shared variables declared in its body.
  std::vector<std::map<std::string_view, std::uint32_t>> shared_of;

  /// A vector whose lanes all hold `bits` in `bytes` bytes; 4 bytes for a predicate.
  slot constant(unsigned bytes, std::uint64_t bits);
  /// A special register that does not change while a warp lives; `bytes` 4 or 8.
  slot special(std::string_view name, unsigned bytes);
  /// Offset of a shared variable of the module, placed when it is first named.
  std::uint32_t shared_offset(std::string_view name);
  /// Number of the routine, added when it is first named; 0xffffffff if it has no body.
  std::uint32_t routine(std::string_view name);
  /// Adds the functions that a call through a pointer may reach because a variable holds their
  /// address.
  void add_functions_with_addresses();
  /// Static variables first, so that dynamic shared memory lies behind all of them: those of every
  /// function that may be called from here, which become routines.
  void place_shared_variables();
  /// Marks the program as recursive if the calls of its decoded routines go in a circle.
  void find_recursion();
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

  /// Places what the body declares: local variables in `r`, and .param variables.
  void declare(const program_builder& p, machine::routine& r);
  /// Where a formal or a .param variable lies in the activation's parameter bytes.
  parameter_range add_parameter(std::string_view name, std::uint32_t bytes);
};

}  // namespace ptxlab::machine
