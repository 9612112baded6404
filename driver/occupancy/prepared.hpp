// SPDX-License-Identifier: Apache-2.0
// Every kernel of the catalogue, built for one architecture, with what its facts say it takes: made
// where the compilers are, read where a driver is.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"

namespace ptxlab::occupancy {

struct prepared_kernel {
  std::string id;      ///< "latency/fp32/fma_rn_f32"
  std::string symbol;  ///< in the cubin
  std::string cubin;   ///< file in the folder
  facts::count registers, shared_bytes, barriers;
  std::optional<int> max_threads;  ///< of a block, by its launch bounds

  facts::resources uses() const;
};

struct prepared {
  std::filesystem::path folder;
  std::string arch, nvcc;
  std::vector<prepared_kernel> kernels;  ///< sorted by id
};

/// Builds all kernel files for `arch` into `folder` (made if it is not there), with the list of
/// their kernels, occupancy.json. Throws ptxlab::error.
prepared prepare(const std::string& arch, const std::filesystem::path& folder);
/// Throws ptxlab::error ("PATH: reason").
prepared read_prepared(const std::filesystem::path& folder);

}  // namespace ptxlab::occupancy
