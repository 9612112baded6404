// SPDX-License-Identifier: Apache-2.0
// From FILE:KERNEL to code that a backend can load, and the kernel that is meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "driver/backend/backend.hpp"
#include "ptx/machine/launch.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::run {

struct source_options {
  std::string arch;        ///< "sm_90"; empty: the default of `inspect`
  std::string nvcc_flags;  ///< for a .cu
  bool no_cache = false;
  bool needs_ptx = true;    ///< the machine runs
  bool needs_cubin = true;  ///< a GPU runs, or residency is to be computed
};

struct source {
  std::string path;
  std::string arch;  ///< of the cubin; else PTX's target
  harness::module_code code;
  ptx::module ptx;         ///< empty for a cubin
  std::string log, usage;  ///< of ptxas -v and cuobjdump -res-usage; empty where there is none
  std::string no_cubin;    ///< why there is no cubin; empty if there is one
};

/// The two parts of FILE[:KERNEL]. A file of that whole name wins.
std::pair<std::string, std::string> split_target(const std::string& text);

/// Reads or compiles a .cu, .ptx or .cubin. Throws ptxlab::error for any other file, for one that
/// cannot be read, and for what nvcc refuses; of PTX that ptxas refuses, `no_cubin` says why.
source open_source(const std::string& path, const source_options& how);

/// The symbol of the kernel that `wanted` names: its symbol, its demangled name, or that without
/// parameters, template arguments and namespaces; with nothing wanted, the only one. Throws
/// ptxlab::error with the nearest name, or with all that fit.
std::string choose_kernel(const source& from, const std::string& wanted);
/// "saxpy(float*, int)" of "_Z5saxpyPfi".
std::string demangled(const std::string& symbol);
/// "saxpy" of it; "inner::twice<int>" of a template.
std::string shown_name(const std::string& symbol);

/// How many blocks of a kernel fit an H200's 132 multiprocessors at once, from ptxas' registers and
/// shared memory. Where that cannot be told, no limit, and `model` says why.
machine::residency residency_of(const source& from, const std::string& kernel,
                                const harness::launch_shape& shape);

}  // namespace ptxlab::run
