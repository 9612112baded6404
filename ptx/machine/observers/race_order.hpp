// SPDX-License-Identifier: Apache-2.0
// The causality order of a launch's threads: who knows what after barriers, warp synchronisation,
// fences and strong accesses (PTX ISA, "Memory Consistency Model").
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "ptx/machine/observers/race_clock.hpp"
#include "ptx/machine/observers/race_copies.hpp"
#include "ptx/machine/observers/race_sequence.hpp"
#include "ptx/machine/observers/race_shadow.hpp"

namespace ptxlab::machine {

/// What a thread knew, and had done itself, when it executed a fence.
struct fence_point {
  race_clock known;
  stamp when = 0;    ///< 0: no fence yet
  stamp copies = 0;  ///< own copies up to here were over
};

/// Lanes of one warp that know the same.
struct lane_group {
  lane_mask mask = 0;
  race_clock known;
  /// Of the asynchronous copies that these lanes began themselves: when the last one was begun, up
  /// to when they waited for them, and when they did so.
  stamp last_copy = 0, copies_over = 0, waited = 0;
  /// The last fence that a later strong write makes a release pattern: of any scope, and of scope
  /// gpu or sys.
  fence_point any_fence, wide_fence;
  /// What was released by writes that these lanes observed with relaxed reads, and that a later
  /// fence acquires: of other threads in any block, and of those of the own block.
  observed_parts pending_wide;
  race_clock pending_block;
  /// What lies before fence.sc of scope gpu or sys that lie before these lanes; and what lies
  /// before such fences that lie before writes that were observed: a later fence.sc learns it.
  race_clock before_sc;
  observed_parts pending_sc;
  learned_part learned, learned_sc;  ///< to learn nothing twice

  bool knows_same(const lane_group& o) const;
  /// Up to when these lanes' own copies are over; 0: there are none to speak of.
  stamp own_copies(stamp now) const {
    return last_copy != 0 && copies_over >= last_copy ? now : copies_over;
  }
  /// Where `known` tells of them, and none is under way: groups become alike again.
  void forget_copies() {
    if (copies_over >= last_copy) last_copy = copies_over = 0;
  }
};

/// One strong access of lanes that share an address.
struct strong_access {
  lanes who;
  access_strength how;
  std::uint64_t place = 0;  ///< see thread_order::place
  bool shared_space = false;
  stamp when = 0;
  bool by_copies = false;  ///< an arrival by all copies that the lanes began
};

class thread_order {
 public:
  /// Forgets everything; `warps` warps of `threads` threads make a block.
  void reset(std::uint32_t warps, std::uint32_t threads, const launch_info& launch = {});
  void block_ends(std::uint32_t block);

  /// Names a byte of global memory, or of a block's shared memory.
  static std::uint64_t place(flow::space s, std::uint32_t block, address at);

  /// The groups of a warp; every lane of the block is in one.
  std::vector<lane_group>& groups(std::uint32_t block, std::uint32_t warp);

  /// `o`: acquire, release, sc, or else taken for acq_rel.
  void fence(const lanes& who, flow::order o, flow::scope s, stamp when);
  void barrier(std::span<const lanes> arrived, std::span<const lanes> arrived_only, stamp when);
  /// The barrier of a cluster: an arrival by these lanes, and that they are past it.
  void cluster_arrived(const cluster_step& s, stamp when);
  void cluster_passed(const cluster_step& s);
  /// Lanes access something, maybe between an arrival and the wait.
  void acts(const lanes& who) {
    if (!phases_.empty()) note_act(who);
  }
  /// Names the barrier of a cluster among places; those of one phase and the next differ.
  static std::uint64_t place_of(std::uint32_t cluster, std::uint64_t phase) {
    return std::uint64_t{3} << 62 | std::uint64_t{cluster} << 1 | phase % 2;
  }
  /// False where every cluster is one block.
  bool same_cluster(std::uint32_t a, std::uint32_t b) const {
    return clusters_ && launch_.cluster_of(a) == launch_.cluster_of(b);
  }
  void warp_sync(const lanes& who, stamp when);
  void strong(const strong_access& a);
  void copies_began(const lanes& who, stamp when);
  void copies_committed(const lanes& who, stamp when) { copies_.commit(who, when); }
  /// `left`: as observer::copies_awaited says.
  void copies_awaited(const lanes& who, std::uint32_t left, stamp when);
  /// The group of a lane, if its block runs.
  const lane_group* find(std::uint32_t block, std::uint32_t warp, std::uint32_t lane) const;
  /// A weak write ends what was released at a place.
  void overwritten(std::uint64_t place) { places_.erase(place); }

