// SPDX-License-Identifier: Apache-2.0
#include "ptx/flow/loop_facts.hpp"

#include <algorithm>

#include "ptx/flow/trip_count.hpp"

namespace ptxlab::flow {

const char* name(exit_kind e) {
  switch (e) {
    case exit_kind::none:
      return "none";
    case exit_kind::load:
      return "load";
    case exit_kind::counter:
      return "counter";
    case exit_kind::load_counter:
      return "load+counter";
    case exit_kind::other:
      return "other";
  }
  return "other";
}

namespace {

void count_operations(const code& c, const graph& g, const loop& l, loop_facts& out) {
  for (const std::uint32_t b : l.blocks) {
    for (std::uint32_t i = g[b].begin; i < g[b].end; ++i) {
      ++out.instructions;
      switch (c.ops[i].what) {
        case kind::store:
          ++out.stores;
          break;
        case kind::barrier:
          ++out.barriers;
          break;
        case kind::fence:
          ++out.fences;
          break;
        case kind::call:
          ++out.calls;
          break;
        default:
          break;
      }
    }
  }
}

void find_exits(const graph& g, const region& in, const loop& l, loop_facts& out) {
  for (const std::uint32_t b : l.blocks) {
    bool leaves = g[b].leaves;
    for (const std::uint32_t s : g.successors(b)) leaves |= !in.contains(s);
    if (leaves) out.exits.push_back(g[b].end - 1);
  }
  std::sort(out.exits.begin(), out.exits.end());
}

void insert_sorted(std::vector<std::uint32_t>& all, const std::vector<std::uint32_t>& more) {
  all.insert(all.end(), more.begin(), more.end());
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
}

}  // namespace

loop_facts study(const code& c, const graph& g, const definitions& d, const loop& l,
                 effort* shared) {
  loop_facts out;
  const region in(c, g, d, l, shared);
  effort& e = in.work();
  count_operations(c, g, l, out);
  find_exits(g, in, l, out);
  bool carried = false;
  for (const std::uint32_t x : out.exits) {
    const slice s = backward_slice(c, g, in, x);
    insert_sorted(out.polls, s.loads);
    insert_sorted(out.calls_tested, s.calls);
    e.spend(s.ops.size() + out.polls.size() + out.calls_tested.size());
    carried |= s.carried;
  }
  if (e.spent()) {
    out.unclear = true;
    out.polls.clear();
    out.calls_tested.clear();
    out.exit = exit_kind::other;
    return out;
  }
  const bool polled = !out.polls.empty();
  if (out.exits.empty()) {
    out.exit = exit_kind::none;
  } else if (polled) {
    out.exit = carried ? exit_kind::load_counter : exit_kind::load;
  } else {
    out.exit = carried ? exit_kind::counter : exit_kind::other;
  }
  if (out.exits.size() == 1 && out.exit == exit_kind::counter)
    out.trip = trip_count(c, g, d, l, out.exits[0], e);
  return out;
}

bool followed_by_invalidate(const code& c, const graph& g, std::uint32_t i) {
  std::uint32_t b = g.block_of(i);
  if (b == nowhere) return false;
  for (int hops = 0; hops < 3; ++hops) {
    for (++i; i < g[b].end; ++i) {
      switch (c.ops[i].what) {
        case kind::cache_invalidate:
          return true;
        case kind::store:
        case kind::atomic:
        case kind::reduction:
        case kind::call:
          return false;
        case kind::load:
          if (c.ops[i].memory != space::constant && c.ops[i].memory != space::param) return false;
          break;
        default:
          break;
      }
    }
    if (g.successors(b).size() != 1) return false;
    b = g.successors(b)[0];
    i = g[b].begin - 1;
  }
  return false;
}

}  // namespace ptxlab::flow
