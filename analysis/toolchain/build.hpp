// SPDX-License-Identifier: Apache-2.0
// From inputs to all that the readers need of them: PTX, cubin, log, disassembly, resource usage.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/files.hpp"
#include "analysis/toolchain/image.hpp"
#include "analysis/toolchain/tools.hpp"

namespace ptxlab::toolchain {

struct request {
  std::filesystem::path file;
  /// "sm_90". Empty: nvcc's default for a source; for PTX the one of its `.target`; of a container
  /// everything, of a cubin what it is for.
  std::string arch;
  std::vector<std::string> nvcc_flags;  ///< for sources only
  bool unoptimised = true;              ///< also build the source without optimisation
};

/// What one step made, or why there is nothing.
struct product {
  std::optional<std::string> text;  ///< bytes, of a cubin
  std::string problem;              ///< empty if `text` is there
};

/// Time of one external program.
struct timing {
  std::string step;    ///< see step::name
  double seconds = 0;  ///< wall time; 0 if the answer came from the cache
  bool cached = false;
};

/// One input on one architecture.
struct build {
  std::filesystem::path input;
  input_kind kind = input_kind::cuda;
  std::string member;  ///< of a container: cuobjdump's name for this piece
  std::string arch;    ///< "sm_90"; empty if no tool could tell

  product ptx;
  product unoptimised_ptx;  ///< of the same source, -G or -Xcicc -O0, with `.loc` lines
  product cubin;            ///< assembled from `ptx`, or given
  product ptxas_log;        ///< of `ptxas -v`
  product sass_json;        ///< of `nvdisasm -json`
  product sass_text;        ///< of `nvdisasm -g -gp -c`
  product resource_usage;   ///< of `cuobjdump -res-usage`

  std::string compiler_log;          ///< nvcc's warnings
  std::filesystem::path cubin_path;  ///< of a copy that lives as long as this object
  std::vector<std::string> notes;    ///< what a reader of the result should know
  std::vector<timing> timings;
  std::shared_ptr<temporary_folder> folder;
};

/// What became of one request: builds, or the reason why not, for a user ("PATH: reason").
struct result {
  std::vector<build> builds;
  std::string failure;
};

struct options {
  unsigned threads = 0;  ///< 0: as many as cores may be used
  std::chrono::milliseconds timeout = std::chrono::minutes(10);  ///< of each external program
  /// Called after each step with the numbers of steps done and known so far; one call at a time.
  std::function<void(std::size_t, std::size_t)> progress = {};
};

/// Builds all requests, every independent step in parallel; one result per request, in their
/// order. A tool that is missing or fails on a cubin leaves a `problem`; a compiler that rejects
/// the input is a failure of that request. Throws error only if interrupted or if the cache or the
/// temporary folder cannot be written.
std::vector<result> build_all(const toolset& tools, const cache& store,
                              const std::vector<request>& requests, const options& how = {});

/// The builds of one request. Throws error with the failure.
std::vector<build> build_one(const toolset& tools, const cache& store, const request& what,
                             const options& how = {});

}  // namespace ptxlab::toolchain
