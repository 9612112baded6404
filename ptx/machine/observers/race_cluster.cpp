// SPDX-License-Identifier: Apache-2.0
// What the barrier of a cluster orders, and what is known of a cluster's blocks.
#include <algorithm>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {

// An arrival that releases tells what its lanes know and did, a relaxed one what they knew at their
// last fence; a wait acquires (PTX ISA, "barrier.cluster"). Between the two nothing is ordered.
void thread_order::cluster_arrived(const cluster_step& s, stamp when) {
  cluster_phase& p = phases_[place_of(s.cluster, s.phase)];
  if (p.number != s.phase) {
    p = {};
    p.number = s.phase;
    p.arrived.resize(std::size_t{launch_.cluster_blocks()} * warps_);
  }
  for (const lane_group& g : groups(s.who.block, s.who.warp)) {
    const lanes own{s.who.block, s.who.warp, g.mask & s.who.mask};
    if (own.mask == 0 || (!s.orders && g.wide_fence.when == 0)) continue;
    race_clock released = s.orders ? g.known : g.wide_fence.known;
    if (s.orders)
      raise_own(released, own, when, g.own_copies(when));
    else
      raise_own(released, own, g.wide_fence.when, g.wide_fence.copies);
    p.known.join(released);
    if (!s.orders) continue;
    p.before_sc.join(g.before_sc);
    p.pending_sc.add(g.pending_sc);
    p.arrived[in_cluster(own)] |= own.mask;
    p.last = when;
  }
}

void thread_order::note_act(const lanes& who) {
  for (const std::uint64_t phase : {0, 1}) {
    const auto it = phases_.find(place_of(launch_.cluster_of(who.block), phase));
    if (it == phases_.end() || it->second.complete || it->second.busy) continue;
    it->second.busy = (it->second.arrived[in_cluster(who)] & who.mask) != 0;
  }
}

// Nobody did anything between arrival and wait: so it is as if all had arrived last.
void thread_order::complete(cluster_phase& p, std::uint32_t cluster) const {
  p.complete = true;
  if (p.busy) return;
  for (std::uint32_t rank = 0; rank < launch_.cluster_blocks(); ++rank) {
    bool all = true;
    for (std::uint32_t w = 0; w < warps_; ++w)
      all = all && p.arrived[std::size_t{rank} * warps_ + w] == existing(w);
    if (all)
      p.known.raise(whole_block(launch_.block_at(cluster * launch_.cluster_blocks() + rank)),
                    p.last);
  }
}

void thread_order::cluster_passed(const cluster_step& s) {
  const auto it = phases_.find(place_of(s.cluster, s.phase));
  if (it == phases_.end() || it->second.number != s.phase) return;
  cluster_phase& p = it->second;
  if (!p.complete) complete(p, s.cluster);
  update(s.who, [&](lane_group& g) {
    g.known.join(p.known);
    g.before_sc.join(p.before_sc);
    g.pending_sc.add(p.pending_sc);
  });
  unite(groups(s.who.block, s.who.warp));
}

// To the search for causes an arrival is an atomic at a place of the cluster's own, and to pass the
// barrier is to read it.
void race_detector::cluster_arrived(const cluster_step& s) {
  if (!next_event()) return;
  order_.cluster_arrived(s, now_);
  access_strength how;
  how.writes = how.atomic = how.strong = how.wide = true;
  how.releases = s.orders;
  log_.access({s.who, how, thread_order::place_of(s.cluster, s.phase), false, now_}, s.site);
}

void race_detector::cluster_passed(const cluster_step& s) {
  if (!next_event()) return;
  order_.cluster_passed(s);
  access_strength how;
  how.strong = how.wide = how.acquires = true;
  log_.access({s.who, how, thread_order::place_of(s.cluster, s.phase), false, now_}, s.site);
}

// Of everybody who may have accessed the word: the grid, or of shared memory the cluster.
stamp race_detector::known_of_all(const lane_access& x) const {
  const race_clock& known = x.group->known;
  const std::uint32_t blocks = launch_.cluster_blocks();
  if (x.a->space != flow::space::shared || blocks == 1) return known.of_grid(launch_.blocks());
  const std::uint32_t first = launch_.cluster_of(x.a->who.block) * blocks;
  stamp least = known.latest();
  for (std::uint32_t rank = 0; rank < blocks; ++rank)
    least = std::min(least, known.of_block(launch_.block_at(first + rank)));
  return least;
}

}  // namespace ptxlab::machine
