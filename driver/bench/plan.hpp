// SPDX-License-Identifier: Apache-2.0
// What will be measured: each experiment with its cubin, the hash of it, and what the gate says.
// Made where the compilers are; read where the GPU is.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/timing/gate.hpp"
#include "driver/bench/protocol.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::bench {

struct experiment {
  std::string id;  ///< "latency/fp32/fma_rn_f32"
  const kernels::variant* what = nullptr;
  std::string cubin;         ///< file in the plan's folder
  std::string cubin_sha256;  ///< of its bytes
  timing::judgement judged;
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

/// Identifiers of the catalogue's measured variants that `filters` select: parts of an identifier,
/// all of them where there are none. Throws ptxlab::error, with the nearest, where nothing fits.
std::vector<std::string> select(const std::vector<std::string>& filters);

/// Builds the kernel files of `ids` for `arch`, judges every kernel, and writes cubins and
/// plan.json into `folder`. Throws ptxlab::error.
plan prepare(const std::vector<std::string>& ids, const std::string& arch,
             const std::filesystem::path& folder);

/// Reads what `prepare` wrote, perhaps elsewhere, and holds every cubin against its hash. Throws
/// ptxlab::error.
plan read_plan(const std::filesystem::path& folder);

}  // namespace ptxlab::bench
