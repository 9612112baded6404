// SPDX-License-Identifier: Apache-2.0
// What one thread of a launch knows of the others: up to which event each one's accesses happened
// before its own next access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "ptx/machine/observer.hpp"

namespace ptxlab::machine {

/// Number of an event of a launch, counted from 1 in the order in which the machine performs them.
/// All threads count alike, so that one stamp can stand for a whole warp or block. 0: none.
using stamp = std::uint32_t;

/// Names a block, a warp or a lane within a grid; sorted by block, then by size.
using party = std::uint64_t;
/// The threads of a block, or the asynchronous copies that they began (cp.async): what is known of
/// the one says nothing of the other.
using crew = std::uint64_t;
constexpr crew copies_of(std::uint32_t block) {
  return crew{1} << 32 | block;
}
constexpr party whole_block(crew block) {
  return party{block} << 11;
}
constexpr party whole_warp(crew block, std::uint32_t warp) {
  return whole_block(block) | (1 + warp);
}
constexpr party one_lane(crew block, std::uint32_t warp, std::uint32_t lane) {
  return whole_block(block) | (1 + warp_lanes + warp * warp_lanes + lane);
}

/// A vector clock, sparse at three levels: what is known of a lane is the largest stamp among those
/// of the lane, its warp and its block. Clocks of a launch mostly differ by little: a copy shares
/// all entries, and what it learns then is kept apart while it is little.
class race_clock {
 public:
  /// What is known of every lane of a warp; `lanes`: of some lanes more may be known.
  struct warp_view {
    stamp all = 0;
    bool lanes = false;
  };

  struct entry {
    party who = 0;
    stamp upto = 0;
  };

  bool empty() const { return !base_ && !news_; }
  bool shares(const race_clock& o) const { return base_ == o.base_ && news_ == o.news_; }

  /// Nothing later than this is known of anyone.
  stamp latest() const { return latest_; }
  stamp of_block(crew block) const { return exact(whole_block(block)); }
  warp_view of_warp(crew block, std::uint32_t warp) const;
  stamp of_lane(crew block, std::uint32_t warp, std::uint32_t lane) const;
  /// The stamp up to which everything in a grid of so many blocks is known; 0 if some block lacks.
  stamp of_grid(std::uint32_t blocks) const;

  /// Learns all that `who` did up to `upto`.
  void raise(party who, stamp upto);
  /// Learns all that `other` knows; what was new is added to `learned`.
  void join(const race_clock& other, std::vector<entry>* learned = nullptr);
  /// Entries of all clocks of this thread of the process, about.
  static std::size_t live_entries();

 private:
  using list = std::vector<entry>;  // sorted by who

  static constexpr std::size_t few = 32;  // entries that are kept apart, or more of a long list

  stamp exact(party who) const;
  bool knows(const entry& e) const;
  void adopt(const std::shared_ptr<list>& base);
  void settle(list all);
  static stamp exact(const list& l, party who);
  static void raise(list& l, party who, stamp upto);
  /// Entries of b that a does not know, at most `limit` and one more.
  static list lacking(const list& a, const list& b, std::size_t limit);
  static list merged(const list& a, const list& b);

  // Never changed while shared. What is known is the larger of both; no news without a base.
  std::shared_ptr<list> base_, news_;
  stamp latest_ = 0;
};

}  // namespace ptxlab::machine
