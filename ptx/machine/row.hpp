// SPDX-License-Identifier: Apache-2.0
// The operation table: one row for each form of an instruction. It says what is legal, how it is
// decoded, and what the "supported PTX" page lists.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "ptx/machine/program.hpp"
#include "ptx/machine/spelling.hpp"

namespace ptxlab::machine {

class instruction_builder;

/// Operands of a plain operation, results before `<`, one letter each:
///   t, s, r  the type of the group of that name     w   twice as wide as t
///   u, i     u32, s32                               h   b16
///   l        u64                                    p   predicate
///   P        predicate, or two: p|q                 q   predicate, may be left out
///   b        bits of t's width, any type's register
struct row {
  std::string_view base;      ///< "fma"
  std::string_view pattern;   ///< spelling.hpp
  std::string_view operands;  ///< as above; of an operation with `build`, text for the documents
  /// A plain operation: lanes do not see each other. Gives what to run for a spelling.
  run_function (*select)(const choice&) = nullptr;
  std::uint32_t (*aux)(const choice&) = nullptr;  ///< step::aux of a plain operation
  /// Any other: writes the steps itself.
  void (*build)(instruction_builder&, const choice&) = nullptr;
  std::string_view note = {};  ///< for the documents: "approximate", "at once", ...
};

/// Type of the operand that a letter of row::operands stands for; pred for p, q and P. Throws
/// ptxlab::error for any other letter.
type operand_type(char letter, const choice& c);

/// All rows, in the order of the documents, with the fastest clone of each that this processor
/// runs.
const std::vector<row>& operation_table();

/// One of the table's parts, of the clone for any processor or of the one for AVX2 and FMA.
using rows = std::span<const row>;
#define PTXLAB_PARTS(part)                                                         \
  part(integer) part(product) part(video) part(logic) part(bits) part(floating)    \
      part(floating_selection) part(half) part(compare) part(select) part(convert) \
          part(convert_integer)
#define PTXLAB_DECLARE(name) rows name##_rows();
namespace baseline {
PTXLAB_PARTS(PTXLAB_DECLARE)
}
namespace avx2 {
PTXLAB_PARTS(PTXLAB_DECLARE)
}
#undef PTXLAB_DECLARE
rows move_rows();
rows memory_rows();
rows atomic_rows();
rows control_rows();
rows shuffle_rows();
rows warp_rows();
rows barrier_rows();
rows cluster_rows();
rows async_rows();
rows texture_rows();
rows texture_query_rows();
rows matrix_rows();
rows matrix_memory_rows();

}  // namespace ptxlab::machine
