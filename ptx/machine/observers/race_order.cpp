// SPDX-License-Identifier: Apache-2.0
// Groups of lanes that know the same, and what barriers, warp synchronisation and fences teach
// them.
#include "ptx/machine/observers/race_order.hpp"

#include <algorithm>
#include <bit>

namespace ptxlab::machine {

bool lane_group::knows_same(const lane_group& o) const {
  const auto same = [](const fence_point& a, const fence_point& b) {
    return a.when == b.when && a.copies == b.copies && a.known.shares(b.known);
  };
  return known.shares(o.known) && last_copy == o.last_copy && copies_over == o.copies_over &&
         same(any_fence, o.any_fence) && same(wide_fence, o.wide_fence) &&
         pending_wide.shares(o.pending_wide) && pending_block.shares(o.pending_block) &&
         before_sc.shares(o.before_sc) && pending_sc.shares(o.pending_sc);
}

void thread_order::reset(std::uint32_t warps, std::uint32_t threads, const launch_info& launch) {
  launch_ = launch;
  clusters_ = launch.cluster_blocks() > 1;
  phases_.clear();
  warps_ = warps;
  threads_ = threads;
  blocks_.clear();
  last_state_ = nullptr;
  places_.clear();
  copies_.clear();
}

void thread_order::block_ends(std::uint32_t block) {
  blocks_.erase(block);
  last_state_ = nullptr;
  copies_.block_ends(block);
}

std::uint64_t thread_order::place(flow::space s, std::uint32_t block, address at) {
  constexpr std::uint64_t in_shared = std::uint64_t{1} << 63;
  // Shared memory of a block is far smaller than 2^26 bytes.
  if (s == flow::space::shared) return in_shared | (std::uint64_t{block} << 26) | at;
  return at;
}

lane_mask thread_order::existing(std::uint32_t warp) const {
  const std::uint32_t rest = threads_ - warp * warp_lanes;
  return rest >= warp_lanes ? ~lane_mask{0} : (lane_mask{1} << rest) - 1;
}

std::vector<lane_group>& thread_order::groups(std::uint32_t block, std::uint32_t warp) {
  if (last_state_ != nullptr && last_block_ == block) return (*last_state_)[warp];
  block_state& state = blocks_[block];
  last_block_ = block;
  last_state_ = &state;
  if (state.empty()) {
    state.resize(warps_);
    for (std::uint32_t w = 0; w < warps_; ++w) {
      state[w].emplace_back();
      state[w].back().mask = existing(w);
    }
  }
  return state[warp];
}

party thread_order::self(crew block, std::uint32_t warp, std::uint32_t lane) const {
  if (threads_ == 1) return whole_block(block);
  return existing(warp) == 1 ? whole_warp(block, warp) : one_lane(block, warp, lane);
}

void thread_order::raise(race_clock& c, crew block, std::uint32_t warp, lane_mask mask,
                         stamp when) const {
  const lane_mask all = existing(warp);
  if ((mask & all) == all) {
    c.raise(warps_ == 1 ? whole_block(block) : whole_warp(block, warp), when);
    return;
  }
  for (; mask != 0; mask &= mask - 1)
    c.raise(one_lane(block, warp, static_cast<std::uint32_t>(std::countr_zero(mask))), when);
}

void thread_order::raise_own(race_clock& c, const lanes& who, stamp when, stamp copies) const {
  raise(c, who.block, who.warp, who.mask, when);
  if (copies != 0) raise(c, copies_of(who.block), who.warp, who.mask, copies);
}

void thread_order::unite(std::vector<lane_group>& groups) {
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::size_t j = groups.size(); j-- > i + 1;) {
      if (!groups[i].knows_same(groups[j])) continue;
      groups[i].mask |= groups[j].mask;
      groups[i].learned = groups[i].learned_sc = {};
      groups[j] = std::move(groups.back());
      groups.pop_back();
    }
  }
}

// A fence acquires what earlier relaxed reads observed, as far as its scope reaches, and makes what
// is known by then ready for a later strong write (PTX ISA, "Release and Acquire Patterns").
// Of two fence.sc the earlier synchronises with the later ("Fence-SC order"). Which is earlier is
// certain only where a strong read before the one observed a write after the other, no matter
// whether the same threads read and write: the opposite order would contradict causality. So
// __threadfence() by all, then bar.sync, then a relaxed write by one thread releases for all.
void thread_order::fence(const lanes& who, flow::order o, flow::scope s, stamp when) {
  const bool wide = s == flow::scope::gpu || s == flow::scope::sys || s == flow::scope::none ||
                    (clusters_ && s == flow::scope::cluster);
  update(who, [&](lane_group& g) {
    if (o != flow::order::release) {
      g.known.join(g.pending_block);
      g.pending_block = {};
      if (wide) {
        g.pending_wide.teach(g.known, g.learned);
        g.pending_wide = {};
        if (o == flow::order::sc) {
          g.pending_sc.teach(g.known, g.learned_sc);
          g.pending_sc = {};
        }
      }
    }
    if (o != flow::order::acquire) {
      g.any_fence = {g.known, when, g.own_copies(when)};
      if (wide) g.wide_fence = g.any_fence;
      if (wide && o == flow::order::sc) {
        g.before_sc = g.known;
        raise_own(g.before_sc, {who.block, who.warp, g.mask}, when, g.own_copies(when));
      }
    }
  });
  unite(groups(who.block, who.warp));
}

