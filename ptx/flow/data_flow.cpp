// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/data_flow.hpp"

#include <algorithm>
#include <unordered_map>

namespace ptxlab::flow {

definitions::definitions(const code& c) {
  begin_.assign(c.reg_count + 1, 0);
  for (const op& o : c.ops)
    for (const reg r : c.writes(o)) ++begin_[r + 1];
  for (std::uint32_t r = 0; r < c.reg_count; ++r) begin_[r + 1] += begin_[r];
  ops_.resize(begin_.back());
  auto fill = begin_;
  for (std::uint32_t i = 0; i < c.ops.size(); ++i)
    for (const reg r : c.writes(c.ops[i])) ops_[fill[r]++] = i;
}

region::region(const code& c, const graph& g, const definitions& d, effort* shared)
    : code_(c), graph_(g), defs_(d), shared_(shared), whole_(true) {}

region::region(const code& c, const graph& g, const definitions& d, const loop& l, effort* shared)
    : code_(c), graph_(g), defs_(d), shared_(shared), inside_(g.size(), false), entry_(l.header) {
  for (const std::uint32_t b : l.blocks) inside_[b] = true;
}

// Collects the definitions of `r` in `block` that come before operation `before`, then those of the
// predecessors, each block once.
void region::walk(std::uint32_t block, std::uint32_t before, reg r, reaching& out) const {
  struct place {
    std::uint32_t block, before;
  };
  const auto all = defs_.of(r);
  std::vector<place> stack{{block, before}};
  mark_.resize(graph_.size(), 0);
  const std::uint32_t walked = ++epoch_;  // marks blocks already walked from their end
  bool passed_entry = false;
  while (!stack.empty() && !work().spent()) {
    const auto [b, end] = stack.back();
    stack.pop_back();
    work().spend(1 + graph_.predecessors(b).size());
    bool killed = false;
    auto it = std::lower_bound(all.begin(), all.end(), end);
    while (!killed && it != all.begin() && *(it - 1) >= graph_[b].begin) {
      --it;
      out.ops.push_back(*it);
      work().spend(4);  // it will be sorted, and be an edge of a slice
      killed = !code_.ops[*it].guarded;
    }
    if (killed) continue;
    if (b == entry_) {
      // One pass through the region ends here; a second definition beside this path is a merge.
      passed_entry = true;
      if (whole_ || graph_.predecessors(b).empty()) out.from_outside = true;
    }
    for (const std::uint32_t p : graph_.predecessors(b)) {
      if (!contains(p)) {
        out.from_outside = true;
      } else if (mark_[p] != walked) {
        mark_[p] = walked;
        stack.push_back({p, graph_[p].end});
      }
    }
  }
  std::sort(out.ops.begin(), out.ops.end());
  out.ops.erase(std::unique(out.ops.begin(), out.ops.end()), out.ops.end());
  const bool all_around = passed_entry && out.ops.size() == 1 && out.from_outside;
  if (out.ops.size() > 1) out.merged = true;
  // A single definition plus the entry value is the plain loop-carried case unless the definition
  // can be skipped on the way to a latch; controlling_branches() sorts that out.
  if (all_around) out.merged = true;
}

reaching region::at(std::uint32_t use, reg r) const {
  reaching out;
  walk(graph_.block_of(use), use, r, out);
  return out;
}

reaching region::on_entry(reg r) const {
  reaching out;
  const region everywhere(code_, graph_, defs_, &work());
  for (const std::uint32_t p : graph_.predecessors(entry_)) {
    if (contains(p)) continue;
    reaching one;
    everywhere.walk(p, graph_[p].end, r, one);
    out.ops.insert(out.ops.end(), one.ops.begin(), one.ops.end());
    out.from_outside |= one.from_outside;
  }
  std::sort(out.ops.begin(), out.ops.end());
  out.ops.erase(std::unique(out.ops.begin(), out.ops.end()), out.ops.end());
  return out;
}

// The blocks from which a pass through the region can end without running `block`.
std::vector<bool> region::ends_without(std::uint32_t block) const {
  std::vector<bool> out(graph_.size(), false);
  std::vector<std::uint32_t> stack;
  const auto add = [&](std::uint32_t b) {
    if (b == block || out[b] || !contains(b)) return;
    out[b] = true;
    stack.push_back(b);
  };
  for (const std::uint32_t p : graph_.predecessors(entry_)) add(p);
  if (whole_)
    for (std::uint32_t b = 0; b < graph_.size(); ++b)
      if (graph_[b].leaves) add(b);
  while (!stack.empty()) {
    const std::uint32_t b = stack.back();
    stack.pop_back();
    work().spend(1 + graph_.predecessors(b).size());
    for (const std::uint32_t p : graph_.predecessors(b)) add(p);
  }
  work().spend(graph_.size() / 64);
  return out;
}

// The blocks from which a pass through the region can still run `block`, itself among them.
std::vector<std::uint32_t> region::leading_to(std::uint32_t block) const {
  std::vector<bool> seen(graph_.size(), false);
  std::vector<std::uint32_t> out{block};
  seen[block] = true;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == entry_) continue;
    work().spend(1 + graph_.predecessors(out[i]).size());
    for (const std::uint32_t p : graph_.predecessors(out[i])) {
      if (seen[p] || !contains(p)) continue;
      seen[p] = true;
      out.push_back(p);
    }
  }
  work().spend(graph_.size() / 64);
  return out;
}

