// SPDX-License-Identifier: Apache-2.0
// Reaching definitions against the textbook's fixed point on random code, and what is said of the
// exits of loops that people write.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "ptx/flow/data_flow.hpp"
#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab::flow {
namespace {

constexpr std::uint32_t outside = nowhere;

// Random code over four registers: each operation reads one, may write one, may branch.
code random_code(std::mt19937& random) {
  code c;
  c.reg_count = 4;
  const std::uint32_t n = 3 + static_cast<std::uint32_t>(random() % 20);
  for (std::uint32_t i = 0; i < n; ++i) {
    op o;
    o.first_reg = static_cast<std::uint32_t>(c.regs.size());
    o.reads = 1;
    c.regs.push_back(static_cast<reg>(random() % 4));
    o.guarded = random() % 3 == 0;
    if (random() % 2 == 0) {
      o.writes = 1;
      c.regs.push_back(static_cast<reg>(random() % 4));
    }
    if (random() % 3 == 0) {
      o.then = random() % 6 == 0 ? transfer::leave : transfer::jump;
      if (o.then == transfer::jump) o.target = static_cast<std::uint32_t>(random() % n);
      o.guarded = random() % 4 != 0;
    }
    c.ops.push_back(o);
  }
  return c;
}

// Definitions of every register in front of every operation, by iteration over single operations.
// Only operations of `inside` count; what comes from elsewhere is `outside`.
std::vector<std::vector<std::set<std::uint32_t>>> fixed_point(const code& c, const graph& g,
                                                              const std::vector<bool>& inside,
                                                              std::uint32_t entry) {
  using state = std::vector<std::set<std::uint32_t>>;
  const auto n = static_cast<std::uint32_t>(c.ops.size());
  std::vector<state> before(n, state(c.reg_count));
  for (auto& s : before[entry]) s.insert(outside);
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!inside[i]) continue;
      const op& o = c.ops[i];
      state after = before[i];
      for (const reg w : c.writes(o)) {
        if (!o.guarded) after[w].clear();
        after[w].insert(i);
      }
      std::vector<std::uint32_t> next;
      if (o.then == transfer::jump) next.push_back(o.target);
      if ((o.then == transfer::next || o.guarded) && i + 1 < n) next.push_back(i + 1);
      for (const std::uint32_t s : next) {
        if (!inside[s] || g.block_of(s) == nowhere) continue;
        for (reg r = 0; r < c.reg_count; ++r)
          for (const std::uint32_t d : after[r]) changed |= before[s][r].insert(d).second;
      }
    }
  }
  return before;
}

void compare(const code& c, const graph& g, const region& in, const std::vector<bool>& inside,
             std::uint32_t entry, int round) {
  const auto expected = fixed_point(c, g, inside, entry);
  for (std::uint32_t i = 0; i < c.ops.size(); ++i) {
    if (!inside[i]) continue;
    for (reg r = 0; r < c.reg_count; ++r) {
      const reaching found = in.at(i, r);
      std::set<std::uint32_t> all(found.ops.begin(), found.ops.end());
      if (found.from_outside) all.insert(outside);
      ASSERT_EQ(all, expected[i][r])
          << "round " << round << " operation " << i << " register " << r;
    }
  }
}

TEST(flow_reaching, agrees_with_the_fixed_point) {
  std::mt19937 random(4);
  int loops = 0;
  for (int round = 0; round < 3000; ++round) {
    const code c = random_code(random);
    const graph g(c);
    const definitions d(c);
    std::vector<bool> inside(c.ops.size());
    for (std::uint32_t i = 0; i < c.ops.size(); ++i) inside[i] = g.block_of(i) != nowhere;
    compare(c, g, region(c, g, d), inside, 0, round);
    for (const loop& l : find_loops(g).loops) {
      // A loop at the very start is entered without an edge: nothing shows that.
      if (l.header == 0) continue;
      ++loops;
      for (std::uint32_t i = 0; i < c.ops.size(); ++i)
        inside[i] = std::binary_search(l.blocks.begin(), l.blocks.end(), g.block_of(i));
      compare(c, g, region(c, g, d, l), inside, g[l.header].begin, round);
    }
  }
  EXPECT_GT(loops, 1000);
}

// --- exits of loops ---------------------------------------------------------------------------

struct row {
  const char *what, *exit, *body;
};

