// SPDX-License-Identifier: Apache-2.0
// The blocks of a cluster, which are resident together, and their barrier: PTX ISA 9.0,
// barrier.cluster.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ptx/machine/context.hpp"
#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

class block;
class grid;
class warp;

/// arrival::barrier of lanes that wait for their cluster: the barriers of a block are 0 to 15.
inline constexpr std::uint32_t cluster_barrier = 16;

class cluster {
 public:
  cluster(grid& in, std::uint32_t number, std::uint32_t blocks);

  std::uint32_t number() const { return number_; }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(members_.size()); }
  /// The block of a rank; null for one that has ended.
  block* member(std::uint32_t rank) const { return members_[rank].is; }

  /// All blocks join before any lane runs. One that leaves has no live lanes.
  void join(block& b);
  void leave(const block& b);

  /// Lanes arrive; the last ones complete the barrier. Throws fault for lanes that have arrived
  /// before and did not wait since, which PTX leaves undefined.
  void arrive(warp& w, lane_mask who, bool releases, std::uint32_t site);
  /// Takes lanes for whose arrival the barrier has completed; returns the others, which wait.
  /// Throws fault for lanes that did not arrive.
  lane_mask pass(warp& w, lane_mask who, std::uint32_t site);
  /// Lanes of a warp ended: nobody waits for them any more.
  void lanes_ended(warp& w);
  /// "1 of 2 blocks: 32 of 64 threads have arrived, of block 3 none", for who never gets on.
  std::string arrivals() const;

 private:
  struct warp_state {
    lane_mask live = 0;
    lane_mask arrived = 0;  ///< in this phase
    lane_mask free = 0;     ///< whose phase is over, and who did not wait yet
  };
  struct block_state {
    block* is = nullptr;
    std::uint32_t index = 0;
    std::vector<warp_state> warps;
  };
  warp_state& state_of(const warp& w);
  void complete_if_all_arrived();
  void tell_passed(std::uint32_t site, const lanes& who, std::uint64_t phase) const;

  grid& in_;
  std::uint32_t number_;
  std::vector<block_state> members_;
  std::uint32_t live_ = 0, arrived_ = 0;  ///< threads
  std::uint64_t phase_ = 0;
};

}  // namespace ptxlab::machine