// A branch decides about `b` if one way on from it cannot miss `b` and another can (Ferrante,
// Ottenstein, Warren 1987). It need not dominate `b`: `if (x || y)` has two.
const std::vector<std::uint32_t>& region::deciders(std::uint32_t b) const {
  const auto [it, inserted] = deciders_.try_emplace(b);
  if (!inserted) return it->second;
  const std::vector<bool> ends = ends_without(b);
  const std::vector<std::uint32_t> leading = leading_to(b);
  std::vector<bool> leads(graph_.size(), false);
  for (const std::uint32_t d : leading) leads[d] = true;
  for (const std::uint32_t d : leading) {
    if (d == b) continue;
    bool goes = false, misses = whole_ && graph_[d].leaves;
    for (const std::uint32_t s : graph_.successors(d)) {
      const bool stays = s != entry_ && contains(s);
      misses |= s == entry_ || (stays && ends[s]);
      goes |= stays && leads[s] && !ends[s];
    }
    if (goes && misses) it->second.push_back(d);
  }
  return it->second;
}

std::vector<std::uint32_t> region::controlling_branches(std::uint32_t b) const {
  std::vector<std::uint32_t> found, out;
  std::vector<bool> seen(graph_.size(), false);
  const auto add = [&](std::uint32_t of) {
    for (const std::uint32_t d : deciders(of)) {
      work().spend(1);
      if (seen[d]) continue;
      seen[d] = true;
      found.push_back(d);
    }
  };
  add(b);
  for (std::size_t i = 0; i < found.size() && !work().spent(); ++i) add(found[i]);
  for (const std::uint32_t d : found) out.push_back(graph_[d].end - 1);
  return out;
}

