// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/graph.hpp"

#include <algorithm>
#include <set>

namespace ptxlab::flow {
namespace {

bool falls_through(const op& o) {
  return o.then == transfer::next || o.guarded;
}

/// Calls `f(target)` for every operation that control may reach from operation `i` by a jump.
template <typename F>
void for_each_target(const code& c, std::uint32_t i, F f) {
  const op& o = c.ops[i];
  if (o.then == transfer::jump && o.target != nowhere) f(o.target);
  if (o.then != transfer::indirect) return;
  auto it = std::lower_bound(c.indirect_targets.begin(), c.indirect_targets.end(),
                             std::pair{i, std::uint32_t{0}});
  for (; it != c.indirect_targets.end() && it->first == i; ++it) f(it->second);
}

bool targets_unknown(const code& c, std::uint32_t i) {
  const op& o = c.ops[i];
  if (o.then == transfer::jump) return o.target == nowhere;
  if (o.then != transfer::indirect) return false;
  bool any = false;
  for_each_target(c, i, [&](std::uint32_t) { any = true; });
  return !any;
}

}  // namespace

graph::graph(const code& c) {
  cut_into_blocks(c);
  order_and_prune();
  find_dominators();
}

std::span<const std::uint32_t> graph::successors(std::uint32_t b) const {
  return {succ_.data() + succ_begin_[b], succ_.data() + succ_begin_[b + 1]};
}

std::span<const std::uint32_t> graph::predecessors(std::uint32_t b) const {
  return {pred_.data() + pred_begin_[b], pred_.data() + pred_begin_[b + 1]};
}

bool graph::dominates(std::uint32_t a, std::uint32_t b) const {
  return enter_[a] <= enter_[b] && leave_[b] <= leave_[a];
}

void graph::cut_into_blocks(const code& c) {
  const auto n = static_cast<std::uint32_t>(c.ops.size());
  std::vector<bool> leader(n + 1, false);
  if (n > 0) leader[0] = true;
  for (std::uint32_t i = 0; i < n; ++i) {
    for_each_target(c, i, [&](std::uint32_t t) { leader[t] = true; });
    if (c.ops[i].then != transfer::next) leader[i + 1] = true;
  }
  block_of_.assign(n, nowhere);
  for (std::uint32_t i = 0; i < n; ++i) {
    if (leader[i]) blocks_.push_back({i, i});
    blocks_.back().end = i + 1;
    block_of_[i] = static_cast<std::uint32_t>(blocks_.size() - 1);
  }
  succ_begin_.assign(1, 0);
  std::vector<std::uint32_t> added_by(blocks_.size(), nowhere);
  for (auto& b : blocks_) {
    const std::uint32_t last = b.end - 1;
    const op& o = c.ops[last];
    const auto number = static_cast<std::uint32_t>(&b - blocks_.data());
    const auto add = [&](std::uint32_t target) {
      if (added_by[target] == number) return;
      added_by[target] = number;
      succ_.push_back(target);
    };
    for_each_target(c, last, [&](std::uint32_t t) { add(block_of_[t]); });
    b.unknown = targets_unknown(c, last);
    b.leaves = o.then == transfer::leave;
    if (falls_through(o)) {
      if (b.end < n) {
        add(block_of_[b.end]);
      } else {
        b.leaves = true;  // runs off the end: PTX allows it, an implied ret
      }
    }
    succ_begin_.push_back(static_cast<std::uint32_t>(succ_.size()));
  }
}

// Renumbers the blocks in reverse post-order from the entry and drops those not reached.
void graph::order_and_prune() {
  const auto n = static_cast<std::uint32_t>(blocks_.size());
  std::vector<std::uint32_t> post, number(n, nowhere);
  std::vector<bool> seen(n, false);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> stack;  // block, next successor to visit
  if (n > 0) {
    stack.emplace_back(0, 0);
    seen[0] = true;
  }
  while (!stack.empty()) {
    auto& [b, next] = stack.back();
    const auto succ = successors(b);
    if (next == succ.size()) {
      post.push_back(b);
      stack.pop_back();
      continue;
    }
    // The fall-through is visited last, so that it comes first in reverse post-order.
    const std::uint32_t s = succ[next++];
    if (!seen[s]) {
      seen[s] = true;
      stack.emplace_back(s, 0);
    }
  }
  const auto kept = static_cast<std::uint32_t>(post.size());
  for (std::uint32_t i = 0; i < kept; ++i) number[post[kept - 1 - i]] = i;

  std::vector<block> blocks;
  std::vector<std::uint32_t> succ, begin{0};
  for (std::uint32_t i = 0; i < kept; ++i) {
    const std::uint32_t old = post[kept - 1 - i];
    blocks.push_back(blocks_[old]);
    any_unknown_ = any_unknown_ || blocks_[old].unknown;
    for (const std::uint32_t s : successors(old)) succ.push_back(number[s]);
    begin.push_back(static_cast<std::uint32_t>(succ.size()));
  }
  for (auto& b : block_of_) b = number[b];
  blocks_ = std::move(blocks);
  succ_ = std::move(succ);
  succ_begin_ = std::move(begin);

  pred_begin_.assign(kept + 1, 0);
  for (const std::uint32_t s : succ_) ++pred_begin_[s + 1];
  for (std::uint32_t i = 0; i < kept; ++i) pred_begin_[i + 1] += pred_begin_[i];
  pred_.resize(succ_.size());
  auto fill = pred_begin_;
  for (std::uint32_t b = 0; b < kept; ++b)
    for (const std::uint32_t s : successors(b)) pred_[fill[s]++] = b;
}

// Cooper, Harvey, Kennedy: "A Simple, Fast Dominance Algorithm" (2001).
void graph::find_dominators() {
  const auto n = static_cast<std::uint32_t>(blocks_.size());
  idom_.assign(n, nowhere);
  if (n == 0) return;
  idom_[0] = 0;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (a > b) a = idom_[a];
      while (b > a) b = idom_[b];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t b = 1; b < n; ++b) {
      std::uint32_t best = nowhere;
      for (const std::uint32_t p : predecessors(b)) {
        if (idom_[p] == nowhere) continue;
        best = best == nowhere ? p : meet(best, p);
      }
      if (best != idom_[b]) {
        idom_[b] = best;
        changed = true;
      }
    }
  }
  number_dominator_tree();
}

