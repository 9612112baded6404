// SPDX-License-Identifier: Apache-2.0
// How often the body of a loop stands in a later stage: what tells an unrolled loop from a deleted
// one, and a peeled one from one that was left alone.
#pragma once

#include "analysis/facts/loop_match.hpp"
#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {

/// What two stages are compared by: source places (source to PTX) or PTX lines (PTX to SASS).
enum class compared_by : std::uint8_t { place, ptx_line };

struct body_copies {
  int everywhere = 0;  ///< in the whole kernel
  int in_loop = 0;     ///< in the later loop that holds most
  int outside = 0;     ///< outside all loops that come from it
};

/// An operation that compilers may copy but neither merge nor invent: accesses to memory that
/// others see, barriers, fences, sleeps, clock reads, warp exchanges. Stack slots of the
/// unoptimised build are variables, not memory.
bool is_marker(const stage_function& f, std::uint32_t op);

/// Counts the marked operations of loop `n`, those of inner loops that are unrolled included, in
/// the later stage. Where the body has none, a loop of constant length is taken for unrolled if
/// most of its iterations left something behind: `everywhere` is then that length.
body_copies count_copies(const loop_tree& earlier, std::uint32_t n, const loop_tree& later,
                         const loop_match& match, compared_by key);

}  // namespace ptxlab::facts
