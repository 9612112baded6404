// SPDX-License-Identifier: Apache-2.0
#include "analysis/sass/opcode.hpp"

#include <algorithm>

namespace ptxlab::sass {

opcode::opcode(std::string_view full) : text(full) {
  std::string_view rest = text;
  const std::size_t dot = rest.find('.');
  base = rest.substr(0, dot);
  while (rest.find('.') != std::string_view::npos) {
    rest.remove_prefix(rest.find('.') + 1);
    modifiers.push_back(rest.substr(0, rest.find('.')));
  }
  how = rule_of(*this);
}

bool opcode::has(std::string_view modifier) const {
  return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

}  // namespace ptxlab::sass
