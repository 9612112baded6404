// SPDX-License-Identifier: Apache-2.0
// The backward search of a communication log for a path from one access to another.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptx/machine/observers/race_cause.hpp"

namespace ptxlab::machine {

/// Mistakes that a search overlooks.
struct forgiveness {
  bool scopes = false;    ///< every scope reaches every thread
  bool releases = false;  ///< every strong write releases
  bool acquires = false;  ///< every strong read acquires
};

/// Walks from the last event of a log to the first, collecting the threads whose actions up to
/// there would have happened before the target's next action, had the mistakes not been made.
class race_search {
 public:
  race_search(std::span<const communication> events, forgiveness allowed);

  /// True if what `first` did at `when` reaches what `second` does after the last event.
  bool reaches(const race_thread& first, stamp when, const race_thread& second);
  /// After reaches: the first step from `first` on that needed forgiveness.
  race_cause shortfall(stamp when) const;

 private:
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  /// Lanes of a warp whose actions up to event `at` reach the target: through a write and the read
  /// that observed it, or through a barrier or warp synchronisation.
  struct reached {
    std::uint64_t warp = 0;
    lane_mask mask = 0;
    std::uint32_t next = none;  // the node that these lead to
    std::uint32_t at = none, write = none, read = none, acquiring = none;  // events
    // Fences of these lanes after `at` was passed, going back: what earlier reads acquire by.
    lane_mask fenced = 0, fenced_wide = 0;
    std::uint32_t fence = none, fence_wide = none;
  };
  /// A read whose write is looked for; `block` and `wide` are of the next link of the chain.
  struct wanted {
    std::uint32_t node = none, read = none, acquiring = none;
    std::uint32_t block = 0, reader_block = 0;
    bool wide = false, acquire_wide = false;
  };
  /// A write that needs a fence before it.
  struct unreleased {
    lane_mask mask = 0;
    std::uint32_t write = none;
    wanted by;
  };

  static std::uint64_t warp_of(const lanes& who) {
    return (std::uint64_t{who.block} << 8) | who.warp;
  }
  bool linked(std::uint32_t a, bool a_wide, std::uint32_t b, bool b_wide) const {
    return allowed_.scopes || a == b || (a_wide && b_wide);
  }
  lane_mask mask_of(std::uint64_t warp) const;
  void add(reached r);
  void step(std::uint32_t index);
  void fence(std::uint32_t index);
  void write(std::uint32_t index);
  void read(std::uint32_t index);
  /// A barrier's events follow each other; `last` is the last. Returns the first.
  std::uint32_t meeting(std::uint32_t last);
  std::uint32_t fence_before(std::uint32_t write, lane_mask mask, stamp from) const;

  std::span<const communication> events_;
  forgiveness allowed_;
  std::vector<reached> nodes_;
  std::unordered_map<std::uint64_t, std::vector<std::uint32_t>> of_warp_;
  std::unordered_map<std::uint64_t, std::vector<wanted>> wanted_;          // by place
  std::unordered_map<std::uint64_t, std::vector<unreleased>> unreleased_;  // by warp
  std::uint32_t found_ = none;
  lane_mask found_lane_ = 0;
};

}  // namespace ptxlab::machine
