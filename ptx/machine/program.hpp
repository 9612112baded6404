// SPDX-License-Identifier: Apache-2.0
// A kernel with all functions it may call, decoded into steps over 32-lane registers. What the
// machine runs; made by decode.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

struct step;
struct context;
using run_function = void (*)(const step&, context&);

/// Where 32 lanes of a value lie: a multiple of 64 bytes, in one of three places. A register has
/// one element per lane, 2, 4 or 8 bytes wide by its type; a predicate is one lane_mask.
using slot = std::uint32_t;
inline constexpr slot slot_bytes = 64;
enum class bank : std::uint32_t {
  window,     ///< registers of the function's activation
  constants,  ///< immediates, the same for all warps
  warp        ///< special registers of the warp
};
inline constexpr slot no_slot = 0x3fffffff;
constexpr slot slot_in(bank b, std::uint32_t index) {
  return static_cast<std::uint32_t>(b) << 30 | index;
}

/// One operation. What the fields mean beyond their names is said where `run` is defined.
struct step {
  run_function run = nullptr;
  slot d = no_slot, a = no_slot, b = no_slot, c = no_slot, e = no_slot;
  slot guard = no_slot;
  std::uint32_t site = 0;  ///< index into program::sites
  std::uint32_t aux = 0;
  std::int64_t imm = 0;
  bool guard_negated = false;
  bool publishes = false;  ///< a strong write outside of shared memory
  bool counts = true;      ///< the last step of its instruction: it is what is counted
};

/// What the steps of memory instructions have in common; step::aux is the place in program::forms.
struct access_form {
  flow::kind what = flow::kind::load;
  flow::space space = flow::space::global;
  flow::order ordering = flow::order::weak;
  flow::scope reach = flow::scope::none;
  std::uint32_t bytes = 4;     ///< of one element in memory
  std::uint32_t elements = 1;  ///< of a vector
  std::uint32_t align = 4;     ///< what an address must be a multiple of
  std::uint32_t list = 0;      ///< in program::lists: the registers of a vector of elements
  /// Where the address comes from: step::a, 4 or 8 bytes wide, plus step::imm; or step::imm alone.
  enum class base : std::uint8_t { none, in_register, local } from = base::none;
  std::uint32_t address_bytes = 8;
  bool of_cluster = false;  ///< .shared::cluster: the shared memory of any block of the cluster
};

/// What a kernel's header says of clusters (PTX ISA 9.0, "Cluster Dimension Directives").
struct cluster_directives {
  std::uint32_t extent[3] = {0, 0, 0};  ///< .reqnctapercluster, in blocks; 0: not said
  bool explicit_only = false;           ///< .explicitcluster: not without a size
  std::uint32_t most_blocks = 0;        ///< .maxclusterrank; 0: not said
};

/// A `.param` variable of a function or of a call: a range of the activation's parameter bytes.
struct parameter_range {
  std::uint32_t offset = 0, bytes = 0;
};

struct routine {
  std::string name;
  std::uint32_t first_step = 0;
  std::uint32_t slots = 0;        ///< of a window: registers, parameter bytes, temporaries
  std::uint32_t param_at = 0;     ///< the slot at which the parameter bytes begin
  std::uint32_t local_bytes = 0;  ///< of each lane: .local variables
  std::uint32_t param_bytes = 0;  ///< of each lane: formal parameters, then .param variables
  std::vector<parameter_range> formals, results;
};

/// A call's actual parameters, as ranges of the caller's parameter bytes, and its target.
struct call_site {
  std::uint32_t routine = 0xffffffff;  ///< of a direct call
  std::uint32_t builtin = 0xffffffff;  ///< of a call into the machine: vprintf, malloc, ...
  std::vector<parameter_range> actuals, results;
};

/// The targets of a brx.idx, as steps; and the table that a mov of a function's address refers to.
struct branch_table {
  std::vector<std::uint32_t> steps;
};

/// step::aux of a warp barrier: lanes that wait for each other may be at different ones.
inline constexpr std::uint32_t meets_anywhere_mark = 0xffffffff;

/// A vector of registers, for ld and st of .v2, .v4, .v8, and mov of a vector.
struct slot_list {
  std::vector<slot> slots;
};

/// A variable in shared memory.
struct shared_variable {
  std::string name;
  std::uint32_t offset = 0, bytes = 0;
};

struct program {
  std::string name;  ///< of the kernel
  std::vector<step> steps;
  std::vector<site> sites;
  std::vector<routine> routines;  ///< the kernel first
  std::vector<call_site> calls;
  std::vector<branch_table> tables;
  std::vector<slot_list> lists;
  std::vector<std::byte> constants;  ///< bank::constants
  /// Of a branch, step::aux: the step at which the lanes that part come together again, or this.
  static constexpr std::uint32_t at_return = 0xffffffff;
  std::vector<access_form> forms;
  std::vector<shared_variable> shared;
  std::uint32_t shared_bytes = 0;  ///< static shared memory; the dynamic part lies behind it
  std::uint32_t warp_slots = 0;    ///< of bank::warp
  std::vector<std::pair<std::string, slot>> specials;  ///< special registers in bank::warp
  struct parameter {
    std::string name;
    std::uint32_t offset = 0, bytes = 0;
  };
  std::vector<parameter> parameters;  ///< of the kernel
  std::uint32_t parameter_bytes = 0;
  bool exact_threads = false;     ///< .reqntid: just so many, not at most
  std::uint32_t max_threads = 0;  ///< .maxntid or .reqntid; 0: not said
  cluster_directives clusters;
  std::vector<std::pair<std::uint64_t, std::uint32_t>>
      addresses;  ///< of functions: address, routine
  /// The routine whose address this is; 0xffffffff for none.
  std::uint32_t routine_at(std::uint64_t at) const {
    for (const auto& [a, r] : addresses)
      if (a == at) return r;
    return 0xffffffff;
  }
  bool recursive = false;  ///< the call graph has a circle, or a call through a pointer
  /// Communicates between blocks: has an atomic, fence or strong access of memory other than
  /// shared.
  bool communicates = false;
  bool calls_machine = false;  ///< prints, allocates: the order of its blocks is seen
};

}  // namespace ptxlab::machine