 private:
  /// What the last write of a place, and the atomics that continue its release sequence, released.
  struct released_place {
    std::uint32_t block = 0;                      // of the last write
    access_strength how;                          // ... its scope
    std::shared_ptr<release_sequence> to_all;     // null: nothing
    std::shared_ptr<release_sequence> before_sc;  // what lies before a fence.sc before the write
    std::vector<std::pair<std::uint32_t, race_clock>> to_block;  // sorted
    // The last release operation: a later relaxed write by the same thread releases it again.
    party releaser = 0;
    race_clock released_to_all, released_to_block;

    void begin();  // a new release sequence
    race_clock* for_block(std::uint32_t b);
    void add_for_block(std::uint32_t b, const race_clock& c);
  };
  /// What the arrivals of one phase of a cluster's barrier released.
  struct cluster_phase {
    std::uint64_t number = ~std::uint64_t{0};
    race_clock known, before_sc;
    observed_parts pending_sc;
    std::vector<lane_mask> arrived;  // and released: of each warp of each block of the cluster
    stamp last = 0;                  // of these arrivals
    bool complete = false;
    bool busy = false;  // some of them did something before it was
  };
  using block_state = std::vector<std::vector<lane_group>>;

  void note_act(const lanes& who);
  /// All have arrived: whole blocks are known as such, as far as that is true.
  void complete(cluster_phase& p, std::uint32_t cluster) const;
  /// Of a warp, in cluster_phase::arrived.
  std::size_t in_cluster(const lanes& who) const {
    return launch_.turn_of(who.block) % launch_.cluster_blocks() * warps_ + who.warp;
  }
  lane_mask existing(std::uint32_t warp) const;
  /// The coarsest name of these lanes; raising the clock for a part of a warp takes several.
  void raise(race_clock& c, crew block, std::uint32_t warp, lane_mask mask, stamp when) const;
  /// What these lanes, all of the group, did themselves: until `when`, and copies until `copies`.
  void raise_own(race_clock& c, const lanes& who, stamp when, stamp copies) const;
  party self(crew block, std::uint32_t warp, std::uint32_t lane) const;
  /// The groups that met at a barrier raise what all know of their copies.
  void raise_copies(race_clock& all, std::span<const lanes> met, bool whole, stamp when);
  /// Calls change(group) for groups that hold just lanes of the mask, splitting some for it.
  template <typename Change>
  void update(const lanes& who, Change change);
  static void unite(std::vector<lane_group>& groups);

  void acquire(const strong_access& a, released_place& p);
  void release(const strong_access& a, std::uint32_t lane);
  /// There may be something that a relaxed write by these lanes releases.
  bool fenced_before(const lanes& who);

  std::uint32_t warps_ = 1, threads_ = 1;
  launch_info launch_;
  bool clusters_ = false;                                    // of several blocks
  std::unordered_map<std::uint64_t, cluster_phase> phases_;  // by place_of
  std::unordered_map<std::uint32_t, block_state> blocks_;
  std::uint32_t last_block_ = 0;  // the block last asked for
  block_state* last_state_ = nullptr;
  std::unordered_map<std::uint64_t, released_place> places_;
  copy_groups copies_;
};

template <typename Change>
void thread_order::update(const lanes& who, Change change) {
  std::vector<lane_group>& list = groups(who.block, who.warp);
  const std::size_t count = list.size();
  for (std::size_t i = 0; i < count; ++i) {
    const lane_mask part = list[i].mask & who.mask;
    if (part == 0) continue;
    if (part != list[i].mask) {
      lane_group rest = list[i];
      rest.mask &= ~part;
      list[i].mask = part;
      list.push_back(std::move(rest));
    }
    change(list[i]);
  }
}

}  // namespace ptxlab::machine
