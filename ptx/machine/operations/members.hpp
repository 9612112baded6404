// SPDX-License-Identifier: Apache-2.0
// Instructions with a member mask: .sync, of the lanes that the mask names.
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/operations/meeting.hpp"

namespace ptxlab::machine {

/// Whether all lanes that this step waits for are here; else it asks to wait. The member mask is in
/// slot e; throws fault for a lane that is not in its own.
inline bool all_here(const step& s, context& c) {
  const auto* const masks = c.at<std::uint32_t>(s.e);
  const auto first = static_cast<unsigned>(__builtin_ctz(c.mask));
  const lane_mask members = masks[first];
  each_active(c, [&](unsigned i) {
    if ((masks[i] >> i & 1) == 0)
      throw fault{fault::kind::undefined,
                  fmt::format("a lane takes part that is not in its member mask {:#x}", masks[i]),
                  i};
  });
  if (!lanes_here(c, members)) return false;
  grid& g = c.in->in().in();
  if (g.watched()) {
    const lanes who{c.in->in().index(), c.in->number(), c.mask};
    for (observer* const o : g.observers()) o->warp_synced(s.site, who);
  }
  return true;
}

/// Lanes of c.mask that name the same members as lane i.
inline lane_mask team(const step& s, const context& c, unsigned i) {
  return c.mask & c.at<std::uint32_t>(s.e)[i];
}

}  // namespace ptxlab::machine
