// SPDX-License-Identifier: Apache-2.0
// What kind of input a file is, told from its bytes, and the device code inside host files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/toolchain/tools.hpp"

namespace ptxlab::toolchain {

enum class input_kind {
  cuda,       ///< source for nvcc
  ptx,        ///< PTX text
  cubin,      ///< ELF for a GPU
  container,  ///< fatbin, or host object, library or program that may hold device code
};

/// Tells the kind from the content first and the name second. Throws error ("PATH: reason") for an
/// empty file, a truncated ELF, text that is no PTX, and anything else.
input_kind classify(const std::filesystem::path& path, std::string_view content);

/// True if a cubin holds a function (nvcc adds an empty cubin per architecture to each program).
bool holds_code(std::string_view cubin);

/// One piece of device code of a container.
struct embedded {
  std::string name;  ///< as cuobjdump names it: "app.1.sm_90.cubin"
  std::string arch;  ///< "sm_90a"
  int index = 0;     ///< cuobjdump's running number, separate for cubins and PTX
  bool is_ptx = false;
  std::string content;
};

/// All cubins and PTX texts of `file`, written to `folder` by cuobjdump, in its order. Throws error
/// if there are none or cuobjdump cannot be used.
std::vector<embedded> extract(const tool& cuobjdump, const std::filesystem::path& file,
                              const std::filesystem::path& folder);

}  // namespace ptxlab::toolchain
