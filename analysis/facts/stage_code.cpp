// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/stage_code.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <unordered_map>
#include <unordered_set>

namespace ptxlab::facts {

stage_function::stage_function(flow::code c)
    : code(std::move(c)), graph(code), definitions(code), forest(flow::find_loops(graph)) {
  flow::effort e;
  for (const flow::loop& l : forest.loops)
    loops.push_back(flow::study(code, graph, definitions, l, &e));
}

const std::string& stage_function::address_of(std::uint32_t op) const {
  static const std::string unknown = "?";
  const auto it = addresses.find(op);
  return it == addresses.end() ? unknown : it->second;
}

bool stage_function::flow_unknown() const {
  return graph.any_unknown() || std::any_of(loops.begin(), loops.end(),
                                            [](const flow::loop_facts& l) { return l.unclear; });
}

namespace {

poll describe_poll(const stage_function& f, std::uint32_t op, const site_table& sites) {
  const flow::op& o = f.code.ops[op];
  poll p;
  p.space = flow::name(o.memory);
  p.width = o.width_bits;
  p.strength = flow::strength(o);
  p.acquire = flow::followed_by_invalidate(f.code, f.graph, op);
  p.address = f.address_of(op);
  const site s = f.origins[op].where;
  if (s != no_site) p.line = static_cast<int>(sites[s].line);
  return p;
}

/// Where a loop stands: the place of its first exit test (the `while (...)` of the source, wherever
/// the compiler put it), else of its header, taken at the loop's own level of inlining.
site place_of(const stage_function& f, const flow::loop& l, const flow::loop_facts& facts) {
  const auto known = [&](std::uint32_t op) { return f.origins[op].where != no_site; };
  for (const std::uint32_t e : facts.exits)
    if (known(e)) return f.origins[e].where;
  for (std::uint32_t i = f.graph[l.header].begin; i < f.graph[l.header].end; ++i)
    if (known(i)) return f.origins[i].where;
  for (const std::uint32_t b : l.blocks)
    for (std::uint32_t i = f.graph[b].begin; i < f.graph[b].end; ++i)
      if (known(i)) return f.origins[i].where;
  return no_site;
}

}  // namespace

namespace {

site known_place(site s, const std::unordered_set<site>& known, const site_table& sites) {
  for (site a = s; a != no_site; a = sites[a].parent) {
    if (known.contains(a)) return a;
    for (site call = sites[a].parent; call != no_site; call = sites[call].parent) {
      const site without = sites.find(sites[call].parent, a);
      if (without != no_site && known.contains(without)) return without;
    }
  }
  return no_site;
}

}  // namespace

void align_places(stage_code& unoptimised, stage_code& optimised, const site_table& sites) {
  std::unordered_set<site> known;
  for (stage_function& f : unoptimised.functions)
    for (auto& o : f.origins) {
      o.matched = o.where;
      if (o.where != no_site) known.insert(o.where);
    }
  std::unordered_map<site, site> done;
  for (stage_function& f : optimised.functions)
    for (auto& o : f.origins) {
      const auto [it, inserted] = done.try_emplace(o.where, no_site);
      if (inserted) it->second = known_place(o.where, known, sites);
      o.matched = it->second;
    }
}

loop describe(const stage_function& f, std::size_t index, const site_table& sites) {
  const flow::loop& l = f.forest.loops[index];
  const flow::loop_facts& facts = f.loops[index];
  loop out;
  out.depth = static_cast<int>(l.depth);
  out.instructions = static_cast<int>(facts.instructions);
  out.exit = flow::name(facts.exit);
  out.stores = static_cast<int>(facts.stores);
  out.barriers = static_cast<int>(facts.barriers);
  out.fences = static_cast<int>(facts.fences);
  out.calls = static_cast<int>(facts.calls);
  if (facts.trip) out.trip = static_cast<std::int64_t>(*facts.trip);
  const site s = place_of(f, l, facts);
  if (s != no_site) {
    out.file = std::filesystem::path(sites.file(s)).filename().string();
    out.line = static_cast<int>(sites[s].line);
  }
  for (const std::uint32_t p : facts.polls) out.polls.push_back(describe_poll(f, p, sites));
  return out;
}

stage summarise(const stage_code& s, const site_table& sites) {
  stage out;
  out.known = true;
  out.unknown_instructions = s.unknown_instructions;
  std::map<std::string, bool> seen;
  for (const stage_function& f : s.functions) {
    if (!seen.emplace(f.name, true).second) continue;  // one of several chains of calls
    const bool own = &f == &s.functions.front();
    out.irreducible |= !f.forest.irreducible.empty();
    out.unknown_branches |= f.flow_unknown();
    std::vector<int> counts(f.opcodes.size(), 0);
    for (std::uint32_t i = 0; i < f.code.ops.size(); ++i) {
      if (f.graph.block_of(i) == flow::nowhere || f.opcode[i] == flow::nowhere) continue;
      ++counts[f.opcode[i]];
      ++out.instructions;
    }
    for (std::size_t i = 0; i < counts.size(); ++i)
      if (counts[i] > 0) out.opcodes[f.opcodes[i]] += counts[i];
    for (std::size_t i = 0; i < f.forest.loops.size(); ++i) {
      loop l = describe(f, i, sites);
      l.id = fmt::format("L{}", out.loops.size() + 1);
      if (!own) l.function = f.name;
      out.loops.push_back(std::move(l));
    }
  }
  return out;
}

}  // namespace ptxlab::facts
