// SPDX-License-Identifier: Apache-2.0
// Trip counts against a tiny interpreter that really runs the loop: what is claimed must be true of
// any loop, and the loops that compilers write must be counted.
#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "ptx/flow/trip_count.hpp"
#include "tests/unit/ptx/snippet.hpp"

namespace ptxlab::flow {
namespace {

constexpr std::array relations = {"eq", "ne", "lt", "le", "gt", "ge"};

bool holds(int rel, bool is_unsigned, std::uint32_t a, std::uint32_t b) {
  const auto x = static_cast<std::int32_t>(a), y = static_cast<std::int32_t>(b);
  switch (rel) {
    case 0:
      return a == b;
    case 1:
      return a != b;
    case 2:
      return is_unsigned ? a < b : x < y;
    case 3:
      return is_unsigned ? a <= b : x <= y;
    case 4:
      return is_unsigned ? a > b : x > y;
    default:
      return is_unsigned ? a >= b : x >= y;
  }
}

// Registers 0..7 are %r0..%r7, predicates %p0..%p3. %r7 and %p3 hold what nobody knows.
struct step {
  enum { set, move, add, compare, invert, branch, label } what;
  int to = 0, from = 0;
  std::int32_t value = 0;
  int rel = 0;
  bool is_unsigned = false, negated = false, guarded = false;
  std::string name = {};  // of a label, or of the one to branch to

