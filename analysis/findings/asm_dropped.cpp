// SPDX-License-Identifier: Apache-2.0
// asm-dropped: inline PTX that one of the compilers left out.
#include <fmt/format.h>

#include <map>
#include <set>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// The instructions of one asm statement in one stage.
struct region {
  std::string first_opcode;
  std::set<std::uint32_t> memory_lines;  ///< lines of the PTX text that access memory
};

std::map<const asm_statement*, region> regions_of(const subject& s, const stage_code& code) {
  std::map<const asm_statement*, region> out;
  for (const stage_function& f : code.functions) {
    for (std::size_t i = 0; i < f.code.ops.size(); ++i) {
      const auto& origin = f.origins[i];
      if (!origin.in_asm || origin.where == no_site || f.opcode[i] == flow::nowhere) continue;
      const asm_statement* a = find_asm_statement(s.asm_statements, s.sites.file(origin.where),
                                                  static_cast<int>(s.sites[origin.where].line));
      if (a == nullptr) continue;
      region& r = out[a];
      if (r.first_opcode.empty()) r.first_opcode = f.opcodes[f.opcode[i]];
      const kind what = f.code.ops[i].what;
      const bool memory = what == kind::load || what == kind::store || what == kind::atomic ||
                          what == kind::reduction;
      if (memory) r.memory_lines.insert(origin.ptx_line);
    }
  }
  return out;
}

bool any_from(const stage_code& sass, const std::set<std::uint32_t>& lines) {
  for (const stage_function& f : sass.functions)
    for (const auto& origin : f.origins)
      if (lines.contains(origin.ptx_line)) return true;
  return false;
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.source == nullptr || s.ptx == nullptr || s.asm_statements.empty()) return;
  const auto left = regions_of(s, *s.ptx);
  for (const auto& [a, before] : regions_of(s, *s.source)) {
    if (a->is_volatile) continue;
    const auto it = left.find(a);
    const bool gone = it == left.end();
    const bool gone_later = !gone && s.sass != nullptr && !it->second.memory_lines.empty() &&
                            !any_from(*s.sass, it->second.memory_lines);
    if (!gone && !gone_later) continue;
    finding f;
    f.stage = gone ? "ptx" : "sass";
    f.file = a->file.substr(a->file.find_last_of('/') + 1);
    f.line = a->line;
    f.text = fmt::format("{} left out this asm ({} ...), which is not volatile",
                         gone ? "nvcc" : "ptxas", before.first_opcode);
    out.push_back(f);
  }
}

const rule_registration registration({
    .id = "asm-dropped",
    .severity = "warning",
    .what = "An asm statement without volatile is in the unoptimised PTX and not in the optimised "
            "one; or it accesses memory and no machine instruction comes from that access.",
    .why =
        "An asm that is not volatile is a pure function of its operands to nvcc: unused, it goes; "
        "twice, it is merged. What it did besides its outputs is not done.",
    .remedy = "Write asm volatile, and name \"memory\" where it touches memory; or use its output. "
              "If it was only there to be timed, store the result.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
