// SPDX-License-Identifier: Apache-2.0
// From a kernel's declaration to what its machine code has to hold, and the judgement on it.
#pragma once

#include <map>
#include <string>

#include "analysis/timing/gate.hpp"
#include "analysis/toolchain/build.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// What the gate says of every measured kernel of a file, by symbol. A kernel about which nothing
/// can be said, for want of a disassembly, is left out.
std::map<std::string, timing::judgement> judge_all(const kernels::entry& declared,
                                                   const toolchain::build& b);

}  // namespace ptxlab::bench
