// SPDX-License-Identifier: Apache-2.0
// analyse_sass(): from a disassembled module to the code of one kernel with its places.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "analysis/facts/stage_code.hpp"
#include "analysis/sass/lower.hpp"
#include "analysis/sass/origin.hpp"

namespace ptxlab::facts {
namespace {

constexpr std::size_t most_functions = 256;

site place(const sass::module& m, std::uint32_t position, site_table& sites) {
  if (position == sass::none) return no_site;
  const sass::position& p = m.positions[position];
  if (p.file == sass::none) return no_site;
  const site up = p.inlined_at != sass::none && p.inlined_at < position
                      ? place(m, p.inlined_at, sites)
                      : no_site;
  return sites.number(up, m.files[p.file], p.line, 0);
}

std::string shown(const sass::module& m, const sass::instruction& i) {
  std::string out;
  if (!i.guard.always())
    out = fmt::format("@{}{}{} ", i.guard.negated ? "!" : "", i.guard.uniform ? "UP" : "P",
                      i.guard.index);
  out += m.code_of(i).text;
  if (const auto operands = m.operands(i); !operands.empty()) out += fmt::format(" {}", operands);
  return out;
}

void fill(stage_function& out, const sass::module& m, const sass::function& f, site_table& sites) {
  std::unordered_map<std::uint32_t, std::uint32_t> opcode_numbers;
  sass::origins origins(m, f, out.code, out.graph);
  out.origins.resize(out.code.ops.size());
  out.opcode.assign(out.code.ops.size(), flow::nowhere);
  for (std::size_t i = 0; i < out.code.ops.size(); ++i) {
    const std::uint32_t where = out.code.ops[i].where;
    if (where >= f.instructions.size()) continue;
    const sass::instruction& in = f.instructions[where];
    const std::uint32_t line = in.ptx_line == sass::none ? 0 : in.ptx_line;
    out.origins[i] = {place(m, in.where, sites), no_site, line, false};
    const auto [it, inserted] =
        opcode_numbers.try_emplace(in.opcode, static_cast<std::uint32_t>(out.opcodes.size()));
    if (inserted) out.opcodes.emplace_back(m.code_of(in).text);
    out.opcode[i] = it->second;
    const flow::op& o = out.code.ops[i];
    const bool memory = o.what == flow::kind::load || o.what == flow::kind::store ||
                        o.what == flow::kind::atomic || o.what == flow::kind::reduction;
    if (memory && o.memory != flow::space::constant)
      out.addresses[static_cast<std::uint32_t>(i)] = origins.of(static_cast<std::uint32_t>(i));
  }
  for (const flow::loop_facts& l : out.loops)
    for (const auto* list : {&l.polls, &l.exits})
      for (const std::uint32_t i : *list)
        if (out.code.ops[i].where < f.instructions.size())
          out.shown[i] = shown(m, f.instructions[out.code.ops[i].where]);
}

}  // namespace

stage_code analyse_sass(const sass::module& m, const sass::function& entry, site_table& sites) {
  stage_code out;
  std::vector<const sass::function*> order{&entry};
  for (std::size_t i = 0; i < order.size() && order.size() < most_functions; ++i)
    for (const std::uint32_t c : sass::callees(m, *order[i]))
      if (std::find(order.begin(), order.end(), &m.functions[c]) == order.end())
        order.push_back(&m.functions[c]);
  for (const sass::function* f : order) {
    out.functions.emplace_back(sass::lower(m, *f)).name = f->name;
    fill(out.functions.back(), m, *f, sites);
    out.unknown_instructions += static_cast<int>(m.unknown_instructions(*f));
  }
  return out;
}

}  // namespace ptxlab::facts
