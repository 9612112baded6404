// SPDX-License-Identifier: Apache-2.0
// Look-up, raising and joining of sparse vector clocks.
#include "ptx/machine/observers/race_clock.hpp"

#include <algorithm>
#include <array>
#include <iterator>

namespace ptxlab::machine {

namespace {

constexpr party slot_mask = (party{1} << 11) - 1;

constexpr crew block_of(party who) {
  return who >> 11;
}
constexpr bool is_block(party who) {
  return (who & slot_mask) == 0;
}
constexpr bool is_warp(party who) {
  return !is_block(who) && (who & slot_mask) <= warp_lanes;
}
// The warp of a warp or of a lane.
constexpr std::uint32_t warp_of(party who) {
  const auto slot = static_cast<std::uint32_t>(who & slot_mask);
  return slot <= warp_lanes ? slot - 1 : (slot - 1 - warp_lanes) / warp_lanes;
}

template <typename List>
auto find(List& list, party who) {
  return std::lower_bound(list.begin(), list.end(), who,
                          [](const auto& e, party w) { return e.who < w; });
}

// Walking a sorted list: what the entries of a block and of its warps said that were passed.
class coarser_entries {
 public:
  stamp of(party who) const {
    if (block_of(who) != block_ || is_block(who)) return 0;
    const bool lane = !is_warp(who);
    return std::max(all_, lane && (warps_ >> warp_of(who) & 1) != 0 ? warp_[warp_of(who)] : 0);
  }
  void pass(party who, stamp upto) {
    if (block_of(who) != block_) {
      block_ = block_of(who);
      all_ = 0;
      warps_ = 0;
    }
    if (is_block(who)) {
      all_ = upto;
    } else if (is_warp(who)) {
      warps_ |= 1U << warp_of(who);
      warp_[warp_of(who)] = upto;
    }
  }

