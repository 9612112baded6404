// SPDX-License-Identifier: Apache-2.0
// Release and acquire patterns at the places that strong accesses communicate through.
#include <algorithm>
#include <bit>

#include "ptx/machine/observers/race_order.hpp"

namespace ptxlab::machine {

void thread_order::released_place::begin() {
  to_all = before_sc = nullptr;
  to_block.clear();
}

race_clock* thread_order::released_place::for_block(std::uint32_t b) {
  const auto it = std::lower_bound(to_block.begin(), to_block.end(), b,
                                   [](const auto& e, std::uint32_t v) { return e.first < v; });
  return it != to_block.end() && it->first == b ? &it->second : nullptr;
}

void thread_order::released_place::add_for_block(std::uint32_t b, const race_clock& c) {
  if (c.empty()) return;
  const auto it = std::lower_bound(to_block.begin(), to_block.end(), b,
                                   [](const auto& e, std::uint32_t v) { return e.first < v; });
  if (it != to_block.end() && it->first == b) {
    it->second.join(c);
  } else {
    to_block.insert(it, {b, c});
  }
}

void thread_order::strong(const strong_access& a) {
  const auto it = places_.find(a.place);
  if (it != places_.end()) {
    released_place& p = it->second;
    const bool same = same_cluster(p.block, a.who.block);
    const bool linked = p.block == a.who.block || (p.how.reaches(same) && a.how.reaches(same));
    // Observation order passes only through morally strong pairs (PTX ISA, "Observation order").
    if (linked && (a.how.atomic || !a.how.writes) && !a.by_copies) acquire(a, p);
    if (!linked && a.how.writes) p.begin();
  }
  if (!a.how.writes) return;
  if (it == places_.end() && !a.how.releases && !a.by_copies && !fenced_before(a.who)) return;
  for (lane_mask m = a.who.mask; m != 0; m &= m - 1)
    release(a, static_cast<std::uint32_t>(std::countr_zero(m)));
}

bool thread_order::fenced_before(const lanes& who) {
  const std::vector<lane_group>& list = groups(who.block, who.warp);
  return std::any_of(list.begin(), list.end(), [&](const lane_group& g) {
    return (g.mask & who.mask) != 0 && (g.any_fence.when != 0 || !g.before_sc.empty());
  });
}

// The read observes the last write of the place. An acquire operation takes over what was released,
// a relaxed read keeps it until a fence. Only threads within both scopes synchronise: a pattern of
// block scope takes from the own block only (PTX ISA, "Synchronizes").
void thread_order::acquire(const strong_access& a, released_place& p) {
  race_clock* const own = p.for_block(a.who.block);
  const bool wide = a.how.reaches(same_cluster(p.block, a.who.block)) && (p.to_all || p.before_sc);
  if (own == nullptr && !wide) return;
  update(a.who, [&](lane_group& g) {
    if (own != nullptr) (a.how.acquires ? g.known : g.pending_block).join(*own);
    if (!wide) return;
    if (p.before_sc) g.pending_sc.add(p.before_sc, p.before_sc->length());
    if (p.to_all && a.how.acquires)
      g.learned.learn(g.known, p.to_all, p.to_all->length());
    else if (p.to_all)
      g.pending_wide.add(p.to_all, p.to_all->length());
  });
}

// A release operation releases what its thread knows, a relaxed write what it knew at its last
// fence (PTX ISA, "Release and Acquire Patterns"). Who may acquire it is bounded by the scopes of
// both. A store starts a new release sequence, an atomic adds to the one that it continues.
void thread_order::release(const strong_access& a, std::uint32_t lane) {
  const std::uint32_t block = a.who.block, warp = a.who.warp;
  lane_group* g = nullptr;
  for (lane_group& each : groups(block, warp))
    if ((each.mask >> lane & 1) != 0) g = &each;
  if (g == nullptr) return;
  const party me = self(block, warp, lane);
  const auto with_self = [&](const race_clock& known, stamp when, stamp copies) {
    race_clock c = known;
    c.raise(me, when);
    if (copies != 0) c.raise(self(copies_of(block), warp, lane), copies);
    return c;
  };
  race_clock to_block, to_all;
  if (a.by_copies)  // tells of the copies, of nothing that the lane did itself
    to_block.raise(self(copies_of(block), warp, lane), a.when);
  else if (a.how.releases)
    to_block = with_self(g->known, a.when, g->own_copies(a.when));
  else if (g->any_fence.when != 0)
    to_block = with_self(g->any_fence.known, g->any_fence.when, g->any_fence.copies);
  if (a.how.releases && a.how.reaches(clusters_))
    to_all = to_block;
  else if (g->wide_fence.when != 0)
    to_all = with_self(g->wide_fence.known, g->wide_fence.when, g->wide_fence.copies);
  const race_clock before_sc = a.shared_space ? race_clock{} : g->before_sc;
  if (a.shared_space && !clusters_) to_all = {};
  auto it = places_.find(a.place);
  if (it == places_.end()) {
    if (to_block.empty() && before_sc.empty()) return;
    it = places_.emplace(a.place, released_place{}).first;
  }
  released_place& p = it->second;
  if (!a.how.atomic) p.begin();
  if (a.how.releases) {
    p.releaser = me;
    p.released_to_all = to_all;
    p.released_to_block = to_block;
  } else if (p.releaser == me && !a.by_copies) {
    to_block.join(p.released_to_block);
    to_all.join(p.released_to_all);
  }
  const auto extend = [](std::shared_ptr<release_sequence>& s, const race_clock& released) {
    if (released.empty()) return;
    if (!s) s = std::make_shared<release_sequence>();
    s->add(released);
  };
  extend(p.to_all, to_all);
  extend(p.before_sc, before_sc);
  p.add_for_block(block, to_block);
  p.block = block;
  p.how = a.how;
}

}  // namespace ptxlab::machine
