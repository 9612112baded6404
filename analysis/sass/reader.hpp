// SPDX-License-Identifier: Apache-2.0
// Readers for what nvdisasm prints. A dump that cannot be read is a ptxlab::error; one that can be
// read but not believed comes back with `module::doubt` set.
#pragma once

#include <string_view>

#include "analysis/sass/module.hpp"

namespace ptxlab::sass {

/// Reads the output of `nvdisasm -json`. Throws ptxlab::error for text that is empty, is no JSON,
/// is cut off or lacks what every dump has. Schema majors other than 12 and 13 leave a doubt.
module read_json(std::string_view text);

/// Reads the output of `nvdisasm -c`, with or without `-g`, `-gi`, `-gp`, `-hex`. nvdisasm 13.2
/// crashes with `-json` on relocatable cubins, so this is their only format. Throws ptxlab::error
/// for text that is empty or shows no function.
module read_text(std::string_view text);

/// Adds to `m` what only the text format tells of the same cubin: source and PTX lines (`-g -gp`,
/// `-gi` for inlining), jump tables, entry points. Throws ptxlab::error where `text` is not of the
/// same code.
void annotate(module& m, std::string_view text);

}  // namespace ptxlab::sass
