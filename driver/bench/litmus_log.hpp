// SPDX-License-Identifier: Apache-2.0
// What the blocks of a litmus kernel saw of each other, from the log that they wrote. Block b
// stores the number of the round, passes the barrier, and reads what its partner (b + distance) %
// blocks stored; two slots are used in turn.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ptxlab::bench {

/// Words of the log before the launch: a reading that was not taken.
inline constexpr std::uint32_t unwritten = 0xffffffff;

/// Of one launch. A barrier forbids all but `observed` and `pairs` (message passing: stale; load
/// buffering: early; store buffering: stale both).
struct litmus_counts {
  std::uint64_t observed = 0;    ///< readings behind the barrier: rounds x blocks
  std::uint64_t stale = 0;       ///< of these: older than the round
  std::uint64_t stale_next = 0;  ///< still older when the next round read the slot once more
  std::uint64_t early = 0;       ///< read before or behind a barrier that its writer was behind
  std::uint64_t pairs = 0;       ///< rounds x pairs of blocks that read each other; 0: none do
  std::uint64_t stale_both = 0;  ///< of these: both readings stale

  std::uint64_t forbidden() const { return stale + stale_next + early; }
  litmus_counts& operator+=(const litmus_counts& more);
  bool operator==(const litmus_counts&) const = default;
};

/// `log` holds for round r (from 1) and block b at ((r - 1) * blocks + b) * 2 the reading behind
/// the barrier, which must be r, and behind it the one of the other slot before the barrier, which
/// must be r - 1. Throws ptxlab::error for a reading that was not taken and for a word that no
/// block stores in that slot.
litmus_counts count_litmus(std::span<const std::uint32_t> log, unsigned rounds, unsigned blocks,
                           unsigned distance);

/// "stale 17, early 2 of 132000 readings: not a barrier"; empty where nothing forbidden was seen.
std::string verdict_of(const litmus_counts& c);

/// The first round that block b has not logged, for each block; of a launch that did not end.
std::string litmus_progress(std::span<const std::uint32_t> log, unsigned rounds, unsigned blocks);

}  // namespace ptxlab::bench