// Barriers synchronise morally strong with each other, and causality is transitive: what one thread
// of the block knew, all know (PTX ISA, "Causality order").
void thread_order::barrier(std::span<const lanes> arrived, std::span<const lanes> arrived_only,
                           stamp when) {
  race_clock all, before_sc;
  observed_parts pending_sc;
  std::uint32_t met = 0;
  for (const std::span<const lanes> side : {arrived, arrived_only}) {
    for (const lanes& who : side) {
      for (const lane_group& g : groups(who.block, who.warp)) {
        if ((g.mask & who.mask) == 0) continue;
        all.join(g.known);
        before_sc.join(g.before_sc);
        pending_sc.add(g.pending_sc);
      }
      met += static_cast<std::uint32_t>(std::popcount(who.mask & existing(who.warp)));
    }
  }
  if (met >= threads_ && !arrived.empty()) {
    all.raise(whole_block(arrived.front().block), when);
  } else {
    for (const std::span<const lanes> side : {arrived, arrived_only})
      for (const lanes& who : side) raise(all, who.block, who.warp, who.mask, when);
  }
  raise_copies(all, arrived, met >= threads_ && arrived_only.empty(), when);
  raise_copies(all, arrived_only, false, when);
  for (const lanes& who : arrived) {
    update(who, [&](lane_group& g) {
      g.known = all;
      g.before_sc = before_sc;
      g.pending_sc = pending_sc;
      g.forget_copies();
    });
    unite(groups(who.block, who.warp));
  }
}

void thread_order::warp_sync(const lanes& who, stamp when) {
  race_clock all, before_sc;
  observed_parts pending_sc;
  for (const lane_group& g : groups(who.block, who.warp)) {
    if ((g.mask & who.mask) == 0) continue;
    all.join(g.known);
    before_sc.join(g.before_sc);
    pending_sc.add(g.pending_sc);
  }
  raise(all, who.block, who.warp, who.mask, when);
  raise_copies(all, {&who, 1}, false, when);
  update(who, [&](lane_group& g) {
    g.known = all;
    g.before_sc = before_sc;
    g.pending_sc = pending_sc;
    g.forget_copies();
  });
  unite(groups(who.block, who.warp));
}

// A whole block whose copies are all over is known as one.
void thread_order::raise_copies(race_clock& all, std::span<const lanes> met, bool whole,
                                stamp when) {
  bool any = false;
  const auto each = [&](auto act) {
    for (const lanes& who : met)
      for (const lane_group& g : groups(who.block, who.warp))
        if ((g.mask & who.mask) != 0 && g.last_copy != 0)
          act(lanes{who.block, who.warp, g.mask & who.mask}, g.own_copies(when));
  };
  each([&](const lanes&, stamp over) {
    any = true;
    whole = whole && over == when;
  });
  if (!any) return;
  if (whole) {
    all.raise(whole_block(copies_of(met.front().block)), when);
    return;
  }
  each([&](const lanes& who, stamp over) {
    if (over != 0) raise(all, copies_of(who.block), who.warp, who.mask, over);
  });
}

void thread_order::copies_began(const lanes& who, stamp when) {
  update(who, [&](lane_group& g) { g.last_copy = when; });
}

// Only who waits learns that the copies are over; it tells others as it tells them of its own
// accesses (PTX ISA, "cp.async.wait_group": visible to the executing thread).
void thread_order::copies_awaited(const lanes& who, std::uint32_t left, stamp when) {
  for (lane_mask rest = who.mask; rest != 0;) {
    const auto over_of = [&](std::uint32_t lane) {
      return left == observer::every_copy ? when
                                          : copies_.before_last(who.block, who.warp, lane, left);
    };
    const stamp over = over_of(static_cast<std::uint32_t>(std::countr_zero(rest)));
    lane_mask part = rest;
    if (left != observer::every_copy)
      for (lane_mask m = rest; m != 0; m &= m - 1)
        if (over_of(static_cast<std::uint32_t>(std::countr_zero(m))) != over) part &= ~(m & -m);
    rest &= ~part;
    update({who.block, who.warp, part}, [&](lane_group& g) {
      if (g.last_copy == 0 || over <= g.copies_over) return;
      g.copies_over = over;
      g.waited = when;
    });
  }
  unite(groups(who.block, who.warp));
}

const lane_group* thread_order::find(std::uint32_t block, std::uint32_t warp,
                                     std::uint32_t lane) const {
  const auto it = blocks_.find(block);
  if (it == blocks_.end()) return nullptr;
  for (const lane_group& g : it->second[warp])
    if ((g.mask >> lane & 1) != 0) return &g;
  return nullptr;
}

}  // namespace ptxlab::machine
