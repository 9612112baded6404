// SPDX-License-Identifier: Apache-2.0
// What a compiler printed when it failed, cut down to the cause and told in the user's terms.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxlab::toolchain {

/// Path as the tool saw it -> how the user knows it.
using renames = std::vector<std::pair<std::string, std::string>>;

/// The first lines that state an error (at most six), without source echoes and temporary paths; if
/// no line does, the first lines that say anything.
std::string compiler_cause(std::string_view printed, const renames& names);

/// The same for ptxas on `ptx`, the text it was given as `file`: one line per error. Line numbers
/// are put in terms of the source through `.loc` where `ptx` was generated (`generated`).
std::string ptxas_cause(std::string_view printed, std::string_view ptx, const std::string& file,
                        bool generated);

/// One sentence for the failures that need explaining: PTX newer than ptxas, an older or other
/// architecture than the PTX's. Empty for all others.
std::string ptxas_explanation(std::string_view printed, std::string_view ptx,
                              const std::string& arch, const std::string& ptxas_version);

/// Operand of the first `.target` directive up to its first comma: "sm_90a". Empty if there is
/// none.
std::string ptx_target(std::string_view ptx);

/// Operand of the first `.version` directive. Empty if there is none.
std::string ptx_version(std::string_view ptx);

}  // namespace ptxlab::toolchain
