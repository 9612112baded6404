// SPDX-License-Identifier: Apache-2.0
// Shadow words: paging, and what is kept when more unordered accesses meet than a word remembers.
#include "ptx/machine/observers/race_shadow.hpp"

#include <algorithm>
#include <bit>

namespace ptxlab::machine {

access_strength strength_of(const access& a, bool clusters) {
  access_strength s;
  s.atomic = a.what == flow::kind::atomic || a.what == flow::kind::reduction;
  s.writes = s.atomic || a.what == flow::kind::store;
  s.strong = s.atomic || (a.ordering != flow::order::weak && a.ordering != flow::order::nc &&
                          a.ordering != flow::order::shared);
  const bool both = a.ordering == flow::order::acq_rel || a.ordering == flow::order::sc;
  // A reduction returns nothing, so it cannot acquire.
  s.acquires = (both || a.ordering == flow::order::acquire) &&
               (a.what == flow::kind::load || a.what == flow::kind::atomic);
  s.releases = (both || a.ordering == flow::order::release) && s.writes;
  s.wide = s.strong && (a.ordering == flow::order::volatile_ || a.reach == flow::scope::gpu ||
                        a.reach == flow::scope::sys || a.reach == flow::scope::none);
  s.cluster = clusters && s.strong && !s.wide && a.reach == flow::scope::cluster;
  s.by_copy = a.by_copy && !s.atomic;
  return s;
}

bool morally_strong(const access_record& a, const access_record& b, bool same_cluster) {
  if (!a.how.strong || !b.how.strong || a.bytes != b.bytes) return false;
  return a.block == b.block || (a.how.reaches(same_cluster) && b.how.reaches(same_cluster));
}

void forgotten_accesses::add(const access_record& r) {
  several_blocks |= latest != 0 && block != r.block;
  block = r.block;
  latest = std::max(latest, r.when);
  any_write |= r.how.writes;
  any_weak |= !r.how.strong;
  any_narrow |= !r.how.wide;
  any_copy |= r.how.by_copy;
}

std::array<shadow_word, row_words>& shadow_row::split() {
  if (each) return *each;
  each = std::make_unique<std::array<shadow_word, row_words>>();
  const auto spread = [&](access_record r) {
    for (lane_mask words = r.lanes; words != 0; words &= words - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(words));
      shadow_word& w = (*each)[i];
      r.lanes = lane_mask{1} << r.pattern.lane_of(i);
      shadow_memory::add(w, r);
      if (r.how.writes) w.stored = std::max(w.stored, r.when);
    }
  };
  spread(together.write);
  spread(together.read);
  if (together.history) {
    std::for_each(together.history->more.begin(), together.history->more.end(), spread);
    for (shadow_word& w : *each) {
      if (together.history->forgotten.latest == 0) break;
      if (!w.history) w.history = std::make_unique<word_history>();
      w.history->forgotten = together.history->forgotten;
      w.history->turn = together.history->turn;
    }
  }
  together = {};
  return *each;
}

bool shadow_row::has_room(const access_record& r) const {
  const access_record& slot = r.how.writes ? together.write : together.read;
  if (slot.lanes == 0 || slot.when == r.when || !together.history) return true;
  const std::vector<access_record>& more = together.history->more;
  const auto joins = [&](const access_record& o) { return o.when == r.when; };
  if (more.size() < shadow_memory::remembered || std::any_of(more.begin(), more.end(), joins))
    return true;
  constexpr lane_mask all = ~lane_mask{0};
  return r.lanes == all && std::all_of(more.begin(), more.end(), [](const access_record& o) {
           return o.lanes == all && !o.how.writes;
         });
}

shadow_row& shadow_memory::row(std::uint64_t number) {
  const std::uint64_t of_page = number / page_rows;
  if (of_page != last_) {
    std::unique_ptr<page>& p = pages_[of_page];
    if (!p) p = std::make_unique<page>();
    last_ = of_page;
    last_page_ = p.get();
  }
  return (*last_page_)[number % page_rows];
}

void shadow_memory::clear() {
  pages_.clear();
  last_ = ~std::uint64_t{0};
  last_page_ = nullptr;
}

void shadow_memory::add(shadow_word& w, const access_record& r) {
  const auto joins = [&](const access_record& o) { return o.when == r.when && o.bytes == r.bytes; };
  access_record& slot = r.how.writes ? w.write : w.read;
  if (slot.lanes == 0) {
    slot = r;
    return;
  }
  if (joins(slot)) {
    slot.lanes |= r.lanes;
    return;
  }
  if (!w.history) w.history = std::make_unique<word_history>();
  std::vector<access_record>& more = w.history->more;
  if (const auto same = std::find_if(more.begin(), more.end(), joins); same != more.end()) {
    same->lanes |= r.lanes;
    return;
  }
  if (more.size() < remembered) {
    if (more.empty()) more.reserve(remembered / 2);
    more.push_back(r);
    return;
  }
  // Give up one of the same block and kind, so that many blocks stay known; else one in turn, but
  // none of the first half, so that old accesses stay known too.
  auto victim = std::find_if(more.begin(), more.end(), [&](const access_record& o) {
    return o.block == r.block && o.how.writes == r.how.writes && o.how.strong == r.how.strong;
  });
  if (victim == more.end()) {
    constexpr std::uint32_t half = remembered / 2;
    victim = more.begin() + half + static_cast<std::ptrdiff_t>(w.history->turn++ % half);
  }
  w.history->forgotten.add(*victim);
  *victim = r;
}

void shadow_memory::add(shadow_word& w, const write_observation& o) {
  if (!w.history) w.history = std::make_unique<word_history>();
  std::vector<write_observation>& list = w.history->observations;
  for (const write_observation& old : list)
    if (old.write == o.write && old.block == o.block && old.warp == o.warp && old.lane == o.lane)
      return;
  if (list.empty()) list.reserve(remembered / 2);
  if (list.size() < remembered)
    list.push_back(o);
  else
    list[w.history->turn++ % remembered] = o;
}

}  // namespace ptxlab::machine
