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

/// What a multiprocessor of an architecture has, and in which units it is given out.
struct architecture {
  std::string name;  ///< "sm_90"
  int threads = 0;   ///< resident, per multiprocessor
  int blocks = 0;    ///< resident, per multiprocessor
  int block_threads = 0;
  int registers = 0;              ///< per multiprocessor, of 32 bits
  int thread_registers = 0;       ///< at most, by the header
  int register_unit = 0;          ///< a warp gets a multiple of so many registers
  int partitions = 0;             ///< of the multiprocessor; a warp's registers lie in one
  int shared_bytes = 0;           ///< per multiprocessor
  int block_shared_bytes = 0;     ///< at most, static and dynamic, where a kernel asks for it
  int reserved_shared_bytes = 0;  ///< of each block, by the system
  int shared_unit = 0;            ///< a block gets a multiple of so many bytes
  int warps() const { return threads / 32; }
};

/// Every architecture that `compute_occupancy` answers for, oldest first.
std::vector<architecture> architectures();

}  // namespace ptxlab::facts
