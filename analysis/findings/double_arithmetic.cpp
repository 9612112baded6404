// SPDX-License-Identifier: Apache-2.0
// double-arithmetic: double precision in a kernel whose data have none.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

bool is_double(const ptx::opcode& o) {
  return o.has("f64");
}

bool is_arithmetic(const ptx::opcode& o) {
  constexpr std::array bases = {"abs", "add", "div", "fma",  "mad",  "max",   "min", "mul",
                                "neg", "rcp", "set", "setp", "sqrt", "rsqrt", "sub"};
  return is_double(o) && std::find(bases.begin(), bases.end(), o.base) != bases.end();
}

/// The slow path of sinf and cosf multiplies by 2^-64 * pi / 2 in double; no literal of the user.
bool is_argument_reduction(const ptx::module& m, const ptx::function& f,
                           const ptx::instruction& in) {
  bool found = false;
  ptx::for_each_operand(f, in, [&](std::uint32_t o) {
    const std::string_view text = m.text(f.operands[o]);
    found |= text == "0d3BF921FB54442D19" || text == "0dBBF921FB54442D19";
  });
  return found;
}

/// Whether a double comes from memory or goes there, as any type of 64 bits. Moves are followed.
bool has_double_data(const ptx::module& m, const ptx::function& f, const stage_function& code) {
  std::set<flow::reg> doubles;
  const auto touch = [&](const flow::op& o) {
    bool more = false;
    for (const flow::reg r : code.code.reads(o)) more |= doubles.insert(r).second;
    for (const flow::reg r : code.code.writes(o)) more |= doubles.insert(r).second;
    return more;
  };
  bool more = true;
  for (int pass = 0; more && pass < 8; ++pass) {
    more = false;
    for (const flow::op& o : code.code.ops) {
      if (o.where == ptx::nothing || o.what != kind::plain) continue;
      const ptx::opcode& op = m.op(f.instructions[o.where]);
      const auto writes = code.code.writes(o);
      const bool moves = op.base == "mov" && !writes.empty() && doubles.contains(writes[0]);
      if (is_arithmetic(op) || moves) more |= touch(o);
      // A conversion has a double on one side only.
      if (op.base == "cvt" && !op.modifiers.empty()) {
        if (op.modifiers.back() == "f64")
          for (const flow::reg r : code.code.reads(o)) more |= doubles.insert(r).second;
        else if (is_double(op))
          for (const flow::reg r : writes) more |= doubles.insert(r).second;
      }
    }
  }
  for (const flow::op& o : code.code.ops) {
    if (o.where == ptx::nothing) continue;
    const ptx::opcode& op = m.op(f.instructions[o.where]);
    const bool memory = o.what == kind::load || o.what == kind::store || o.what == kind::atomic ||
                        o.what == kind::reduction || op.memory != flow::space::none;
    if (!memory) continue;
    if (is_double(op)) return true;
    const auto reads = code.code.reads(o);
    const auto is = [&](flow::reg r) { return doubles.contains(r); };
    const auto writes = code.code.writes(o);
    if (o.width_bits >= 64 && (std::any_of(reads.begin() + o.address_reads, reads.end(), is) ||
                               std::any_of(writes.begin(), writes.end(), is)))
      return true;
  }
  return false;
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx == nullptr || s.ptx_module == nullptr) return;
  const ptx::module& m = *s.ptx_module;
  for (const stage_function& f : s.ptx->functions) {
    const ptx::function* text = m.find(f.name);
    if (text == nullptr || has_double_data(m, *text, f)) return;
  }
  std::set<site> seen;
  for (const stage_function& f : s.ptx->functions) {
    const ptx::function& text = *m.find(f.name);
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      if (f.code.ops[i].where == ptx::nothing) continue;
      const ptx::instruction& in = text.instructions[f.code.ops[i].where];
      if (!is_arithmetic(m.op(in)) || is_argument_reduction(m, text, in)) continue;
      if (!seen.insert(f.origins[i].where).second) continue;
      out.push_back(finding_at(
          f, i, s.sites, "ptx",
          fmt::format("{} in a kernel that loads and stores no double: a literal without f?",
                      m.op(in).text)));
    }
  }
}

const rule_registration registration({
    .id = "double-arithmetic",
    .severity = "warning",
    .what =
        "The kernel computes in double, and neither its parameters nor any load or store holds a "
        "double.",
    .why = "1.1 is a double, and draws the whole expression with it: conversions and double "
           "arithmetic, which most GPUs have at 1/32 or 1/64 of the float rate.",
    .remedy =
        "Write 1.1f, and call the float functions (sqrtf, fabsf). If double is meant, say so in "
        "a cast and accept the finding.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
