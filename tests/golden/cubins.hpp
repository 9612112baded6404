// SPDX-License-Identifier: Apache-2.0
// The golden cases as cubins: what ptxas makes of them, and which it refuses.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "tests/golden/cases.hpp"

namespace ptxlab::golden {

/// Cubin of a module in the folder.
std::filesystem::path cubin_of(const std::filesystem::path& folder, std::size_t number);

/// Indices of the cases whose kernels ptxas complains about, with the first complaint of each: from
/// the module's text, and messages with ", line 12; error : ...".
std::map<std::size_t, std::string> refused_by(const std::string& ptx, const std::string& messages);

/// Assembles a module for sm_90 into the folder. Cases that ptxas refuses are left out, and are the
/// result: one line each. Throws ptxlab::error when ptxas fails for another reason.
std::string prepare_module(std::size_t number, const std::filesystem::path& folder,
                           const std::string& ptxas);
/// "ptxas V13.0.88". Throws ptxlab::error if it cannot be run.
std::string assembler_version(const std::string& ptxas);

}  // namespace ptxlab::golden
