// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/divergence.hpp"

#include <algorithm>

namespace ptxlab::facts {
namespace {

using flow::kind;

/// Blocks from which one of `to` can be reached without entering `around`, `to` included.
std::vector<bool> reaching(const flow::graph& g, std::vector<std::uint32_t> to,
                           std::uint32_t around) {
  std::vector<bool> seen(g.size(), false);
  while (!to.empty()) {
    const std::uint32_t b = to.back();
    to.pop_back();
    if (seen[b]) continue;
    seen[b] = true;
    for (const std::uint32_t p : g.predecessors(b))
      if (p != around) to.push_back(p);
  }
  return seen;
}

bool ends_search(const flow::op& o) {
  switch (o.what) {
    case kind::plain:
      return false;
    case kind::load:
      return o.memory != flow::space::param && o.memory != flow::space::constant;
    default:
      return true;
  }
}

}  // namespace

divergence::divergence(const stage_function& f) : f_(f), all_(f.code, f.graph, f.definitions) {}

/// Whether a path of a few blocks from `b` leaves the function and touches no memory of others.
bool divergence::only_leaves(std::uint32_t b) const {
  for (int steps = 0; steps < 8; ++steps) {
    for (std::uint32_t i = f_.graph[b].begin; i < f_.graph[b].end; ++i) {
      const flow::op& o = f_.code.ops[i];
      const bool aside = o.what == kind::plain || o.what == kind::call ||
                         o.memory == flow::space::param || o.memory == flow::space::local;
      if (!aside) return false;
    }
    const auto next = f_.graph.successors(b);
    if (next.empty()) return f_.graph[b].leaves;
    if (next.size() != 1) return false;
    b = next[0];
  }
  return false;
}

std::set<std::uint32_t> divergence::direct(std::uint32_t target) const {
  const flow::graph& g = f_.graph;
  std::vector<std::uint32_t> leaving;
  for (std::uint32_t b = 0; b < g.size(); ++b)
    if (g[b].leaves && b != target) leaving.push_back(b);
  const std::vector<bool> avoids = reaching(g, leaving, target);
  const std::vector<bool> arrives = reaching(g, {target}, flow::nowhere);
  std::set<std::uint32_t> out;
  for (std::uint32_t d = 0; d < g.size(); ++d) {
    const auto next = g.successors(d);
    if (next.size() < 2 && !g[d].leaves) continue;
    const bool goes = std::any_of(next.begin(), next.end(), [&](std::uint32_t s) {
      return s == target || (arrives[s] && !avoids[s]);
    });
    const bool skips = std::any_of(next.begin(), next.end(), [&](std::uint32_t s) {
      return s != target && avoids[s] && !only_leaves(s);
    });
    if (goes && skips) out.insert(g[d].end - 1);
  }
  return out;
}

const std::set<std::uint32_t>& divergence::deciding(std::uint32_t target) {
  const auto [it, fresh] = deciding_.try_emplace(target);
  if (!fresh) return it->second;
  std::vector<std::uint32_t> work{target};
  std::set<std::uint32_t> done;
  while (!work.empty()) {
    const std::uint32_t b = work.back();
    work.pop_back();
    if (!done.insert(b).second) continue;
    for (const std::uint32_t branch : direct(b)) {
      it->second.insert(branch);
      work.push_back(f_.graph.block_of(branch));
    }
  }
  return it->second;
}

bool divergence::by_lane(std::uint32_t branch) {
  std::set<std::uint32_t> seen{branch};
  std::vector<std::uint32_t> work{branch};
  while (!work.empty()) {
    const std::uint32_t use = work.back();
    work.pop_back();
    const flow::op& o = f_.code.ops[use];
    if (o.lane_dependent) return true;
    if (ends_search(o)) continue;
    for (const flow::reg r : f_.code.reads(o)) {
      const flow::reaching defs = all_.at(use, r);
      for (const std::uint32_t d : defs.ops) {
        if (seen.insert(d).second) work.push_back(d);
        if (defs.ops.size() < 2) continue;
        // Which of the values arrives is decided by the branches over this one, but not by those
        // that the use stands under as well.
        const std::set<std::uint32_t>& here = deciding(f_.graph.block_of(use));
        for (const std::uint32_t b : deciding(f_.graph.block_of(d)))
          if (!here.contains(b) && seen.insert(b).second) work.push_back(b);
      }
    }
  }
  return false;
}

}  // namespace ptxlab::facts