  std::string text() const {
    const std::string type = is_unsigned ? "u32" : "s32";
    switch (what) {
      case set:
        return fmt::format("mov.u32 %r{}, {};", to, value);
      case move:
        return fmt::format("mov.u32 %r{}, %r{};", to, from);
      case add:
        return fmt::format("add.s32 %r{}, %r{}, {};", to, from, value);
      case compare:
        return fmt::format("setp.{}.{} %p{}, %r{}, {};", relations[static_cast<std::size_t>(rel)],
                           type, to, from, value);
      case invert:
        return fmt::format("not.pred %p{}, %p{};", to, from);
      case branch:
        return guarded ? fmt::format("@{}%p{} bra {};", negated ? "!" : "", from, name)
                       : fmt::format("bra {};", name);
      default:
        return name + ":";
    }
  }
};

using program = std::vector<step>;

std::string text_of(const program& p) {
  std::string out;
  for (const step& s : p) out += s.text() + "\n";
  return out + "EXIT: ret;";
}

// How often control came back to LOOP before it went to EXIT; nothing after too many steps.
std::optional<std::uint64_t> run(const program& p, std::uint32_t unknown) {
  std::array<std::uint32_t, 8> r{};
  std::array<bool, 4> pred{};
  r.fill(unknown);
  pred.fill(unknown % 2 == 1);
  std::uint64_t back = 0;
  std::size_t at = 0;
  for (int steps = 0; steps < 20000; ++steps) {
    if (at == p.size()) return back;
    const step& s = p[at++];
    const auto to = static_cast<std::size_t>(s.to), from = static_cast<std::size_t>(s.from);
    if (s.what == step::set) r[to] = static_cast<std::uint32_t>(s.value);
    if (s.what == step::move) r[to] = r[from];
    if (s.what == step::add) r[to] = r[from] + static_cast<std::uint32_t>(s.value);
    if (s.what == step::compare)
      pred[to] = holds(s.rel, s.is_unsigned, r[from], static_cast<std::uint32_t>(s.value));
    if (s.what == step::invert) pred[to] = !pred[from];
    if (s.what != step::branch || (s.guarded && pred[from] == s.negated)) continue;
    back += s.name == "LOOP";
    if (s.name == "EXIT") return back;
    for (at = 0; p[at].what != step::label || p[at].name != s.name;) ++at;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> claimed(const program& p) {
  const snippet s(text_of(p));
  std::uint32_t header = 0;  // operation at LOOP
  for (const step& x : p) {
    if (x.what == step::label && x.name == "LOOP") break;
    header += x.what != step::label;
  }
  for (std::size_t l = 0; l < s.forest.loops.size(); ++l)
    if (s.graph[s.forest.loops[l].header].begin == header) return s.loop(l).trip;
  return std::nullopt;
}

step branch_to(const char* name, int predicate, bool negated) {
  step s{step::branch};
  s.name = name;
  s.from = predicate;
  s.guarded = predicate >= 0;
  s.negated = negated;
  return s;
}

step at_label(const char* name) {
  step s{step::label};
  s.name = name;
  return s;
}

// A loop as compilers write them: a start, a step, a test in front of or behind it.
struct shape {
  std::int32_t start, by, bound;
  int rel;  // stays while it holds
  bool is_unsigned, at_bottom, inverted, negated, through_moves, test_before_step;
};

program counted(const shape& c) {
  program p;
  p.push_back({step::set, 1, 0, c.start});
  if (c.through_moves) p.push_back({step::move, 2, 1});
  const int counter = c.through_moves ? 2 : 1;
  p.push_back(at_label("LOOP"));
  step test{step::compare, 0, counter, c.bound, c.rel, c.is_unsigned};
  if (c.test_before_step) p.push_back(test);
  int tested = 0;
  const auto leave_or_stay = [&](const char* stay, const char* go) {
    if (c.inverted) p.push_back({step::invert, tested = 1, 0});
    const bool when_true = c.inverted;  // the predicate tested is "leave"
    if (stay != nullptr) p.push_back(branch_to(stay, tested, when_true));
    if (go != nullptr) p.push_back(branch_to(go, tested, !when_true));
  };
  if (!c.at_bottom) {
    if (!c.test_before_step) p.push_back(test);
    leave_or_stay(nullptr, "EXIT");
  }
  if (c.through_moves) {
    p.push_back({step::add, 3, 2, c.by});
    p.push_back({step::move, 2, 3});
  } else {
    p.push_back({step::add, 1, 1, c.by});
  }
  if (c.at_bottom) {
    if (!c.test_before_step) p.push_back(test);
    leave_or_stay("LOOP", nullptr);
  } else {
    p.push_back(branch_to("LOOP", -1, false));
  }
  return p;
}

TEST(flow_trip_count, counts_the_loops_that_compilers_write) {
  std::mt19937 random(7);
  const auto in = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  int counted_loops = 0, infinite = 0;
  for (int round = 0; round < 6000; ++round) {
    shape c{};
    c.start = in(-40, 40);
    c.by = in(0, 1) ? in(1, 5) : in(-5, -1);
    c.bound = in(-60, 60);
    c.rel = in(0, 5);
    c.is_unsigned = in(0, 3) == 0;
    c.at_bottom = in(0, 1) == 1;
    c.inverted = in(0, 1) == 1;
    c.through_moves = in(0, 1) == 1;
    c.test_before_step = in(0, 1) == 1;
    const program p = counted(c);
    const auto ran = run(p, 1);
    const auto said = claimed(p);
    if (!ran) {
      ++infinite;
      ASSERT_FALSE(said) << text_of(p) << "does not end";
      continue;
    }
    const std::uint64_t expected = *ran + (c.at_bottom ? 1 : 0);
    // An unsigned counter below zero wraps around: nothing is claimed then, nor of what wraps.
    const bool plain = !c.is_unsigned || c.rel < 2 || (c.start >= 0 && c.bound >= 0 && c.by > 0);
    if (said || (plain && expected < 1000)) {
      ASSERT_EQ(said, expected) << text_of(p) << "ran " << expected;
    }
    counted_loops += said.has_value();
  }
  EXPECT_GT(counted_loops, 2500);
  EXPECT_GT(infinite, 100);
}

TEST(flow_trip_count, claims_nothing_that_is_not_so) {
  // Any steps in any order around a loop, with branches around some and loops around others.
  std::mt19937 random(11);
  const auto in = [&](int least, int most) {
    return least + static_cast<int>(random() % static_cast<unsigned>(most - least + 1));
  };
  int claims = 0;
  for (int round = 0; round < 30000; ++round) {
    program p;
    for (int i = in(1, 3); i > 0; --i) p.push_back({step::set, in(1, 3), 0, in(-9, 9)});
    p.push_back(at_label("LOOP"));
    const bool at_bottom = in(0, 1) == 1;
    const auto some = [&] {
      for (int i = in(0, 2); i > 0; --i) {
        step s{in(0, 2) == 0 ? step::move : step::add, in(1, 3), in(1, 3), in(-3, 3)};
        const int around = in(0, 7);
        const std::string name = fmt::format("L{}", p.size());
        if (around == 0) p.push_back(branch_to(name.c_str(), in(2, 3), in(0, 1) == 1));
        if (around == 1) p.push_back(at_label(name.c_str()));
        p.push_back(s);
        if (around == 0) p.push_back(at_label(name.c_str()));
        if (around == 1) {
          p.push_back({step::add, 5, 5, 1});
          p.push_back({step::compare, 2, 5, in(0, 9), 2});
          p.push_back(branch_to(name.c_str(), 2, false));
        }
      }
    };
    some();
    p.push_back({step::compare, 0, in(1, 3), in(-30, 30), in(0, 5), in(0, 3) == 0});
    if (in(0, 2) == 0) p.push_back({step::invert, 0, 0});
    const bool negated = in(0, 1) == 1;
    if (!at_bottom) {
      const bool skipped = in(0, 9) == 0;
      if (skipped) p.push_back(branch_to("SKIP", 3, in(0, 1) == 1));
      p.push_back(branch_to("EXIT", 0, negated));
      if (skipped) p.push_back(at_label("SKIP"));
      some();
      p.push_back(branch_to("LOOP", -1, false));
    } else {
      some();
      p.push_back(branch_to("LOOP", 0, negated));
    }
    const auto said = claimed(p);
    if (!said) continue;
    ++claims;
    for (const std::uint32_t unknown : {0U, 1U, 6U, 0xfffffffbU}) {
      const auto ran = run(p, unknown);
      ASSERT_TRUE(ran) << text_of(p) << "does not end, but " << *said << " is claimed";
      ASSERT_EQ(*said, *ran + (at_bottom ? 1 : 0)) << text_of(p);
    }
  }
  EXPECT_GT(claims, 500);
}

TEST(flow_trip_count, big_and_wide_bounds) {
  const auto trip = [](const char* body) { return snippet(body).loop().trip; };
  EXPECT_EQ(trip("mov.u64 %rd1, 0; L: add.s64 %rd1, %rd1, 1; setp.ne.s64 %p1, %rd1, 1000000000;\n"
                 "@%p1 bra L;"),
            1000000000u);
  // 0 to 2^32 - 2 in steps of one: spelled as -2, and in truth four thousand million passes.
  EXPECT_EQ(trip("mov.u32 %r1, 0; L: add.s32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, -2; @%p1 bra L;"),
            std::nullopt);
  EXPECT_EQ(trip("mov.u32 %r1, 0; L: add.s32 %r1, %r1, -1; setp.gt.u32 %p1, %r1, 5; @%p1 bra L;"),
            std::nullopt);
}

}  // namespace
}  // namespace ptxlab::flow