// Entry and exit times of a walk over the dominator tree, so that dominates() is two comparisons.
void graph::number_dominator_tree() {
  const auto n = static_cast<std::uint32_t>(blocks_.size());
  std::vector<std::uint32_t> size(n, 1);
  for (std::uint32_t b = n; b-- > 1;) size[idom_[b]] += size[b];
  enter_.assign(n, 0);
  leave_.assign(n, 0);
  std::vector<std::uint32_t> next_free(n, 0);
  for (std::uint32_t b = 0; b < n; ++b) {
    // A dominator has a lower number than what it dominates: its place is known by now.
    if (b > 0) {
      enter_[b] = next_free[idom_[b]];
      next_free[idom_[b]] += size[b];
    }
    leave_[b] = enter_[b] + size[b];
    next_free[b] = enter_[b] + 1;
  }
}

loop_forest find_loops(const graph& g) {
  loop_forest out;
  const auto n = static_cast<std::uint32_t>(g.size());
  std::vector<std::uint32_t> loop_of_header(n, nowhere), stack;
  for (std::uint32_t h = 0; h < n; ++h) {
    for (const std::uint32_t p : g.predecessors(h)) {
      if (p < h) continue;  // advancing edge: reverse post-order
      if (!g.dominates(h, p)) {
        if (out.irreducible.empty() || out.irreducible.back() != h) out.irreducible.push_back(h);
        continue;
      }
      if (loop_of_header[h] == nowhere) {
        loop_of_header[h] = static_cast<std::uint32_t>(out.loops.size());
        out.loops.emplace_back().header = h;
      }
      out.loops[loop_of_header[h]].latches.push_back(p);
    }
  }
  // A header's number is lower than that of every block of its loop, so the list is outer first.
  std::vector<std::uint32_t> mark(n, nowhere);
  for (std::uint32_t i = 0; i < out.loops.size(); ++i) {
    loop& l = out.loops[i];
    l.blocks.push_back(l.header);
    mark[l.header] = i;
    stack = l.latches;
    while (!stack.empty()) {
      const std::uint32_t b = stack.back();
      stack.pop_back();
      if (mark[b] == i) continue;
      mark[b] = i;
      l.blocks.push_back(b);
      for (const std::uint32_t p : g.predecessors(b)) stack.push_back(p);
    }
    std::sort(l.blocks.begin(), l.blocks.end());
  }
  for (std::uint32_t i = 0; i < out.loops.size(); ++i) {
    for (std::uint32_t j = i; j-- > 0;) {
      const auto& outer = out.loops[j].blocks;
      if (!std::binary_search(outer.begin(), outer.end(), out.loops[i].header)) continue;
      out.loops[i].parent = j;
      out.loops[i].depth = out.loops[j].depth + 1;
      break;
    }
  }
  return out;
}

std::vector<std::uint32_t> between(const graph& g, std::uint32_t begin, std::uint32_t end) {
  const std::uint32_t first = g.block_of(begin), last = g.block_of(end);
  std::set<std::uint32_t> forward, back;
  std::vector<std::uint32_t> work;
  const auto run = [&](std::set<std::uint32_t>& seen, std::uint32_t from, std::uint32_t stop,
                       bool ahead) {
    work.assign(1, from);
    while (!work.empty()) {
      const std::uint32_t b = work.back();
      work.pop_back();
      if (!seen.insert(b).second || b == stop) continue;
      const auto next = ahead ? g.successors(b) : g.predecessors(b);
      work.insert(work.end(), next.begin(), next.end());
    }
  };
  std::vector<std::uint32_t> out;
  if (first == last && begin < end) {
    for (std::uint32_t i = begin + 1; i < end; ++i) out.push_back(i);
    return out;
  }
  run(forward, first, last, true);
  run(back, last, first, false);
  for (const std::uint32_t b : forward) {
    if (!back.contains(b)) continue;
    for (std::uint32_t i = g[b].begin; i < g[b].end; ++i)
      if ((b != first || i > begin) && (b != last || i < end)) out.push_back(i);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace ptxlab::flow
