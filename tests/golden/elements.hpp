// SPDX-License-Identifier: Apache-2.0
// Elements of matrices as golden operands: each warp has numbers of another kind, so that what one
// kind shows (rounding, cancellation, overflow, subnormal numbers) is not hidden by another.
#pragma once

#include "tests/golden/numbers.hpp"
#include "tests/golden/operands.hpp"

namespace ptxlab::golden {

/// 64 bits full of elements of the operand's type, for thread i.
std::uint64_t element_word(const operand& o, unsigned i, generator& g);

}  // namespace ptxlab::golden
