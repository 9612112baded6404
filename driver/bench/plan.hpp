// SPDX-License-Identifier: Apache-2.0
// What will be measured: each experiment with its cubin, the hash of it, and what the gate says.
// Made where the compilers are; read where the GPU is.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/timing/gate.hpp"
#include "driver/bench/protocol.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

/// What the kernel of an experiment takes, as `ptxlab inspect` has it of that cubin.
struct kernel_resources {
  facts::count registers, spill_bytes, shared_bytes, barriers, loads_in_flight;
  std::optional<int> max_threads;  ///< of a block, by its launch bounds
  bool operator==(const kernel_resources&) const = default;
};

struct experiment {
  std::string id;  ///< "latency/fp32/fma_rn_f32"
  const kernels::variant* what = nullptr;
  std::string cubin;         ///< file in the plan's folder
  std::string cubin_sha256;  ///< of its bytes
  timing::judgement judged;
  kernel_resources takes;
};

struct plan {
  std::filesystem::path folder;  ///< holds plan.json and the cubins
  std::string arch;
  std::string commit;
  std::map<std::string, std::string> toolkit;
  std::vector<experiment> experiments;  ///< sorted by id

  /// Throws ptxlab::error naming the nearest one.
  const experiment& find(const std::string& id) const;
};

/// Those of `ids` that a filter fits, in their order: a glob where it has a star, else a beginning
/// where it has a slash, else any part. Throws ptxlab::error, with the nearest, for a filter that
/// fits none.
std::vector<std::string> fitting(const std::vector<std::string>& ids,
                                 const std::vector<std::string>& filters);

/// Identifiers of the catalogue's measured variants that fit `filters`; where there are none, all
/// but what is there to be refused. Throws ptxlab::error as `fitting` does.
std::vector<std::string> select(const std::vector<std::string>& filters);

/// Builds the kernel files of `ids` for `arch`, judges every kernel, and writes cubins and
/// plan.json into `folder`. Throws ptxlab::error.
plan prepare(const std::vector<std::string>& ids, const std::string& arch,
             const std::filesystem::path& folder);

/// Reads what `prepare` wrote, perhaps elsewhere, and holds every cubin against its hash. Throws
/// ptxlab::error.
plan read_plan(const std::filesystem::path& folder);

}  // namespace ptxlab::bench
