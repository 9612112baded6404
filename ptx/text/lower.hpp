// SPDX-License-Identifier: Apache-2.0
// From a PTX function to flow::code: what each instruction reads, writes and touches.
#pragma once

#include <string>

#include "ptx/flow/data_flow.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

/// `op::where` is the instruction's index; a last operation without one (`nothing`) stands for the
/// end of the body where a branch goes there. The `.param` variables of calls are registers here,
/// so that a value is followed through a call's arguments and results.
flow::code lower(const module& m, const function& f);

/// The object an access of operation `op` points into, as far as single definitions tell:
/// "param+8" (the pointer parameter at that byte of the parameter space), a variable's name, or
/// "?".
std::string address_origin(const module& m, const function& f, const flow::code& c,
                           const flow::definitions& d, std::uint32_t op);

}  // namespace ptxlab::ptx
