// SPDX-License-Identifier: Apache-2.0
// Fuzz target: PTX text, read, printed, read again, and inspected.
#pragma once

#include <optional>

#include "ptx/text/lower.hpp"
#include "ptx/text/parser.hpp"
#include "ptx/text/printer.hpp"
#include "tests/fuzz/stages.hpp"

namespace ptxlab::fuzz {

/// What was read must print as text that reads as the same statements.
inline void compare(const ptx::module& m, const ptx::module& again) {
  require(m.functions.size() == again.functions.size(), "printing keeps the functions");
  for (std::size_t i = 0; i < m.functions.size(); ++i) {
    const ptx::function &a = m.functions[i], &b = again.functions[i];
    require(a.name == b.name, "printing keeps the names of functions");
    require(a.statements.size() == b.statements.size(), "printing keeps the statements");
    require(a.instructions.size() == b.instructions.size(), "printing keeps the instructions");
    require(a.operands.size() == b.operands.size(), "printing keeps the operands");
    for (std::size_t n = 0; n < a.instructions.size(); ++n)
      require(m.op(a.instructions[n]).text == again.op(b.instructions[n]).text,
              "printing keeps the opcodes");
  }
}

inline void ptx_target(std::string_view input) {
  std::optional<ptx::module> m;
  try {
    m = ptx::parse(std::string(input), "input");
  } catch (const error&) {
    return;
  }
  std::optional<ptx::module> again;
  try {
    again = ptx::parse(ptx::print(*m), "printed");
  } catch (const error& e) {
    throw std::logic_error(std::string("printed PTX can be read: ") + e.what());
  }
  compare(*m, *again);
  for (const ptx::function& f : m->functions) {
    const flow::code c = ptx::lower(*m, f);
    study_loops(c, flow::graph(c));
  }
  toolchain::build b = empty_build(toolchain::input_kind::ptx);
  b.ptx.text = input;
  inspect_and_print(b);
  b.kind = toolchain::input_kind::cuda;  // every loop of the source compared with itself
  b.unoptimised_ptx.text = input;
  inspect_and_print(b);
}

}  // namespace ptxlab::fuzz
