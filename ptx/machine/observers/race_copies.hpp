// SPDX-License-Identifier: Apache-2.0
// The groups of asynchronous copies (cp.async) that lanes committed, to tell which copies a wait
// for all but the last few groups is for.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ptx/machine/observers/race_clock.hpp"

namespace ptxlab::machine {

/// Groups of the lanes of a launch, in the order of their commits (PTX ISA,
/// "cp.async.commit_group"). Of a warp the last 2048 are kept at least.
class copy_groups {
 public:
  void clear() { of_warp_.clear(); }
  void block_ends(std::uint32_t block);
  void commit(const lanes& who, stamp when);
  /// When the lane committed the group before its last `left` ones: copies that it began until then
  /// are over. 0: there is none.
  stamp before_last(std::uint32_t block, std::uint32_t warp, std::uint32_t lane,
                    std::uint32_t left) const;

 private:
  static constexpr std::size_t kept = 4096;
  struct group {
    stamp when = 0;
    lane_mask lanes = 0;
  };
  static std::uint64_t key(std::uint32_t block, std::uint32_t warp) {
    return std::uint64_t{block} * warp_lanes + warp;
  }

  std::unordered_map<std::uint64_t, std::vector<group>> of_warp_;
};

}  // namespace ptxlab::machine
