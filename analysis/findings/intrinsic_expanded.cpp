// SPDX-License-Identifier: Apache-2.0
// intrinsic-expanded: one operation of the source that is many instructions.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// How many SASS instructions come from each line of the PTX, and whether one is a call.
struct expansion {
  int instructions = 0;
  bool calls = false;
};

std::map<std::uint32_t, expansion> expansions(const stage_code& sass) {
  std::map<std::uint32_t, expansion> out;
  for (const stage_function& f : sass.functions) {
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      if (f.origins[i].ptx_line == 0 || f.graph.block_of(i) == flow::nowhere) continue;
      expansion& e = out[f.origins[i].ptx_line];
      ++e.instructions;
      e.calls |= f.code.ops[i].what == kind::call;
    }
  }
  return out;
}

/// PTX operations that sound like one instruction, and as how many SASS instructions they may pass.
int allowed(std::string_view opcode) {
  constexpr std::array<std::pair<std::string_view, int>, 6> table = {
      {{"mul24.", 1}, {"mad24.", 1}, {"div.", 8}, {"rem.", 8}, {"sqrt.", 8}, {"rcp.", 8}}};
  for (const auto& [prefix, n] : table)
    if (opcode.starts_with(prefix)) return n;
  return 0;
}

void find_in_sass(const subject& s, std::vector<finding>& out) {
  const auto lines = expansions(*s.sass);
  for (const stage_function& f : s.ptx->functions) {
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      if (f.opcode[i] == flow::nowhere) continue;
      const std::string& opcode = f.opcodes[f.opcode[i]];
      const auto it = lines.find(f.origins[i].ptx_line);
      const int limit = allowed(opcode);
      if (limit == 0 || it == lines.end()) continue;
      if (it->second.instructions <= limit && !it->second.calls) continue;
      out.push_back(
          finding_at(f, i, s.sites, "sass",
                     fmt::format("{} is {} SASS instructions{}", opcode, it->second.instructions,
                                 it->second.calls ? ", a call among them" : "")));
    }
  }
}

/// Calls of __mul24 and __umul24 in the unoptimised PTX whose place has no mul24 in the PTX.
void find_in_ptx(const subject& s, std::vector<finding>& out) {
  for (const stage_function& called : s.source->functions) {
    if ((called.name != "__mul24" && called.name != "__umul24") || called.caller == flow::nowhere)
      continue;
    const stage_function& f = s.source->functions[called.caller];
    const site at = f.origins[called.call_op].matched;
    if (at == no_site) continue;
    int instructions = 0;
    bool kept = false, multiplies = false;
    for (const stage_function& p : s.ptx->functions) {
      for (std::uint32_t i = 0; i < p.code.ops.size(); ++i) {
        if (p.origins[i].matched != at || p.opcode[i] == flow::nowhere) continue;
        const std::string_view opcode = p.opcodes[p.opcode[i]];
        const auto starts = [&](std::string_view x) { return opcode.starts_with(x); };
        kept |= starts("mul24.") || starts("mad24.");
        multiplies |= starts("mul.lo.") || starts("mad.lo.");
        instructions += starts("mul.lo.") || starts("mad.lo.") || starts("shl.") ||
                        starts("shr.") || starts("and.") || starts("bfe.");
      }
    }
    if (kept || !multiplies || instructions < 2) continue;
    out.push_back(finding_at(
        f, called.call_op, s.sites, "ptx",
        fmt::format("{} is no mul24: {} shifts, masks and multiplications of 32 bits stand in its "
                    "place",
                    called.name, instructions)));
  }
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx != nullptr && s.sass != nullptr) find_in_sass(s, out);
  if (s.ptx != nullptr && s.source != nullptr) find_in_ptx(s, out);
}

const rule_registration registration({
    .id = "intrinsic-expanded",
    .severity = "note",
    .what =
        "An intrinsic or a PTX instruction became several instructions or a call: __mul24 and "
        "__umul24 in the PTX; mul24 and mad24 with more than one SASS instruction; div, rem, "
        "sqrt and rcp with more than 8, or with a call. Counted over all copies that ptxas made.",
    .why =
        "What was one fast instruction on an early GPU may be emulated now, and be slower than the "
        "plain operator.",
    .remedy = "Write * instead of __mul24. For division and roots take the approximate forms where "
              "their error is allowed, or divide by a constant.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
