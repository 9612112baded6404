// SPDX-License-Identifier: Apache-2.0
// From a module back to PTX text, from its parsed parts.
#pragma once

#include <string>

#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

/// PTX that ptxas assembles to the same code. Comments and blank space are not kept.
std::string print(const module& m);

/// One instruction without guard-independent decoration: "@!%p1 bra $L__BB0_2;"
std::string print(const module& m, const function& f, const instruction& i);

/// One operand as PTX writes it.
std::string print_operand(const module& m, const function& f, std::uint32_t operand);

}  // namespace ptxlab::ptx
