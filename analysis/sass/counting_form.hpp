// SPDX-License-Identifier: Apache-2.0
// Which instructions are plain moves, additions of a constant, comparisons and negated predicates:
// all that counting the iterations of a loop needs.
#pragma once

#include <span>

#include "analysis/sass/decode.hpp"

namespace ptxlab::sass {

/// Sets the shape, immediate and relation of `out.op`, whose reads and writes are known but for the
/// guard. `sources` are the operands behind the results, `all` every operand.
void find_form(const opcode& code, std::span<const operand> sources, std::span<const operand> all,
               decoded& out);

}  // namespace ptxlab::sass
