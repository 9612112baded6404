// SPDX-License-Identifier: Apache-2.0
// What every subcommand shares: the tools, the cache, and the way from files on the command line to
// their facts.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/timing/gate.hpp"
#include "analysis/toolchain/build.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::driver {

/// Options of every command that builds something.
struct build_options {
  std::vector<std::string> files;
  std::vector<std::string> archs;
  std::string nvcc_flags;
  bool no_cache = false;
  /// Folder for what was built: ARCH/NAME.ptx, .cubin, .log, .sass. Empty: nothing is kept.
  std::string keep;
  bool unoptimised = true;  ///< also build without optimisation, for the verdicts on loops
};

/// One input on one architecture, built.
struct built {
  std::string path;
  const kernels::entry* declared = nullptr;
  toolchain::build build;
};

/// One input on one architecture, with its facts and the kernel file's declaration, if it has one.
struct inspected {
  std::string path;
  const kernels::entry* declared = nullptr;
  facts::report report;
  /// What the gate says of its measured kernels, by symbol.
  std::map<std::string, timing::judgement> timed;
};

class session {
 public:
  explicit session(const build_options& options);

  /// Builds all inputs, in their order. Throws ptxlab::error with the message of the first input
  /// that cannot be used. Shows progress on a terminal.
  std::vector<built> build_all() const;
  /// Builds and reads them.
  std::vector<inspected> inspect_all() const;

  const toolchain::toolset& tools() const { return tools_; }

 private:
  build_options options_;
  toolchain::cache cache_;
  toolchain::toolset tools_;
};

/// The folder that holds `kernels`: $PTXLAB_ROOT, else above the program, else the working folder.
std::filesystem::path project_root();

/// The declaration of the kernel file at `path`, found by the path's end, or null.
const kernels::entry* declaration_of(const std::string& path);

}  // namespace ptxlab::driver
