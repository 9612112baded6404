// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/race_copies.hpp"

namespace ptxlab::machine {

void copy_groups::block_ends(std::uint32_t block) {
  if (of_warp_.empty()) return;
  for (std::uint32_t warp = 0; warp < warp_lanes; ++warp) of_warp_.erase(key(block, warp));
}

void copy_groups::commit(const lanes& who, stamp when) {
  std::vector<group>& list = of_warp_[key(who.block, who.warp)];
  if (list.size() == kept)
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(kept / 2));
  list.push_back({when, who.mask});
}

stamp copy_groups::before_last(std::uint32_t block, std::uint32_t warp, std::uint32_t lane,
                               std::uint32_t left) const {
  const auto it = of_warp_.find(key(block, warp));
  if (it == of_warp_.end()) return 0;
  for (std::size_t i = it->second.size(); i-- > 0;) {
    const group& g = it->second[i];
    if ((g.lanes >> lane & 1) != 0 && left-- == 0) return g.when;
  }
  return 0;
}

}  // namespace ptxlab::machine
