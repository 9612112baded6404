// SPDX-License-Identifier: Apache-2.0
// Is everything there that ptxlab needs, and does it work: each tool is probed by using it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/tools.hpp"

namespace ptxlab::toolchain {

struct check {
  std::string name;
  std::filesystem::path path;  ///< empty if nothing was found
  std::string version;         ///< empty if unknown
  bool ok = false;
  std::string detail;        ///< what was tried and came out, or what went wrong
  std::string lost_without;  ///< what does not work if it is missing
  std::string how_to_get;
};

/// Checks nvcc, ptxas, nvdisasm, cuobjdump, the toolkit's headers, FileCheck, lit, the cache folder
/// and whether there is a GPU, in this order. Throws error only if interrupted or if no temporary
/// folder can be made.
std::vector<check> doctor(const places& where, const std::filesystem::path& cache_folder);

}  // namespace ptxlab::toolchain
