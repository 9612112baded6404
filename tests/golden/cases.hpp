// SPDX-License-Identifier: Apache-2.0
// The golden cases: every spelling of every plain operation of the machine's table, and families
// written by hand for the operations that see more than one lane or touch memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/golden/operands.hpp"
#include "tests/golden/texels.hpp"

namespace ptxlab::golden {

/// Parts of the cases, each recorded on its own, in an archive of its own.
enum class part : std::uint8_t { instructions, textures, matrices, copies };
inline constexpr part parts[] = {part::instructions, part::textures, part::matrices, part::copies};
/// "textures"
std::string_view name(part p);
/// Nothing for what is no part.
std::optional<part> part_named(std::string_view name);

/// A kernel of one block. Thread i has tuple i of the operands in registers %i0, %i1, ...; it
/// leaves its results in %o0, %o1, ... Its code may use %p %q %r (pred), %h0 to %h7 (b16), %t0 to
/// %t15 (b32) and %l0 to %l7 (b64); at its start %t0 is the thread, %out the address of its first
/// result and, of a case with a texture, %tex its handle.
struct golden_case {
  std::string name;  ///< without blanks: "mad.lo.cc.u32"
  std::vector<operand> in;
  /// Bits of each result: 1 (a predicate), 16, 32, 64; 0: a word of memory that the code writes
  /// itself, result k of the thread at [%out + 8192 * k].
  std::vector<unsigned> out;
  std::string code;
  bool plain = false;        ///< a spelling of a plain row of the table
  bool approximate = false;  ///< may differ from the machine inside of the ISA's bound
  part of = part::instructions;
  std::optional<textured> texture = {};
  /// What the machine does not have: it is measured to be looked at, and is not in an archive.
  bool only_measured = false;
};

/// All cases, sorted by part and name. Throws ptxlab::error for a row whose letters the generator
/// does not know.
const std::vector<golden_case>& cases();

/// The cases written by hand. Each adds to `to`.
void add_lane_families(std::vector<golden_case>& to);
void add_memory_families(std::vector<golden_case>& to);
void add_atomic_families(std::vector<golden_case>& to);
void add_register_families(std::vector<golden_case>& to);
void add_texture_families(std::vector<golden_case>& to);
void add_matrix_families(std::vector<golden_case>& to);
void add_fragment_families(std::vector<golden_case>& to);
void add_async_families(std::vector<golden_case>& to);

/// Cases of one PTX module, all of one part: few enough that one bad module does not lose much.
inline constexpr std::size_t module_cases = 128;
std::size_t module_count();
part module_part(std::size_t number);
/// Bytes of `scratch`, a variable in the global memory of the modules of matrices and copies.
inline constexpr std::size_t scratch_bytes = 49152;
/// Indices [first, last) into cases() of a module.
struct case_range {
  std::size_t first = 0, last = 0;
};
case_range module_range(std::size_t number);
/// Kernel of a case: "k17". Its parameters are two addresses, of the operands and of the results,
/// and the handle of the texture if there is one.
std::string kernel_name(std::size_t index);
std::string kernel_text(const golden_case& c, std::string_view name);
/// PTX of a module, without the kernels of the indices in `leave_out`.
std::string module_text(std::size_t number, const std::vector<std::size_t>& leave_out = {});

}  // namespace ptxlab::golden