TEST(flow_exit, is_what_the_exit_depends_on) {
  constexpr row rows[] = {
      {"poll", "load", "L: ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"poll through arithmetic", "load",
       "L: ld.global.u32 %r1, [%rd1]; and.b32 %r2, %r1, 1; setp.eq.s32 %p1, %r2, 0; @%p1 bra L;"},
      {"poll by atomic", "load",
       "L: atom.global.cas.b32 %r1, [%rd1], 0, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"poll with exit in the middle", "load",
       "L: ld.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 0; @%p1 bra E; bra L; E: ret;"},
      {"poll through a shuffle", "load",
       "L: ld.global.u32 %r1, [%rd1]; shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n"
       "setp.eq.s32 %p1, %r2, 0; @%p1 bra L;"},
      {"counter", "counter", "L: add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra L;"},
      {"counter through a move", "counter",
       "mov.u32 %r2, 0; L: add.s32 %r1, %r2, 1; mov.u32 %r2, %r1; setp.lt.s32 %p1, %r1, 9;\n"
       "@%p1 bra L;"},
      {"counter by shifting", "counter",
       "L: shr.u32 %r1, %r1, 1; setp.ne.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"poll with a limit", "load+counter",
       "L: ld.volatile.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 0; @%p1 bra E;\n"
       "add.s32 %r2, %r2, 1; setp.lt.s32 %p2, %r2, 99; @%p2 bra L; E: ret;"},
      {"no exit", "none", "ld.global.u32 %r1, [%rd1]; L: add.s32 %r2, %r2, 1; bra L;"},
      {"loaded in front of the loop", "other",
       "ld.global.u32 %r1, [%rd1]; L: setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"loaded, but not tested", "counter",
       "L: ld.global.u32 %r3, [%rd1]; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, 9; @%p1 bra L;"},
      {"time", "other", "L: mov.u64 %rd2, %clock64; setp.lt.s64 %p1, %rd2, %rd3; @%p1 bra L;"},
      {"parameter", "other", "L: ld.param.u32 %r1, [p2]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"call", "other",
       "L: { .param .b32 r0; call (r0), p0, (); ld.param.b32 %r1, [r0]; }\n"
       "setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"a list in memory", "load",
       "L: ld.global.u64 %rd1, [%rd1]; setp.ne.s64 %p1, %rd1, 0;\n"
       "@%p1 bra L;"},
      {"counter behind a guarded load", "load",
       "L: @%p2 ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"done-flag under a branch on a load", "load",
       "mov.u32 %r2, 0; L: ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra S;\n"
       "mov.u32 %r2, 1; S: setp.eq.s32 %p2, %r2, 0; @%p2 bra L;"},
      {"done-flag under two branches", "load",
       "mov.u32 %r2, 0; L: @%p3 bra D; ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;\n"
       "@%p1 bra S; D: mov.u32 %r2, 1; S: setp.eq.s32 %p2, %r2, 0; @%p2 bra L;"},
      {"done-flag by selection", "load",
       "mov.u32 %r2, 0; L: ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0;\n"
       "selp.b32 %r2, %r2, 1, %p1; setp.eq.s32 %p2, %r2, 0; @%p2 bra L;"},
      {"done-flag as a predicate", "load",
       "L: ld.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 0; or.pred %p2, %p2, %p1;\n"
       "@!%p2 bra L;"},
      {"flag under a branch that has nothing to do with the load", "other",
       "L: ld.global.u32 %r1, [%rd1]; st.global.u32 [%rd2], %r1; @%p3 bra S; mov.u32 %r2, 1;\n"
       "S: setp.eq.s32 %p2, %r2, 0; @%p2 bra L;"},
      // The load decides only which way is taken to where the flag is set in any case.
      {"branch on a load that decides nothing", "other",
       "L: ld.global.u32 %r1, [%rd1]; setp.eq.s32 %p1, %r1, 0; @%p1 bra A; add.s32 %r5, %r5, 1;\n"
       "A: @%p3 bra S; mov.u32 %r2, 1; S: setp.eq.s32 %p2, %r2, 0; @%p2 bra L;"},
      {"guarded exit", "load",
       "L: ld.global.u32 %r1, [%rd1]; setp.ne.s32 %p1, %r1, 0; @%p1 ret; bra L;"},
      {"shared memory", "load",
       "L: ld.volatile.shared.u32 %r1, [%r2]; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;"},
      {"mbarrier", "load", "L: mbarrier.try_wait.shared.b64 %p1, [%r1], %rd1; @!%p1 bra L;"}};
  for (const row& r : rows) {
    const snippet s(r.body);
    ASSERT_EQ(s.forest.loops.size(), 1u) << r.what;
    EXPECT_EQ(s.exit(), r.exit) << r.what;
  }
}

