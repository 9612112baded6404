// SPDX-License-Identifier: Apache-2.0
// Small steps that the decoder adds beside those of an instruction.
#pragma once

#include "ptx/machine/program.hpp"

namespace ptxlab::machine {

/// Copies a into d between registers of 16, 32 and 64 bits: cut off, or extended from its `from`
/// bits, with its sign or zeros. `from` may be 8: the lower byte of a 16-bit register counts.
run_function extension(unsigned from, unsigned to, bool with_sign);
/// d = !a, of predicates.
run_function predicate_negation();
/// d = the activation's local memory + imm, in registers of 32 or 64 bits.
run_function local_address(unsigned bits);
/// What `ret` runs, for a body that ends without one.
run_function return_step();

}  // namespace ptxlab::machine
