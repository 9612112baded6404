// SPDX-License-Identifier: Apache-2.0
// From a PTX function to flow::code: what each instruction reads, writes and touches.
#pragma once

#include "ptx/flow/code.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

/// `op::where` is the instruction's index; a last operation without one (`nothing`) stands for the
/// end of the body where a branch goes there. The `.param` variables of calls are registers here,
/// so that a value is followed through a call's arguments and results.
flow::code lower(const module& m, const function& f);

}  // namespace ptxlab::ptx
