// SPDX-License-Identifier: Apache-2.0
// Places for the registers of a function: PTX has as many as its compiler likes, and few live at a
// time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/machine/program.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::machine {

struct register_places {
  std::vector<slot> at;     ///< by register number; no_slot for one that no instruction names
  std::uint32_t slots = 0;  ///< used in all
  /// Registers that some path reads before it writes them.
  std::vector<std::uint32_t> unset;
};

/// Gives each register a place in the window such that registers whose lives overlap do not share
/// one. Lanes are independent: each follows one path, so liveness along paths is enough. (Linear
/// scan over whole intervals: Poletto and Sarkar 1999, without spilling.)
register_places place_registers(const ptx::module& m, const ptx::function& f);

}  // namespace ptxlab::machine
