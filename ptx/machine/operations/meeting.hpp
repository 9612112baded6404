// SPDX-License-Identifier: Apache-2.0
// Lanes of a warp that have to execute an instruction together.
#pragma once

#include <fmt/format.h>

#include <bit>

#include "ptx/machine/context.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {

/// Whether all live lanes of `members` execute this step; else it asks to wait, must end, and runs
/// again with all of them in the mask.
inline bool lanes_here(context& c, lane_mask members) {
  if (c.met || (members & c.in->live() & ~c.mask) == 0) return true;
  c.asks = request::wait_lanes;
  c.members = members;
  return false;
}

/// As lanes_here for instructions that are .aligned and need every lane of the warp: PTX leaves
/// undefined what they do when one has ended, or never was. Throws fault then.
inline bool warp_here(const step& s, context& c) {
  if (!lanes_here(c, all_lanes)) return false;
  if (c.mask == all_lanes) return true;
  throw fault{fault::kind::undefined,
              fmt::format("{} needs all {} lanes of the warp, and there are {}",
                          c.in->code().sites[s.site].opcode, warp_lanes, std::popcount(c.mask)),
              static_cast<unsigned>(std::countr_zero(c.mask))};
}

}  // namespace ptxlab::machine
