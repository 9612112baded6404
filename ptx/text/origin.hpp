// SPDX-License-Identifier: Apache-2.0
// Where the address of a memory access comes from, as far as registers can be followed.
#pragma once

#include <string>

#include "ptx/flow/data_flow.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

/// What operation `op` of `c` (lowered from `f`) accesses, spelt as for SASS (sass/origin.hpp):
///   "param+8"    through the pointer that is the parameter at byte 8 of the parameter space
///   "param+8+4"  ... 4 bytes behind it;  "param+8[]"  at an offset that is no constant
///   "count", "count+4", "count[]"  the variable of that name
///   "?"          anything else
/// A pointer that is stepped in a loop has no constant offset.
std::string address_origin(const module& m, const function& f, const flow::code& c,
                           const flow::definitions& d, std::uint32_t op);

}  // namespace ptxlab::ptx
