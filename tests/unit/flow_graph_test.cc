// SPDX-License-Identifier: Apache-2.0
// Blocks, dominators and natural loops, against what their definitions say of random graphs: a
// dominates b if without a there is no way from the entry to b.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <vector>

#include "ptx/flow/graph.hpp"

namespace ptxlab::flow {
namespace {

// One operation per node: an indirect jump to its successors; none means that it leaves.
code code_of(const std::vector<std::vector<std::uint32_t>>& successors) {
  code c;
  for (std::uint32_t i = 0; i < successors.size(); ++i) {
    op o;
    o.then = successors[i].empty() ? transfer::leave : transfer::indirect;
    o.where = i;
    c.ops.push_back(o);
    for (const std::uint32_t s :
         std::set<std::uint32_t>(successors[i].begin(), successors[i].end()))
      c.indirect_targets.emplace_back(i, s);
  }
  return c;
}

// Nodes that can be reached from `from` without passing `without`.
std::vector<bool> reached(const std::vector<std::vector<std::uint32_t>>& g, std::uint32_t from,
                          std::uint32_t without) {
  std::vector<bool> seen(g.size(), false);
  if (from == without) return seen;
  std::vector<std::uint32_t> stack{from};
  seen[from] = true;
  while (!stack.empty()) {
    const std::uint32_t n = stack.back();
    stack.pop_back();
    for (const std::uint32_t s : g[n])
      if (s != without && !seen[s]) {
        seen[s] = true;
        stack.push_back(s);
      }
  }
  return seen;
}

std::vector<std::vector<std::uint32_t>> random_graph(std::mt19937& random) {
  const std::uint32_t n = 2 + static_cast<std::uint32_t>(random() % 14);
  std::vector<std::vector<std::uint32_t>> g(n);
  const unsigned most = 1 + static_cast<unsigned>(random() % 3);
  for (std::uint32_t i = 0; i < n; ++i) {
    const auto edges = random() % (most + 1);
    for (unsigned e = 0; e < edges; ++e) g[i].push_back(static_cast<std::uint32_t>(random() % n));
    if (random() % 4 != 0 && i + 1 < n) g[i].push_back(i + 1);
  }
  return g;
}

struct natural_loops {
  std::set<std::pair<std::uint32_t, std::set<std::uint32_t>>> loops;  // header, body
  bool irreducible = false;
};

// From the definitions alone: back edges p -> h with h dominating p; the body is h and all that
// reaches p without h. A graph is reducible if no cycle is left once all back edges are removed.
natural_loops expected_loops(const std::vector<std::vector<std::uint32_t>>& g,
                             const std::vector<std::vector<bool>>& dominates) {
  natural_loops out;
  const auto live = reached(g, 0, nowhere);
  const auto n = static_cast<std::uint32_t>(g.size());
  std::vector<std::set<std::uint32_t>> bodies(n);
  auto forward = g;
  for (std::uint32_t p = 0; p < n; ++p) {
    if (!live[p]) continue;
    for (const std::uint32_t h : g[p]) {
      if (!dominates[h][p]) continue;
      std::erase(forward[p], h);
      bodies[h].insert(h);
      for (std::uint32_t b = 0; b < n; ++b)
        if (live[b] && (b == p || (b != h && reached(g, b, h)[p]))) bodies[h].insert(b);
    }
  }
  for (std::uint32_t h = 0; h < n; ++h)
    if (!bodies[h].empty()) out.loops.insert({h, bodies[h]});
  for (std::uint32_t b = 0; b < n; ++b)
    for (const std::uint32_t s : forward[b])
      out.irreducible |= live[b] && (s == b || reached(forward, s, nowhere)[b]);
  return out;
}

TEST(flow_graph, agrees_with_the_definitions_on_random_graphs) {
  std::mt19937 random(20260);
  int irreducible = 0, nested = 0, unreachable = 0;
  for (int round = 0; round < 4000; ++round) {
    const auto g = random_graph(random);
    const auto n = static_cast<std::uint32_t>(g.size());
    const code c = code_of(g);
    const graph found(c);
    const auto live = reached(g, 0, nowhere);
    std::vector<std::vector<bool>> dominates(n, std::vector<bool>(n, false));
    for (std::uint32_t a = 0; a < n; ++a) {
      const auto without = reached(g, 0, a);
      for (std::uint32_t b = 0; b < n; ++b) dominates[a][b] = live[b] && (a == b || !without[b]);
    }
    std::vector<std::uint32_t> node_of(found.size());
    for (std::uint32_t i = 0; i < n; ++i) {
      ASSERT_EQ(found.block_of(i) != nowhere, live[i]) << "round " << round;
      if (live[i]) node_of[found.block_of(i)] = i;
      unreachable += !live[i];
    }
    for (const std::uint32_t a : node_of)
      for (const std::uint32_t b : node_of)
        ASSERT_EQ(found.dominates(found.block_of(a), found.block_of(b)), dominates[a][b])
            << "round " << round << ", " << a << " and " << b;
    for (std::uint32_t b = 1; b < found.size(); ++b) {
      // The immediate dominator: every other strict dominator dominates it.
      const std::uint32_t node = node_of[b], idom = node_of[found.idom(b)];
      ASSERT_TRUE(idom != node && dominates[idom][node]);
      for (const std::uint32_t a : node_of)
        ASSERT_TRUE(a == node || !dominates[a][node] || dominates[a][idom]) << "round " << round;
    }

    const loop_forest forest = find_loops(found);
    const natural_loops expected = expected_loops(g, dominates);
    natural_loops actual;
    for (const loop& l : forest.loops) {
      std::set<std::uint32_t> body;
      for (const std::uint32_t b : l.blocks) body.insert(node_of[b]);
      actual.loops.insert({node_of[l.header], body});
      if (l.parent == nowhere) {
        EXPECT_EQ(l.depth, 1u);
      } else {
        const loop& outer = forest.loops.at(l.parent);
        ++nested;
        EXPECT_EQ(l.depth, outer.depth + 1);
        EXPECT_TRUE(std::includes(outer.blocks.begin(), outer.blocks.end(), l.blocks.begin(),
                                  l.blocks.end()))
            << "round " << round;
      }
    }
    ASSERT_EQ(actual.loops, expected.loops) << "round " << round;
    ASSERT_EQ(!forest.irreducible.empty(), expected.irreducible) << "round " << round;
    irreducible += expected.irreducible;
  }
  EXPECT_GT(irreducible, 200) << "the graphs must have all that is tested";
  EXPECT_GT(nested, 200);
  EXPECT_GT(unreachable, 200);
}

TEST(flow_graph, cuts_blocks_at_jumps_and_targets) {
  code c;
  c.ops.resize(5);
  c.ops[1].then = transfer::jump;  // if (p) goto 3
  c.ops[1].guarded = true;
  c.ops[1].target = 3;
  c.ops[4].then = transfer::jump;
  c.ops[4].target = 1;
  const graph g(c);
  ASSERT_EQ(g.size(), 4u);
  EXPECT_EQ(g[g.block_of(0)].end, 1u) << "operation 1 is a target";
  EXPECT_EQ(g[g.block_of(3)].begin, 3u);
  EXPECT_EQ(g.successors(g.block_of(1)).size(), 2u);
  EXPECT_FALSE(g.any_unknown());
}

TEST(flow_graph, the_end_of_the_code_leaves) {
  code c;
  c.ops.resize(1);
  EXPECT_TRUE(graph(c)[0].leaves);
  EXPECT_EQ(graph(code{}).size(), 0u);
  c.ops[0].then = transfer::jump;  // to nowhere: cannot tell
  EXPECT_TRUE(graph(c).any_unknown());
  EXPECT_FALSE(graph(c)[0].leaves);
  c.ops[0].guarded = true;
  EXPECT_TRUE(graph(c)[0].leaves);
}

TEST(flow_graph, a_deep_chain_does_not_overflow) {
  code c;
  c.ops.resize(200000);
  for (std::uint32_t i = 0; i < c.ops.size(); ++i) {
    c.ops[i].then = transfer::jump;
    c.ops[i].guarded = true;
    c.ops[i].target = i > 0 ? i - 1 : 0;
  }
  const graph g(c);
  EXPECT_EQ(g.size(), 200000u);
  EXPECT_TRUE(g.dominates(0, 199999));
}

}  // namespace
}  // namespace ptxlab::flow
