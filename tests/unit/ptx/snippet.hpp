// SPDX-License-Identifier: Apache-2.0
// A few instructions as a whole module, for tests of the reader and of the analyses above it.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "ptx/flow/loop_facts.hpp"
#include "ptx/text/lower.hpp"
#include "ptx/text/origin.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab {

inline constexpr std::string_view prologue = ".version 9.0\n.target sm_90\n.address_size 64\n";

/// A module with one kernel `k` of parameters `p0` and `p1` (pointers) and `p2` (u32). Registers:
/// %p<9> %rs<9> %r<99> %rd<99> %f<9>.
inline std::string kernel_text(std::string_view body) {
  return fmt::format(
      "{}.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u32 p2)\n{{\n"
      ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; .reg .b64 %rd<99>; .reg .f32 %f<9>;\n"
      "{}\n}}\n",
      prologue, body);
}

/// Such a kernel, read and analysed.
struct snippet {
  explicit snippet(std::string_view body)
      : module(ptx::parse(kernel_text(body), "snippet.ptx")),
        function(*module.find("k")),
        code(ptx::lower(module, function)),
        graph(code),
        definitions(code),
        forest(flow::find_loops(graph)) {}

  /// Facts of the only loop (or of loop `n`).
  flow::loop_facts loop(std::size_t n = 0) const {
    return flow::study(code, graph, definitions, forest.loops.at(n));
  }
  std::string exit(std::size_t n = 0) const { return flow::name(loop(n).exit); }
  std::string origin(std::uint32_t op) const {
    return ptx::address_origin(module, function, code, definitions, op);
  }
  const flow::op& op(std::size_t n) const { return code.ops.at(n); }

  ptx::module module;
  const ptx::function& function;
  flow::code code;
  flow::graph graph;
  flow::definitions definitions;
  flow::loop_forest forest;
};

}  // namespace ptxlab
