// SPDX-License-Identifier: Apache-2.0
// Approximate functions under the model `bound`: the ideal result moved by an error that PTX
// allows, drawn from a seed, to see whether a kernel's answer survives it.
#pragma once

#include "ptx/machine/program.hpp"
#include "ptx/text/opcode.hpp"

namespace ptxlab::machine {

/// Makes the step of an approximate instruction one that looks at launch::approximate_seed; leaves
/// any other step as it is. Uses the fields aux and imm.
void let_approximate(step& s, const ptx::opcode& op);

}  // namespace ptxlab::machine
