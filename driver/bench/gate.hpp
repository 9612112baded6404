// SPDX-License-Identifier: Apache-2.0
// From a kernel's declaration to what its machine code has to hold, and the judgement on it.
#pragma once

#include <map>
#include <string>

#include "analysis/facts/facts.hpp"
#include "analysis/timing/gate.hpp"
#include "analysis/toolchain/build.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// What the gate says of every measured kernel of a file, by symbol. A kernel about which nothing
/// can be said, for want of a disassembly, is left out.
std::map<std::string, timing::judgement> judge_all(const kernels::entry& declared,
                                                   const toolchain::build& b);

/// Of a kernel with nothing timed inside: whether the facts of what is launched are what its
/// declaration says they must be. Else the reason; empty where they are, or nothing is said. What
/// cannot be told is a reason.
std::string facts_against(const kernels::variant& v, const facts::report& seen);

}  // namespace ptxlab::bench
