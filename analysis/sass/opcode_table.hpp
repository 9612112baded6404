// SPDX-License-Identifier: Apache-2.0
// The table of SASS mnemonics: what holds for all modifiers of each.
#pragma once

#include <string_view>

#include "analysis/sass/opcode.hpp"

namespace ptxlab::sass {

/// One mnemonic. `then` and `what` are those of the unmodified instruction.
struct opcode_row {
  std::string_view base;
  layout shape = layout::result;
  flow::kind what = flow::kind::plain;
  flow::space memory = flow::space::none;
  flow::transfer then = flow::transfer::next;
};

/// The row of a base mnemonic, or null for one that is not known.
const opcode_row* find_row(std::string_view base);

}  // namespace ptxlab::sass
