// SPDX-License-Identifier: Apache-2.0
// How many blocks of a kernel fit one multiprocessor, and what stops one more.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.hpp"

namespace ptxlab::facts {

/// Rows in the order of the block sizes, and in `notes` why any are missing.
struct occupancy_table {
  std::vector<occupancy> rows;
  std::vector<std::string> notes;
};

/// What `cuda_occupancy.h` of the toolkit answers for blocks of as many threads as `sizes` says.
/// Needs `registers` and `shared_bytes` (without the system's reserve, which is added here); from
/// sm_90 on also `barriers`: where they are not reported, only rows stand that no count changes.
/// `max_threads` is the kernel's own bound (0 blocks of a larger size, limiter "warps").
/// Of several limiters that tie, the first of warps, blocks, registers, shared, barriers is named.
/// An unknown architecture or number gives no row and a note.
occupancy_table compute_occupancy(const resources& res, std::string_view arch,
                                  std::optional<int> max_threads = {},
                                  std::int64_t dynamic_shared_bytes = 0,
                                  const std::vector<int>& sizes = {32, 64, 128, 256, 512, 1024});

}  // namespace ptxlab::facts
