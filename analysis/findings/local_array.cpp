// SPDX-License-Identifier: Apache-2.0
// local-array: an array of a thread that lives in memory.
#include <fmt/format.h>

#include <set>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

/// Lines of the PTX text that access a local array.
std::set<std::uint32_t> array_lines(const stage_code& ptx) {
  std::set<std::uint32_t> out;
  for (const stage_function& f : ptx.functions) {
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      const flow::op& o = f.code.ops[i];
      if (o.what != kind::load && o.what != kind::store) continue;
      if (o.memory == flow::space::local || f.address_of(i).starts_with("__local_depot"))
        out.insert(f.origins[i].ptx_line);
    }
  }
  return out;
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx == nullptr || s.sass == nullptr) return;
  const auto lines = array_lines(*s.ptx);
  int loads = 0, stores = 0;
  const stage_function* function = nullptr;
  std::uint32_t first = 0;
  for (const stage_function& f : s.sass->functions) {
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      const flow::op& o = f.code.ops[i];
      if (o.memory != flow::space::local || !lines.contains(f.origins[i].ptx_line)) continue;
      loads += o.what == kind::load;
      stores += o.what == kind::store;
      if (function != nullptr || f.origins[i].where == no_site) continue;
      function = &f;
      first = i;
    }
  }
  // Stores alone are arguments laid out for a callee such as printf.
  if (loads == 0) return;
  std::string text = fmt::format(
      "an array of the thread lives in local memory: {} loads and {} "
      "stores of it in the SASS",
      loads, stores);
  if (s.facts.res.stack_bytes) text += fmt::format(", frame {} bytes", *s.facts.res.stack_bytes);
  finding f;
  f.stage = "sass";
  f.text = text;
  out.push_back(function == nullptr ? f : finding_at(*function, first, s.sites, "sass", text));
}

const rule_registration registration({
    .id = "local-array",
    .severity = "warning",
    .what =
        "A local array of the PTX is still accessed by LDL and STL in the SASS. This is no spill: "
        "the instructions come from the array's own accesses.",
    .why = "Registers cannot be indexed at run time, so the array is put into memory: every access "
           "goes through the caches, and the frame is there for every thread that may be resident.",
    .remedy = "Make every index a constant (unroll the loops over it), or keep the array in shared "
              "memory, or replace a small table by selects.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
