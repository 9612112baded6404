// SPDX-License-Identifier: Apache-2.0
// The single steps of a build: one external program each, answered from the cache where nothing it
// depends on has changed.
#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/tools.hpp"

namespace ptxlab::toolchain {

/// What all steps share. The references have to outlive it.
struct workshop {
  const toolset& tools;
  const cache& store;
  std::chrono::milliseconds timeout = std::chrono::minutes(10);
  std::vector<std::string> trusted = {};  ///< see cache::store_with_files
  std::string surroundings = {};          ///< variables and host compiler that change nvcc's work

  workshop(const toolset& tools, const cache& store, std::chrono::milliseconds timeout);
};

struct step {
  std::string name;  ///< "nvcc -ptx", "nvcc -G -ptx", "ptxas", "nvdisasm -json", ...
  bool ok = false;
  std::string output;   ///< PTX, cubin or text
  std::string log;      ///< what was printed on stderr (stdout for ptxas, too)
  std::string failure;  ///< for a user, if not ok
  double seconds = 0;   ///< wall time of the external program, 0 if it was not run
  bool cached = false;
};

/// A source as nvcc gets it. `content` is that of the file at `path` when the build began.
struct source {
  std::filesystem::path path;
  std::string content;
  std::string arch;  ///< "sm_90", or empty for nvcc's own default
  std::vector<std::string> flags;
};

enum class front_end { optimised, debug, unoptimised };

/// `nvcc -ptx`: with -lineinfo; or with -G; or with -lineinfo -Xcicc -O0.
step compile_ptx(const workshop& shop, const source& what, front_end how,
                 const std::filesystem::path& folder);

/// The options nvcc would give to ptxas in `output`, quoted for split_flags.
step find_ptxas_flags(const workshop& shop, const source& what);

struct assembly {
  std::string ptx;
  std::string name;        ///< of the input, for messages
  bool generated = false;  ///< from a .cu by nvcc
  std::string arch;
  std::vector<std::string> flags;
};

/// `ptxas -v -lineinfo`: the cubin in `output`, the resource report in `log`.
step assemble(const workshop& shop, const assembly& what, const std::filesystem::path& folder);

/// Runs nvdisasm or cuobjdump with `options` on the cubin at `path`, whose bytes are `cubin`.
step inspect_cubin(const workshop& shop, const tool& program, std::vector<std::string> options,
                   const std::filesystem::path& path, std::string_view cubin);

}  // namespace ptxlab::toolchain
