// SPDX-License-Identifier: Apache-2.0
// Occupancy over block size, registers or shared memory, all else held fixed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/occupancy.hpp"

namespace ptxlab::facts {

/// A kernel and its launch on an architecture.
struct occupancy_question {
  std::string arch = "sm_90";
  resources uses;  ///< registers, static shared memory, barriers
  std::optional<int> max_threads = {};
  int block_threads = 256;
  std::int64_t dynamic_shared_bytes = 0;
};

/// A kernel of so many registers and bytes of static shared memory, with one barrier.
resources uses_of(std::int64_t registers, std::int64_t shared_bytes = 0);

enum class occupancy_axis { block, registers, shared };
const char* name(occupancy_axis a);

struct occupancy_point {
  std::int64_t at = 0;  ///< threads of a block, registers of a thread, or bytes of a block
  occupancy what;
};

struct occupancy_curve {
  std::vector<occupancy_point> points;
  std::vector<std::string> notes;  ///< why points are missing
};

/// Along `over`: blocks from 32 to 1024 threads by a warp; registers from 8 to 256 by 8, at most
/// what the header allows; static and dynamic shared memory together from the question's static to
/// what a block may have, by 4 KiB. Of an unknown architecture there is no point and a note.
occupancy_curve curve_of(const occupancy_question& q, occupancy_axis over);

/// At one point. Empty where the header does not answer.
std::optional<occupancy> occupancy_at(const occupancy_question& q);

}  // namespace ptxlab::facts
