// SPDX-License-Identifier: Apache-2.0
// SASS functions as flow::code, and what can be said of an address in one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/sass/module.hpp"
#include "ptx/flow/code.hpp"

namespace ptxlab::sass {

/// Lowers function `f` of `m`; operation n is instruction n. Indirect branches without a jump table
/// get no target ("cannot tell"). A call falls through; what it may write is found in the callee
/// where that is known, else it is everything the ABI lets a callee change.
flow::code lower(const module& m, const function& f);

/// Functions called directly from `f`, as sorted indices into module::functions.
std::vector<std::uint32_t> callees(const module& m, const function& f);
/// Whether `f` calls through a register, or a function that is not in the module.
bool calls_unknown(const module& m, const function& f);

}  // namespace ptxlab::sass
