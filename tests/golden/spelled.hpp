// SPDX-License-Identifier: Apache-2.0
// The spellings of those rows of the machine's table whose cases are written by hand.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ptx/machine/spelling.hpp"

namespace ptxlab::golden {

/// Calls `f` for each spelling of each row of a base ("cp", "wmma") that decodes by build, with
/// what it chose. Spellings that ptxas refuses are left out.
void each_spelling(std::string_view base,
                   const std::function<void(const std::string&, const machine::choice&)>& f);

/// Bases for which each_spelling makes the cases: a spelling of one of them without a case is an
/// error of the generator.
bool is_spelled_out(std::string_view base);

}  // namespace ptxlab::golden
