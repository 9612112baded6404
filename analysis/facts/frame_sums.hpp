// SPDX-License-Identifier: Apache-2.0
// Stack frames and spills of an entry with its callees, from the blocks of a ptxas log.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/ptxas_log.hpp"

namespace ptxlab::facts {

/// Where an entry's calls lead, best read from its SASS: a function that ptxas inlined has no block
/// in the log, and a callee without one leaves the sums empty.
struct call_targets {
  /// Functions reached by calls, directly or not, by name; "$entry$name", as nvdisasm writes them,
  /// is taken too. Without the system's own (vprintf, malloc, __assertfail), which no log reports.
  std::vector<std::string> callees;
  bool indirect = false;   ///< a call whose targets are not known
  bool external = false;   ///< a call to a function that is defined in another file
  bool recursive = false;  ///< a cycle among the callees
};

/// The sums over the entry and its callees; all three empty where one of them is not known.
struct frame_sums {
  count stack_bytes, spill_store_bytes, spill_load_bytes;
  std::int64_t largest_frame = 0;  ///< bytes, of one function
  std::string largest_frame_of;
  std::vector<std::string> notes;  ///< why the sums are empty, and what is listed separately
};

/// Adds up the frames of `entry` (a block of `log`) and of what `calls` says it reaches. Without
/// calls the sums stand only if no callee in the log has a frame or spills.
frame_sums sum_frames(const ptxas_log& log, const ptxas_block& entry,
                      const std::optional<call_targets>& calls);

/// True if both blocks state the same numbers.
bool same_numbers(const ptxas_block& a, const ptxas_block& b);

}  // namespace ptxlab::facts
