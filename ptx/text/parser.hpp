// SPDX-License-Identifier: Apache-2.0
// From PTX text to a module.
#pragma once

#include <string>

#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

/// Reads a whole module. `name` stands in front of messages ("NAME:LINE: ..."). Throws
/// ptxlab::error for text that is not PTX, an unbalanced body, or a branch to a label that is not
/// there. Opcodes that PTX ISA 9.0 does not have are kept with their text and counted.
module parse(std::string source, std::string name);

}  // namespace ptxlab::ptx
