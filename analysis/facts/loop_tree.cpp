// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/loop_tree.hpp"

namespace ptxlab::facts {

loop_tree::loop_tree(const stage_code& s) : stage_(s) {
  // A called function stands behind its caller, so the loop around its call is known by then.
  for (std::uint32_t f = 0; f < s.functions.size(); ++f) {
    const stage_function& fn = s.functions[f];
    const bool called = fn.caller != flow::nowhere;
    around_call_.push_back(called ? innermost(fn.caller, fn.call_op) : flow::nowhere);
    innermost_.emplace_back(fn.graph.size(), flow::nowhere);
    const auto base = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t l = 0; l < fn.forest.loops.size(); ++l) {
      const flow::loop& loop = fn.forest.loops[l];
      node n{f, l, around_call_[f], 1};
      if (loop.parent != flow::nowhere) n.parent = base + loop.parent;
      if (n.parent != flow::nowhere) n.depth = nodes_[n.parent].depth + 1;
      for (const std::uint32_t b : loop.blocks)
        innermost_[f][b] = base + l;  // inner ones come later
      nodes_.push_back(n);
    }
  }
  number_tree();
}

// Entry and exit times of a walk over the forest, so that inside() is two comparisons.
void loop_tree::number_tree() {
  std::vector<std::uint32_t> size(nodes_.size(), 1);
  std::uint32_t roots = 0;
  for (std::uint32_t n = static_cast<std::uint32_t>(nodes_.size()); n-- > 0;)
    if (nodes_[n].parent != flow::nowhere) size[nodes_[n].parent] += size[n];
  std::vector<std::uint32_t> next_free(nodes_.size());
  for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
    // A loop stands behind the one around it: that one's place is known by now.
    std::uint32_t& place = nodes_[n].parent == flow::nowhere ? roots : next_free[nodes_[n].parent];
    nodes_[n].enter = place;
    nodes_[n].leave = place += size[n];
    next_free[n] = nodes_[n].enter + 1;
  }
}

std::uint32_t loop_tree::innermost(std::uint32_t function, std::uint32_t op) const {
  const std::uint32_t block = stage_.functions[function].graph.block_of(op);
  if (block == flow::nowhere) return flow::nowhere;
  const std::uint32_t n = innermost_[function][block];
  return n == flow::nowhere ? around_call_[function] : n;
}

bool loop_tree::inside(std::uint32_t inner, std::uint32_t outer) const {
  if (outer == flow::nowhere) return true;
  if (inner == flow::nowhere) return false;
  return nodes_[outer].enter <= nodes_[inner].enter && nodes_[inner].leave <= nodes_[outer].leave;
}

std::vector<loop_tree::operation> loop_tree::operations(std::uint32_t n) const {
  std::vector<operation> out;
  for (const operation& o : all())
    if (inside(innermost(o.function, o.op), n)) out.push_back(o);
  return out;
}

bool loop_tree::is_memory(const flow::op& o) {
  switch (o.what) {
    case flow::kind::load:
    case flow::kind::store:
    case flow::kind::atomic:
    case flow::kind::reduction:
      return o.memory != flow::space::param && o.memory != flow::space::constant;
    default:
      return false;
  }
}

bool loop_tree::is_stack(const stage_function& f, std::uint32_t op) {
  return f.code.ops[op].memory == flow::space::local ||
         f.address_of(op).starts_with("__local_depot");
}

bool loop_tree::reads_memory(std::uint32_t function, int depth) const {
  const stage_function& f = stage_.functions[function];
  for (std::uint32_t i = 0; i < f.code.ops.size(); ++i)
    if (is_memory(f.code.ops[i]) && f.code.ops[i].what != flow::kind::store && !is_stack(f, i))
      return true;
  for (std::uint32_t c = 0; c < stage_.functions.size() && depth < 8; ++c)
    if (stage_.functions[c].caller == function && reads_memory(c, depth + 1)) return true;
  return false;
}

bool loop_tree::polls(std::uint32_t n) const {
  const flow::loop_facts& l = loop(n);
  for (const std::uint32_t p : l.polls)
    if (!is_stack(function(n), p)) return true;
  for (const std::uint32_t c : l.calls_tested) {
    bool has_body = false;
    for (std::uint32_t i = 0; i < stage_.functions.size(); ++i) {
      const stage_function& callee = stage_.functions[i];
      if (callee.caller != nodes_[n].function || callee.call_op != c) continue;
      has_body = true;
      if (reads_memory(i, 0)) return true;
    }
    if (!has_body) return true;  // a built-in of the debug build (__iAtomicAdd): reads memory
  }
  return false;
}

std::vector<loop_tree::operation> loop_tree::all() const {
  std::vector<operation> out;
  for (std::uint32_t f = 0; f < stage_.functions.size(); ++f)
    for (std::uint32_t i = 0; i < stage_.functions[f].code.ops.size(); ++i)
      if (stage_.functions[f].graph.block_of(i) != flow::nowhere) out.push_back({f, i});
  return out;
}

}  // namespace ptxlab::facts
