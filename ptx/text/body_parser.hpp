// SPDX-License-Identifier: Apache-2.0
// The statements between a function's braces.
#pragma once

#include <string_view>
#include <unordered_map>

#include "ptx/text/module.hpp"
#include "ptx/text/token_stream.hpp"

namespace ptxlab::ptx {

/// Distinct opcode spellings of a module, each decoded once.
class opcode_table {
 public:
  explicit opcode_table(module& m) : module_(m) {}
  std::uint32_t number(std::string_view text);
  const opcode& operator[](std::uint32_t n) const { return module_.opcodes[n]; }

 private:
  module& module_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
};

/// Reads `{ ... }` into the function; branch targets are resolved at the end.
void parse_body(token_stream& in, opcode_table& opcodes, function& f);

}  // namespace ptxlab::ptx
