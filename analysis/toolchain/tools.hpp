// SPDX-License-Identifier: Apache-2.0
// The external programs: where each one is, which version, and why one is missing. (Symbol names
// are demangled with abi::__cxa_demangle, so that no cu++filt or c++filt is needed.)
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/toolchain/cache.hpp"

namespace ptxlab::toolchain {

struct tool {
  std::string name;            ///< nvcc, ptxas, nvdisasm, cuobjdump, FileCheck, lit
  std::filesystem::path path;  ///< empty if none was found
  std::string version;         ///< "13.0.88"; empty if it could not be told
  std::string problem;         ///< why it cannot be used; empty if it can

  bool usable() const { return problem.empty(); }
};

/// Where tools are looked for, in this order: the variable PTXLAB_<NAME> (which must name a
/// program, if it is set), the folders of the virtual environment, those of PATH, the usual ones.
struct places {
  std::function<std::optional<std::string>(const std::string&)> variable;
  std::vector<std::filesystem::path> environment_folders;
  std::vector<std::filesystem::path> path_folders;
  std::vector<std::filesystem::path> usual_folders;

  /// Those of this process: the environment's variables; the virtual environment `venv` beside
  /// the program `executable`, or `../lib/ptxlab/venv` from it where it is installed; PATH;
  /// /usr/local/cuda/bin and the LLVM folders of Debian, newest first.
  static places of(const std::filesystem::path& executable);
};

/// Path of the running program.
std::filesystem::path own_executable();

/// Finds one tool and asks it for its version with `--version`; the answer is kept in `store` for
/// as long as the tool's file stays the same. Never throws for a missing tool: see `problem`.
/// `first` are folders to look in before all others but the variable.
tool find_tool(const std::string& name, const places& where, const cache& store = {},
               const std::vector<std::filesystem::path>& first = {});

/// The tools that a build needs.
struct toolset {
  tool nvcc, ptxas, nvdisasm, cuobjdump;
  std::filesystem::path include_folder;  ///< the toolkit's, with cuda_occupancy.h; may be empty
  /// Identity of the parts of nvcc that come as files of their own (cicc, libdevice).
  std::string nvcc_parts;
};

/// Finds them all; ptxas preferably in nvcc's own folder, so that the two compilers belong
/// together.
toolset find_toolset(const places& where, const cache& store = {});

/// Version of what `NAME --version` printed: the V13.0.88 of NVIDIA's tools, "LLVM version 14.0.6",
/// "lit 18.1.8". Empty if there is none.
std::string parse_version(std::string_view text);

/// Architectures that nvcc can generate code for, as it lists them: sm_75, sm_80, ... Variants such
/// as sm_90a are not listed by nvcc. Empty if it does not answer.
std::vector<std::string> architectures(const tool& nvcc);

/// "unknown architecture 'sm_33'; nvcc 13.0.88 knows sm_75 sm_80 ...".
std::string unknown_architecture(const std::string& arch, const tool& nvcc);

}  // namespace ptxlab::toolchain