namespace {

using edge_map = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

/// Strongly connected components of a slice (Tarjan, without recursion); calls `f` for each one
/// that is a cycle.
template <typename F>
void for_each_cycle(const edge_map& edges, F f) {
  struct state {
    std::uint32_t number = 0, low = 0;
    bool on_stack = false;
  };
  std::unordered_map<std::uint32_t, state> states;
  std::vector<std::uint32_t> component_stack;
  std::uint32_t counter = 0;
  for (const auto& [root, unused] : edges) {
    if (states[root].number != 0) continue;
    std::vector<std::pair<std::uint32_t, std::size_t>> walk{{root, 0}};
    while (!walk.empty()) {
      const auto [node, next] = walk.back();
      state& s = states[node];
      if (next == 0 && s.number == 0) {
        s = {++counter, counter, true};
        component_stack.push_back(node);
      }
      const auto it = edges.find(node);
      if (it != edges.end() && next < it->second.size()) {
        ++walk.back().second;
        const std::uint32_t to = it->second[next];
        const state& t = states[to];
        if (t.number == 0) {
          walk.emplace_back(to, 0);
        } else if (t.on_stack) {
          states[node].low = std::min(states[node].low, t.number);
        }
        continue;
      }
      walk.pop_back();
      const state done = states[node];
      if (!walk.empty()) {
        state& parent = states[walk.back().first];
        parent.low = std::min(parent.low, done.low);
      }
      if (done.low != done.number) continue;
      const auto from = std::find(component_stack.begin(), component_stack.end(), node);
      const std::vector<std::uint32_t> members(from, component_stack.end());
      component_stack.erase(from, component_stack.end());
      for (const std::uint32_t m : members) states[m].on_stack = false;
      const bool self = it != edges.end() &&
                        std::find(it->second.begin(), it->second.end(), node) != it->second.end();
      if (members.size() > 1 || self) f(members);
    }
  }
}

/// Whether a value is computed anew from itself each time around. Moving, selecting or shuffling it
/// is no computation: a value that only may survive a predicated load does not count.
bool counts(const code& c, const edge_map& edges) {
  bool found = false;
  for_each_cycle(edges, [&](const std::vector<std::uint32_t>& members) {
    for (const std::uint32_t i : members)
      found |= c.ops[i].what == kind::plain && c.ops[i].shape != form::move &&
               c.ops[i].shape != form::select;
  });
  return found;
}

bool from_memory(const op& o) {
  if (o.what == kind::atomic) return true;
  return o.what == kind::load && o.memory != space::param && o.memory != space::constant;
}

}  // namespace

slice backward_slice(const code& c, const graph& g, const region& in, std::uint32_t branch) {
  slice out;
  edge_map edges;
  std::vector<std::uint32_t> work{branch};
  std::vector<bool> seen(c.ops.size(), false);
  in.work().spend(c.ops.size() / 64);
  seen[branch] = true;
  while (!work.empty() && !in.work().spent()) {
    const std::uint32_t i = work.back();
    work.pop_back();
    const op& o = c.ops[i];
    if (i != branch) {
      out.ops.push_back(i);
      out.lane_dependent |= o.lane_dependent;
      out.clock |= o.what == kind::clock;
      if (from_memory(o)) out.loads.push_back(i);
      if (o.what == kind::call) out.calls.push_back(i);
      if (from_memory(o) || o.what == kind::call) continue;
    }
    auto& to = edges[i];
    const auto follow = [&](std::uint32_t d) {
      if (seen[d]) return;
      seen[d] = true;
      work.push_back(d);
    };
    std::vector<std::uint32_t> here;  // the branches that `i` stands under
    for (const reg r : c.reads(o)) {
      const reaching defs = in.at(i, r);
      for (const std::uint32_t d : defs.ops) {
        to.push_back(d);
        follow(d);
        const std::uint32_t block = g.block_of(d);
        if (!defs.merged || block == in.entry()) continue;
        // Which definition arrives is decided by the branches over it, but not by those that the
        // use stands under as well. They carry no value: they join the slice and close no cycle.
        if (here.empty()) {
          here = in.controlling_branches(g.block_of(i));
          std::sort(here.begin(), here.end());
        }
        for (const std::uint32_t b : in.controlling_branches(block))
          if (!std::binary_search(here.begin(), here.end(), b)) follow(b);
      }
    }
  }
  out.carried = counts(c, edges);
  std::sort(out.ops.begin(), out.ops.end());
  std::sort(out.loads.begin(), out.loads.end());
  return out;
}

}  // namespace ptxlab::flow
