// SPDX-License-Identifier: Apache-2.0
// asm-memory-no-clobber: inline PTX that touches memory behind the compiler's back.
#include <fmt/format.h>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// Memory that C++ code may write, or an operation that orders it.
bool needs_clobber(const flow::op& o, std::string_view opcode) {
  switch (o.what) {
    case kind::load:
      return o.memory != flow::space::param && o.memory != flow::space::constant &&
             o.memory != flow::space::texture && o.ordering != flow::order::nc;
    case kind::store:
    case kind::atomic:
    case kind::reduction:
    case kind::fence:
    case kind::barrier:
    case kind::warp_sync:
      return true;
    default:
      return opcode.starts_with("cp.") || opcode.starts_with("mbarrier.");
  }
}

void look(const subject& s, std::vector<finding>& out) {
  for (const stage_code* code : {s.source, s.ptx}) {
    if (code == nullptr) continue;
    for (const stage_function& f : code->functions) {
      for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
        const auto& origin = f.origins[i];
        if (!origin.in_asm || origin.where == no_site || f.opcode[i] == flow::nowhere) continue;
        const std::string& opcode = f.opcodes[f.opcode[i]];
        if (!needs_clobber(f.code.ops[i], opcode)) continue;
        const asm_statement* a = find_asm_statement(s.asm_statements, s.sites.file(origin.where),
                                                    static_cast<int>(s.sites[origin.where].line));
        if (a == nullptr || a->memory_clobber) continue;
        finding found =
            finding_at(f, i, s.sites, "source",
                       fmt::format("this asm has {} and names no \"memory\" clobber", opcode));
        found.line = a->line;
        out.push_back(found);
      }
    }
  }
}

const rule_registration registration({
    .id = "asm-memory-no-clobber",
    .severity = "warning",
    .what =
        "An asm statement reads, writes or orders memory and its clobber list lacks \"memory\". "
        "Loads of parameters, of constant memory and non-coherent loads need none.",
    .why =
        "nvcc does not read the instructions. Without the clobber it may keep values in registers "
        "across the asm, delete a store the asm should see, or move accesses over it; volatile "
        "alone does not forbid that.",
    .remedy = "Add \"memory\" as a clobber: asm volatile(\"...\" : outputs : inputs : \"memory\").",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
