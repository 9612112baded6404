// SPDX-License-Identifier: Apache-2.0
// Limits on the registers of a kernel that somebody set: -maxrregcount and launch bounds.
#pragma once

#include <optional>
#include <string>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {

struct register_cap {
  int registers;   ///< per thread
  std::string by;  ///< "-maxrregcount=32", "__launch_bounds__(1024, 2)"
};

/// The last -maxrregcount of the flags, in any of its spellings.
std::optional<register_cap> cap_of_flags(const subject& s);

/// What the kernel's own directives leave: .maxnreg, or .maxntid / .reqntid with .minnctapersm, of
/// the 65536 registers that every multiprocessor since compute capability 5.0 has, in units of 8
/// (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability"). At most 255.
std::optional<register_cap> cap_of_bounds(const subject& s);

}  // namespace ptxlab::facts
