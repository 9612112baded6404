// SPDX-License-Identifier: Apache-2.0
// narrow-access: neighbouring bytes of global memory that are moved one by one.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

struct access {
  std::int64_t offset;
  std::uint32_t op;
};
/// Accesses that one wider access could be: same kind, width and base register.
using group_key = std::tuple<kind, int, std::uint32_t>;

/// Base register and byte offset of `[%rd1+4]`.
bool base_and_offset(const subject& s, const ptx::function& f, const ptx::instruction& in,
                     std::uint32_t& base, std::int64_t& offset) {
  bool found = false;
  ptx::for_each_operand(f, in, [&](std::uint32_t o) {
    if (found || f.operands[o].kind != ptx::operand_kind::address) return;
    found = true;
    base = ptx::nothing;
    offset = 0;
    ptx::for_each_child(f.operands, o, [&](std::uint32_t c) {
      const ptx::operand& x = f.operands[c];
      if (x.kind == ptx::operand_kind::reg) base = x.value;
      if (x.kind == ptx::operand_kind::integer)
        offset = ptx::integer_value(s.ptx_module->text(x), x.minus).value_or(0);
    });
  });
  return found && base != ptx::nothing;
}

/// The longest run of accesses side by side, as (first, number).
std::pair<std::size_t, std::size_t> longest_run(std::vector<access>& all, int bytes) {
  std::sort(all.begin(), all.end(),
            [](const access& a, const access& b) { return a.offset < b.offset; });
  all.erase(std::unique(all.begin(), all.end(),
                        [](const access& a, const access& b) { return a.offset == b.offset; }),
            all.end());
  std::size_t best = 0, at = 0, from = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i > 0 && all[i].offset != all[i - 1].offset + bytes) from = i;
    if (i - from + 1 > best) {
      best = i - from + 1;
      at = from;
    }
  }
  return {at, best};
}

void look_in_block(const subject& s, const stage_function& f, const ptx::function& text,
                   const flow::graph::block& b, std::vector<finding>& out) {
  std::map<group_key, std::vector<access>> groups;
  for (std::uint32_t i = b.begin; i < b.end; ++i) {
    const flow::op& o = f.code.ops[i];
    const bool narrow = o.memory == flow::space::global && !o.guarded &&
                        (o.width_bits == 8 || o.width_bits == 16) &&
                        (o.ordering == flow::order::weak || o.ordering == flow::order::nc);
    std::uint32_t base = 0;
    std::int64_t offset = 0;
    if (!narrow || (o.what != kind::load && o.what != kind::store) || o.where == ptx::nothing ||
        !base_and_offset(s, text, text.instructions[o.where], base, offset) ||
        f.definitions.of(base).size() != 1)
      continue;
    groups[{o.what, o.width_bits / 8, base}].push_back({offset, i});
  }
  for (auto& [key, all] : groups) {
    const auto& [what, bytes, base] = key;
    const auto [at, number] = longest_run(all, bytes);
    if (number * static_cast<std::size_t>(bytes) < 4) continue;
    out.push_back(finding_at(f, all[at].op, s.sites, "ptx",
                             fmt::format("{} {}s of {} bits side by side: {} bytes in one access "
                                         "would do where they are aligned",
                                         number, what == kind::load ? "load" : "store", 8 * bytes,
                                         number * static_cast<std::size_t>(bytes))));
  }
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.ptx == nullptr || s.ptx_module == nullptr) return;
  for (const stage_function& f : s.ptx->functions) {
    const ptx::function* text = s.ptx_module->find(f.name);
    if (text == nullptr) continue;
    for (std::size_t b = 0; b < f.graph.size(); ++b)
      look_in_block(s, f, *text, f.graph[static_cast<std::uint32_t>(b)], out);
  }
}

const rule_registration registration({
    .id = "narrow-access",
    .severity = "note",
    .what =
        "A block of PTX moves four or more neighbouring bytes of global memory by accesses of 8 "
        "or 16 bits.",
    .why =
        "Each access is an instruction and a request of its own; the compiler may not join them, "
        "for it does not know that the address is aligned.",
    .remedy = "Read a vector type (uchar4, uint4, half2) through an aligned pointer, and take the "
              "parts from registers.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
