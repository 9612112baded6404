// SPDX-License-Identifier: Apache-2.0
// Backward reachability over fences, strong accesses, barriers and warp synchronisation.
#include "ptx/machine/observers/race_search.hpp"

#include <algorithm>

namespace ptxlab::machine {

race_search::race_search(std::span<const communication> events, forgiveness allowed)
    : events_(events), allowed_(allowed) {}

lane_mask race_search::mask_of(std::uint64_t warp) const {
  lane_mask mask = 0;
  if (const auto it = of_warp_.find(warp); it != of_warp_.end())
    for (const std::uint32_t n : it->second) mask |= nodes_[n].mask;
  return mask;
}

// Lanes that were reached at a later event are reached at this one too.
void race_search::add(reached r) {
  r.mask &= ~mask_of(r.warp);
  if (r.mask == 0) return;
  of_warp_[r.warp].push_back(static_cast<std::uint32_t>(nodes_.size()));
  nodes_.push_back(r);
}

bool race_search::reaches(const race_thread& first, stamp when, const race_thread& second) {
  const std::uint64_t goal = warp_of({first.block, first.warp, 0});
  const lane_mask lane = lane_mask{1} << first.lane;
  add({.warp = warp_of({second.block, second.warp, 0}), .mask = lane_mask{1} << second.lane});
  for (std::uint32_t i = static_cast<std::uint32_t>(events_.size()); i-- > 0;) {
    if (events_[i].when < when) break;
    if (events_[i].what == communication::barrier ||
        events_[i].what == communication::barrier_arrive)
      i = meeting(i);
    else
      step(i);
    if ((mask_of(goal) & lane) == 0) continue;
    for (const std::uint32_t n : of_warp_[goal])
      if ((nodes_[n].mask & lane) != 0) found_ = n;
    found_lane_ = lane;
    return true;
  }
  return false;
}

void race_search::step(std::uint32_t index) {
  const communication& e = events_[index];
  if (e.what == communication::fence) {
    fence(index);
  } else if (e.what == communication::warp_sync) {
    const std::uint64_t warp = warp_of(e.who);
    if (const lane_mask met = mask_of(warp) & e.who.mask; met != 0) {
      std::uint32_t next = none;
      for (const std::uint32_t n : of_warp_[warp])
        if ((nodes_[n].mask & met) != 0) next = n;
      add({.warp = warp, .mask = e.who.mask, .next = next, .at = index});
    }
  } else {
    if (e.how.writes) write(index);
    if (e.how.atomic || !e.how.writes) read(index);
  }
}

void race_search::fence(std::uint32_t index) {
  const communication& e = events_[index];
  const std::uint64_t warp = warp_of(e.who);
  if (const auto it = unreleased_.find(warp); it != unreleased_.end() && e.how.releases) {
    for (unreleased& u : it->second) {
      const lane_mask mask = u.mask & e.who.mask;
      if (mask == 0 || !linked(e.who.block, e.how.wide, u.by.reader_block, u.by.acquire_wide))
        continue;
      u.mask &= ~mask;
      add({warp, mask, u.by.node, index, u.write, u.by.read, u.by.acquiring});
    }
  }
  if (!e.how.acquires) return;
  const auto it = of_warp_.find(warp);
  if (it == of_warp_.end()) return;
  for (const std::uint32_t n : it->second) {
    reached& r = nodes_[n];
    const lane_mask mask = r.mask & e.who.mask;
    if (mask == 0) continue;
    r.fenced |= mask;
    r.fence = index;
    if (!e.how.wide) continue;
    r.fenced_wide |= mask;
    r.fence_wide = index;
  }
}

void race_search::write(std::uint32_t index) {
  const communication& e = events_[index];
  const auto it = wanted_.find(e.place);
  if (it == wanted_.end()) return;
  std::vector<wanted>& list = it->second;
  for (wanted& w : list) {
    if (!linked(e.who.block, e.how.wide, w.block, w.wide)) {
      w.node = none;  // not morally strong: the chain of observations ends
      continue;
    }
    const bool itself = (e.how.releases || allowed_.releases) &&
                        linked(e.who.block, e.how.wide, w.reader_block, w.acquire_wide);
    if (itself)
      add({warp_of(e.who), e.who.mask, w.node, index, index, w.read, w.acquiring});
    else
      unreleased_[warp_of(e.who)].push_back({e.who.mask, index, w});
    w.block = e.who.block;
    w.wide = e.how.wide;
    if (!e.how.atomic) w.node = none;
  }
  std::erase_if(list, [](const wanted& w) { return w.node == none; });
  if (list.empty()) wanted_.erase(it);
}

void race_search::read(std::uint32_t index) {
  const communication& e = events_[index];
  const auto it = of_warp_.find(warp_of(e.who));
  if (it == of_warp_.end()) return;
  for (const std::uint32_t n : it->second) {
    const reached& r = nodes_[n];
    if ((r.mask & e.who.mask) == 0) continue;
    wanted w{.node = n, .read = index};
    w.block = w.reader_block = e.who.block;
    w.wide = e.how.wide;
    if (e.how.acquires || allowed_.acquires) {
      w.acquire_wide = e.how.wide;
      if ((r.fenced_wide & e.who.mask) != 0) w.acquire_wide = true;
      w.acquiring = (r.fenced & e.who.mask) != 0 ? r.fence : none;
    } else if ((r.fenced_wide & e.who.mask) != 0) {
      w.acquire_wide = true;
      w.acquiring = r.fence_wide;
    } else if ((r.fenced & e.who.mask) != 0) {
      w.acquiring = r.fence;
    } else {
      continue;
    }
    wanted_[e.place].push_back(w);
  }
}

std::uint32_t race_search::meeting(std::uint32_t last) {
  std::uint32_t begin = last;
  while (begin > 0 && events_[begin - 1].when == events_[last].when) --begin;
  std::uint32_t next = none;
  for (std::uint32_t i = begin; i <= last && next == none; ++i) {
    const communication& e = events_[i];
    const auto it = of_warp_.find(warp_of(e.who));
    if (e.what != communication::barrier || it == of_warp_.end()) continue;
    for (const std::uint32_t n : it->second)
      if ((nodes_[n].mask & e.who.mask) != 0) next = n;
  }
  if (next == none) return begin;
  for (std::uint32_t i = begin; i <= last; ++i)
    add({.warp = warp_of(events_[i].who), .mask = events_[i].who.mask, .next = next, .at = i});
  return begin;
}

std::uint32_t race_search::fence_before(std::uint32_t write, lane_mask mask, stamp from) const {
  const lanes& who = events_[write].who;
  for (std::uint32_t i = write; i-- > 0 && events_[i].when >= from;) {
    const communication& e = events_[i];
    if (e.what == communication::fence && e.how.releases && e.who.block == who.block &&
        e.who.warp == who.warp && (e.who.mask & mask) != 0)
      return i;
  }
  return none;
}

race_cause race_search::shortfall(stamp when) const {
  race_cause cause;
  stamp from = when;  // by when the news was with the thread of this node
  lane_mask mask = found_lane_;
  for (std::uint32_t n = found_; n != none && nodes_[n].next != none; n = nodes_[n].next) {
    const reached& r = nodes_[n];
    if (r.write == none) {
      from = events_[r.at].when;
      mask = nodes_[r.next].mask;
      continue;
    }
    const communication& w = events_[r.write];
    const communication& in = events_[r.read];
    const std::uint32_t before =
        w.how.releases ? none : fence_before(r.write, mask & w.who.mask, from);
    const bool released = w.how.releases || before != none;
    const bool acquired = in.how.acquires || r.acquiring != none;
    const bool release_wide = w.how.wide && (before == none || events_[before].how.wide);
    const bool acquire_wide = in.how.wide && (r.acquiring == none || events_[r.acquiring].how.wide);
    const bool same_block = w.who.block == in.who.block;
    if (cause.write == flow::nowhere || !released || !acquired ||
        (!same_block && !(release_wide && acquire_wide))) {
      cause.write = w.site;
      cause.read = in.site;
      if (!release_wide)
        cause.narrow = w.how.wide && before != none ? events_[before].site : w.site;
      else if (!acquire_wide)
        cause.narrow = in.how.wide ? events_[r.acquiring].site : in.site;
      if (!released || !acquired || (!same_block && !(release_wide && acquire_wide))) break;
    }
    from = in.when;
    mask = nodes_[r.next].mask;
  }
  return cause;
}

}  // namespace ptxlab::machine
