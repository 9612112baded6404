// SPDX-License-Identifier: Apache-2.0
// Groups of lanes that know the same, and what barriers, warp synchronisation and fences teach
// them.
#include "ptx/machine/observers/race_order.hpp"

#include <algorithm>
#include <bit>

namespace ptxlab::machine {

bool lane_group::knows_same(const lane_group& o) const {
  const auto same = [](const fence_point& a, const fence_point& b) {
    return a.when == b.when && a.known.shares(b.known);
  };
  return known.shares(o.known) && same(any_fence, o.any_fence) && same(wide_fence, o.wide_fence) &&
         pending_wide.shares(o.pending_wide) && pending_block.shares(o.pending_block) &&
         before_sc.shares(o.before_sc) && pending_sc.shares(o.pending_sc);
}

void thread_order::reset(std::uint32_t warps, std::uint32_t threads) {
  warps_ = warps;
  threads_ = threads;
  blocks_.clear();
  last_state_ = nullptr;
  places_.clear();
}

void thread_order::block_ends(std::uint32_t block) {
  blocks_.erase(block);
  last_state_ = nullptr;
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

party thread_order::self(std::uint32_t block, std::uint32_t warp, std::uint32_t lane) const {
  if (threads_ == 1) return whole_block(block);
  return existing(warp) == 1 ? whole_warp(block, warp) : one_lane(block, warp, lane);
}

void thread_order::raise(race_clock& c, std::uint32_t block, std::uint32_t warp, lane_mask mask,
                         stamp when) const {
  const lane_mask all = existing(warp);
  if ((mask & all) == all) {
    c.raise(warps_ == 1 ? whole_block(block) : whole_warp(block, warp), when);
    return;
  }
  for (; mask != 0; mask &= mask - 1)
    c.raise(one_lane(block, warp, static_cast<std::uint32_t>(std::countr_zero(mask))), when);
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
  const bool wide = s == flow::scope::gpu || s == flow::scope::sys || s == flow::scope::none;
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
      g.any_fence = {g.known, when};
      if (wide) g.wide_fence = g.any_fence;
      if (wide && o == flow::order::sc) {
        g.before_sc = g.known;
        raise(g.before_sc, who.block, who.warp, g.mask, when);
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
  for (const lanes& who : arrived) {
    update(who, [&](lane_group& g) {
      g.known = all;
      g.before_sc = before_sc;
      g.pending_sc = pending_sc;
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
  update(who, [&](lane_group& g) {
    g.known = all;
    g.before_sc = before_sc;
    g.pending_sc = pending_sc;
  });
  unite(groups(who.block, who.warp));
}

}  // namespace ptxlab::machine
