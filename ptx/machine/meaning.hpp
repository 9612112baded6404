// SPDX-License-Identifier: Apache-2.0
// Finds the row of the operation table that an opcode's spelling means.
#pragma once

#include <string>

#include "ptx/machine/row.hpp"
#include "ptx/machine/spelling.hpp"
#include "ptx/text/opcode.hpp"

namespace ptxlab::machine {

struct meaning {
  const row* what = nullptr;  ///< none: the machine does not run it
  choice chosen;              ///< refers to the table and to the opcode's text
  std::string why_not;
};

/// The first row of the table that takes the opcode with all its modifiers.
meaning look_up(const ptx::opcode& op);

}  // namespace ptxlab::machine
