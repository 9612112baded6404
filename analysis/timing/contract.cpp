// SPDX-License-Identifier: Apache-2.0
#include "analysis/timing/contract.hpp"

#include <algorithm>

#include "analysis/verdict/glob.hpp"

namespace ptxlab::timing {

bool contract::counts(std::string_view opcode) const {
  return !opcodes.empty() && verdict::glob_match(opcodes.front(), opcode);
}

bool contract::names(std::string_view opcode) const {
  return std::any_of(opcodes.begin(), opcodes.end(),
                     [&](const std::string& g) { return verdict::glob_match(g, opcode); });
}

}  // namespace ptxlab::timing
