// SPDX-License-Identifier: Apache-2.0
// What keeps a loop going: data flow from the predicate of each exit edge, within the loop.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/flow/data_flow.hpp"

namespace ptxlab::flow {

enum class exit_kind : std::uint8_t { none, load, counter, load_counter, other };
const char* name(exit_kind e);

struct loop_facts {
  exit_kind exit = exit_kind::none;
  std::vector<std::uint32_t> polls;  ///< loads and atomics in the loop that an exit depends on
  std::vector<std::uint32_t> calls_tested;  ///< calls in the loop that an exit depends on
  std::vector<std::uint32_t> exits;         ///< operations with an edge out of the loop
  std::uint32_t instructions = 0;           ///< all of the loop's, inner loops included
  std::uint32_t stores = 0, barriers = 0, fences = 0, calls = 0;
  /// Iterations, where the only exit compares a counter whose start, step and end are constants.
  std::optional<std::uint64_t> trip;
  bool unclear = false;  ///< the effort was spent: nothing is known of what keeps the loop going
};

/// All loops of a function share one `effort`; without one the loop has its own.
loop_facts study(const code& c, const graph& g, const definitions& d, const loop& l,
                 effort* shared = nullptr);

/// Whether a cache invalidate follows operation `i` before the next memory operation: in SASS, what
/// makes a strong load an acquire.
bool followed_by_invalidate(const code& c, const graph& g, std::uint32_t i);

}  // namespace ptxlab::flow