TEST(flow_exit, names_polls_and_calls) {
  const snippet s(
      "L: ld.volatile.global.u32 %r1, [%rd1]; ld.global.u32 %r3, [%rd2];\n"
      "st.global.u32 [%rd3], %r3; bar.sync 0; membar.gl; setp.eq.s32 %p1, %r1, 0; @%p1 bra L;");
  const loop_facts l = s.loop();
  EXPECT_EQ(l.polls, std::vector<std::uint32_t>{0}) << "the second load decides nothing";
  EXPECT_EQ(l.exits, std::vector<std::uint32_t>{6});
  EXPECT_EQ(l.instructions, 7u);
  EXPECT_EQ(l.stores, 1u);
  EXPECT_EQ(l.barriers, 1u);
  EXPECT_EQ(l.fences, 1u);
  EXPECT_EQ(l.calls, 0u);
  const snippet calls("L: call (%r1), p0, (%r2); setp.eq.s32 %p1, %r1, 0; @%p1 bra L;");
  EXPECT_EQ(calls.loop().calls_tested, std::vector<std::uint32_t>{0});
  EXPECT_EQ(calls.loop().calls, 1u);
}

TEST(flow_exit, of_nested_loops) {
  const snippet s(
      "mov.u32 %r1, 0; O: I: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.s32 %p1, %r2, 0;\n"
      "@%p1 bra I; X: add.s32 %r1, %r1, 1; setp.lt.s32 %p2, %r1, 5; @%p2 bra Y; ret;\n"
      "Y: bra Z; Z: mov.u32 %r9, 1; bra O;");
  // Both loops start at the same block, so they are one natural loop with two latches.
  ASSERT_EQ(s.forest.loops.size(), 1u);
  EXPECT_EQ(s.forest.loops[0].latches.size(), 2u);
  const snippet apart(
      "mov.u32 %r1, 0; O: mov.u32 %r9, 1; I: ld.volatile.global.u32 %r2, [%rd1];\n"
      "setp.eq.s32 %p1, %r2, 0; @%p1 bra I; add.s32 %r1, %r1, 1; setp.lt.s32 %p2, %r1, 5;\n"
      "@%p2 bra O;");
  ASSERT_EQ(apart.forest.loops.size(), 2u);
  EXPECT_EQ(apart.exit(0), "counter");
  EXPECT_EQ(apart.loop(0).trip, 5u);
  EXPECT_EQ(apart.exit(1), "load");
  EXPECT_EQ(apart.forest.loops[1].depth, 2u);
}

TEST(flow_slice, tells_lanes_and_clocks) {
  const auto of = [](const char* body) {
    const snippet s(body);
    const region all(s.code, s.graph, s.definitions);
    return backward_slice(s.code, s.graph, all, static_cast<std::uint32_t>(s.code.ops.size() - 2));
  };
  EXPECT_TRUE(of("mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 31; setp.eq.s32 %p1, %r2, 0;\n"
                 "@%p1 bra E; E: ret;")
                  .lane_dependent);
  EXPECT_FALSE(
      of("mov.u32 %r1, %ctaid.x; setp.eq.s32 %p1, %r1, 0; @%p1 bra E; E: ret;").lane_dependent);
  EXPECT_TRUE(of("mov.u32 %r1, %clock; setp.eq.s32 %p1, %r1, 0; @%p1 bra E; E: ret;").clock);
  // Lane-dependent only because of a branch that decides which value arrives.
  EXPECT_TRUE(of("mov.u32 %r3, %tid.x; mov.u32 %r1, 0; setp.eq.s32 %p2, %r3, 0; @%p2 bra S;\n"
                 "mov.u32 %r1, 1; S: setp.eq.s32 %p1, %r1, 0; @%p1 bra E; E: ret;")
                  .lane_dependent);
}

}  // namespace
}  // namespace ptxlab::flow
