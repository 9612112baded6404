// SPDX-License-Identifier: Apache-2.0
// What a missing barrier did to the means of ones: wrong elements, by warp and by block.
#pragma once

#include <cstdint>
#include <vector>

namespace ptxlab::bench {

/// Of one run of X -> P -> X with X = 1. "In part": some of its elements are wrong and some right.
struct race_counts {
  std::uint64_t elements = 0, warps = 0, warps_in_part = 0, blocks = 0, blocks_in_part = 0;
  bool operator==(const race_counts&) const = default;
};

/// Element i belongs to thread i of the grid. It is wrong where it is further from 1 than half of
/// what one missing element of the n makes: a mean of n ones by the fast division need not be 1 to
/// the last bit. Throws ptxlab::error where the elements are no whole number of blocks.
race_counts count_races(const std::vector<float>& x, unsigned block_threads);

}  // namespace ptxlab::bench
