// SPDX-License-Identifier: Apache-2.0
// One kernel's resources from what ptxas, nvlink and cuobjdump each say of it.
#pragma once

#include <optional>
#include <string>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/frame_sums.hpp"
#include "analysis/facts/ptxas_log.hpp"
#include "analysis/facts/res_usage.hpp"

namespace ptxlab::facts {

/// What to merge. A source that was not read is null.
struct resource_sources {
  std::string function, arch;
  const ptxas_log* log = nullptr;
  const res_usage* usage = nullptr;
  std::optional<call_targets> calls;  ///< empty: not known
  /// The cubin is a relocatable object (ELF type REL), so that linking can still raise registers,
  /// stack and shared memory. Empty: not known.
  std::optional<bool> relocatable;
};

/// Merges the sources for one entry.
///  * A number that two of them state must be the same; if not, it is empty and a note names both.
///  * `spill_*` and `stack_bytes` add up the entry and its callees from ptxas; they are empty where
///  a
///    callee's number is missing or where a spilling function may or may not be reached. A note
///    says which.
///  * `cumulative_stack_bytes` is what ptxas, nvlink and cuobjdump's STACK call so; empty for
///    recursion, which `recursive` names where a tool or the calls tell.
///  * `shared_bytes` is without the 1024 bytes that the system reserves from sm_90 on.
///  * `notes` also says what only another tool would tell.
resources merge_resources(const resource_sources& sources);

}  // namespace ptxlab::facts