 private:
  crew block_ = ~crew{0};
  stamp all_ = 0;
  std::uint32_t warps_ = 0;  // bit w: warp_[w] is of this block
  std::array<stamp, warp_lanes> warp_{};
};

thread_local std::size_t live = 0;

}  // namespace

std::size_t race_clock::live_entries() {
  return live;
}

stamp race_clock::exact(const list& l, party who) {
  const auto it = find(l, who);
  return it != l.end() && it->who == who ? it->upto : 0;
}

stamp race_clock::exact(party who) const {
  const stamp old = base_ ? exact(*base_, who) : 0;
  return news_ ? std::max(old, exact(*news_, who)) : old;
}

race_clock::warp_view race_clock::of_warp(crew block, std::uint32_t warp) const {
  warp_view view;
  for (const list* l : {base_.get(), news_.get()}) {
    if (l == nullptr) continue;
    auto it = find(*l, whole_block(block));
    if (it != l->end() && it->who == whole_block(block)) {
      view.all = std::max(view.all, it->upto);
      ++it;
    }
    if (it == l->end() || block_of(it->who) != block) continue;
    view.all = std::max(view.all, exact(*l, whole_warp(block, warp)));
    const auto lane = find(*l, one_lane(block, warp, 0));
    view.lanes |= lane != l->end() && lane->who <= one_lane(block, warp, warp_lanes - 1);
  }
  return view;
}

stamp race_clock::of_lane(crew block, std::uint32_t warp, std::uint32_t lane) const {
  const warp_view view = of_warp(block, warp);
  return view.lanes ? std::max(view.all, exact(one_lane(block, warp, lane))) : view.all;
}

stamp race_clock::of_grid(std::uint32_t blocks) const {
  if (!base_) return 0;
  const list all = news_ ? merged(*base_, *news_) : *base_;
  std::uint32_t seen = 0;
  stamp least = ~stamp{0};
  for (const entry& e : all) {
    if (!is_block(e.who) || block_of(e.who) >= copies_of(0)) continue;
    ++seen;
    least = std::min(least, e.upto);
  }
  return seen == blocks ? least : 0;
}

void race_clock::raise(list& l, party who, stamp upto) {
  auto it = find(l, who);
  if (it != l.end() && it->who == who) {
    it->upto = upto;
  } else {
    it = l.insert(it, entry{who, upto});
  }
  // Finer entries that say no more are superfluous.
  const auto within = [&](const entry& e) {
    if (e.who == who || e.upto > upto) return false;
    return is_block(who) || (is_warp(who) && !is_block(e.who) && warp_of(e.who) == warp_of(who));
  };
  const auto last = find(l, whole_block(block_of(who)) | slot_mask);
  l.erase(std::remove_if(it, last, within), last);
}

bool race_clock::knows(const entry& e) const {
  if (of_block(block_of(e.who)) >= e.upto || exact(e.who) >= e.upto) return true;
  const bool lane = !is_block(e.who) && !is_warp(e.who);
  return lane && exact(whole_warp(block_of(e.who), warp_of(e.who))) >= e.upto;
}

void race_clock::raise(party who, stamp upto) {
  if (knows({who, upto})) return;
  const bool small = !base_ || (!news_ && base_->size() < few);
  std::shared_ptr<list>& mine = small ? base_ : news_;
  if (!mine) {
    mine = std::make_shared<list>();
  } else if (mine.use_count() > 1) {
    mine = std::make_shared<list>(*mine);
  }
  raise(*mine, who, upto);
  latest_ = std::max(latest_, upto);
  if (news_ && news_->size() > few && news_->size() * news_->size() > base_->size())
    settle(merged(*base_, *news_));
}

void race_clock::settle(list all) {
  const std::size_t size = all.size();
  live += size;
  base_ = std::shared_ptr<list>(new list(std::move(all)), [size](const list* l) {
    live -= size;
    delete l;
  });
  news_ = nullptr;
}

race_clock::list race_clock::lacking(const list& a, const list& b, std::size_t limit) {
  list result;
  coarser_entries known;
  auto i = a.begin();
  for (const entry& e : b) {
    for (; i != a.end() && i->who < e.who; ++i) known.pass(i->who, i->upto);
    if (i != a.end() && i->who == e.who && i->upto >= e.upto) continue;
    if (known.of(e.who) >= e.upto) continue;
    result.push_back(e);
    if (result.size() > limit) break;
  }
  return result;
}

race_clock::list race_clock::merged(const list& a, const list& b) {
  list out;
  out.reserve(a.size() + b.size());
  coarser_entries known;
  std::size_t i = 0, j = 0;
  while (i < a.size() || j < b.size()) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].who <= b[j].who);
    const bool from_b = i == a.size() || (j < b.size() && b[j].who <= a[i].who);
    const entry e{from_a ? a[i].who : b[j].who,
                  std::max(from_a ? a[i].upto : 0, from_b ? b[j].upto : 0)};
    i += from_a;
    j += from_b;
    if (known.of(e.who) >= e.upto) continue;
    known.pass(e.who, e.upto);
    out.push_back(e);
  }
  return out;
}

void race_clock::join(const race_clock& other, std::vector<entry>* learned) {
  if (other.empty() || shares(other)) return;
  if (empty() && learned == nullptr) {
    *this = other;
    return;
  }
  const race_clock theirs = other;  // `other` may change when this does
  latest_ = std::max(latest_, theirs.latest_);
  const auto learn = [&](const list& l) {
    for (const entry& e : l) {
      if (learned != nullptr && !knows(e)) learned->push_back(e);
      raise(e.who, e.upto);
    }
  };
  if (!base_) base_ = std::make_shared<list>();
  if (theirs.base_->size() * 16 < base_->size()) {
    learn(*theirs.base_);
  } else if (base_ != theirs.base_) {
    const std::size_t limit = learned != nullptr ? theirs.base_->size() : few;
    const list lacked = lacking(*base_, *theirs.base_, limit);
    if (lacked.size() <= few) {
      learn(lacked);
    } else {
      if (learned != nullptr)
        std::copy_if(lacked.begin(), lacked.end(), std::back_inserter(*learned),
                     [this](const entry& e) { return !knows(e); });
      adopt(theirs.base_);
    }
  }
  if (theirs.news_ && theirs.news_ != news_) learn(*theirs.news_);
}

// Takes over a base that knows much more.
void race_clock::adopt(const std::shared_ptr<list>& base) {
  const std::shared_ptr<list> mine = news_;
  const list extra = lacking(*base, *base_, few);
  if (extra.size() <= few) {
    base_ = base;
    news_ = nullptr;
    for (const entry& e : extra) raise(e.who, e.upto);
  } else {
    settle(merged(*base_, *base));
  }
  if (!mine) return;
  for (const entry& e : *mine) raise(e.who, e.upto);
}

}  // namespace ptxlab::machine
