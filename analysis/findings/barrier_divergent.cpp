// SPDX-License-Identifier: Apache-2.0
// barrier-divergent: a block barrier that only some threads of a block may reach.
#include <fmt/format.h>

#include "analysis/facts/divergence.hpp"
#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// A barrier of all threads of a block. One with a thread count, and an arrival without a wait, are
/// made for a part of them.
bool is_block_barrier(const subject& s, const stage_function& f, std::uint32_t op) {
  if (f.code.ops[op].what != kind::barrier || f.opcode[op] == flow::nowhere) return false;
  const std::string_view opcode = f.opcodes[f.opcode[op]];
  const bool waits = opcode.starts_with("bar.") || opcode.starts_with("barrier.");
  const auto has = [&](std::string_view x) { return opcode.find(x) != std::string_view::npos; };
  if (!waits || has(".arrive") || has(".cluster")) return false;
  const ptx::function* in = s.ptx_module->find(f.name);
  if (in == nullptr) return false;
  int constants = 0, operands = 0;
  ptx::for_each_operand(*in, in->instructions[f.code.ops[op].where], [&](std::uint32_t o) {
    ++operands;
    constants += in->operands[o].kind == ptx::operand_kind::integer;
  });
  return has(".red") || (operands == 1 && constants == 1);
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx == nullptr || s.ptx_module == nullptr) return;
  for (const stage_function& f : s.ptx->functions) {
    divergence of(f);
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      const std::uint32_t block = f.graph.block_of(i);
      if (block == flow::nowhere || !is_block_barrier(s, f, i)) continue;
      for (const std::uint32_t b : of.deciding(block)) {
        if (!of.by_lane(b)) continue;
        const site at = f.origins[b].where;
        const std::string line = at == no_site ? "?" : fmt::format("{}", s.sites[at].line);
        out.push_back(finding_at(
            f, i, s.sites, "ptx",
            fmt::format("the branch of line {} depends on the thread index and decides whether a "
                        "thread comes to this barrier",
                        line)));
        break;
      }
    }
  }
}

const rule_registration registration({
    .id = "barrier-divergent",
    .severity = "warning",
    .what = "A barrier of the whole block stands behind a branch on the thread or lane number. A "
            "condition that is loaded is not followed; a thread that returns at once is allowed.",
    .why = "Every thread that has not left the kernel must reach the same barrier. Else the block "
           "hangs, or threads meet at different barriers and read what is not yet written.",
    .remedy = "Move the barrier out of the condition, or let the condition be the same for all "
              "threads of the block; for a part of a warp there is __syncwarp with a mask.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
