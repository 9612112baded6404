// SPDX-License-Identifier: Apache-2.0
// Expectations against hand-written facts. Every clause is shown to hold once, and a changed fact
// flips it: to fail where the fact says otherwise, to not trustworthy where it is missing.
#include "analysis/verdict/evaluate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "analysis/verdict/strength.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::verdict {
namespace {

using mutation = std::function<void(facts::report&)>;

facts::loop make_loop(const std::string& id, int line, const std::string& exit) {
  facts::loop l;
  l.id = id;
  l.file = "spin.cu";
  l.line = line;
  l.instructions = 4;
  l.exit = exit;
  return l;
}

/// One kernel with a wait (L1) and a counted loop (L2) at both stages. A third loop of the source
/// was deleted, a fourth unrolled.
facts::report base() {
  facts::kernel k;
  k.name = "_Z4waitPi";
  k.demangled = "void ns::wait<int>(int*)";
  k.res.registers = 60;
  k.res.stack_bytes = 16;
  k.res.spill_store_bytes = 0;
  k.res.spill_load_bytes = 0;
  k.occ = {{256, 4, 32, 0.5, "registers"}};
  facts::loop wait = make_loop("L1", 12, "load");
  wait.polls = {{"global", 32, "volatile", "param+0", false, 12}};
  facts::loop counted = make_loop("L2", 20, "counter");
  counted.trip = 10;
  k.ptx.known = k.sass.known = true;
  k.ptx.instructions = 30;
  k.ptx.opcodes = {{"ld.volatile.global.u32", 1}, {"ret", 1}};
  k.ptx.loops = {wait, counted};
  wait.polls[0].strength = "strong.gpu";
  wait.polls[0].acquire = true;
  k.sass.instructions = 40;
  k.sass.opcodes = {{"LDG.E.64", 1}, {"LDG.E.STRONG.GPU", 2}, {"EXIT", 1}};
  k.sass.loops = {wait, counted};
  k.loops.resize(4);
  k.loops[0] = {"spin.cu", 12, "", "kept", "", true, false, {}, "L1", "L1", {}};
  k.loops[1] = {"spin.cu", 20, "", "kept", "", false, false, {}, "L2", "L2", {}};
  k.loops[2] = {"spin.cu", 30, "", "deleted", "ptxas", false, false, {}, {}, {}, {}};
  k.loops[3] = {"spin.cu", 40, "", "unrolled", "nvcc", false, true, 4, {}, {}, {}};
  k.findings = {{"double-arithmetic", "note", "ptx", "spin.cu", 20, "A double."}};
  facts::report r;
  r.toolkit = {{"nvcc", "13.0.88"}, {"ptxas", "13.0.88"}};
  r.arch = "sm_90";
  r.input = "dir/spin.cu";
  r.kernels = {k};
  return r;
}

result judge(const std::string& clauses, const mutation& change = nullptr) {
  facts::report r = base();
  if (change) change(r);
  const auto all = evaluate(parse_clauses(clauses, "_Z4waitPi", {"spin.cu", 5, 1}), r);
  EXPECT_EQ(all.size(), 1U);
  return all.at(0);
}

facts::kernel& k(facts::report& r) {
  return r.kernels[0];
}
facts::poll& ptx_poll(facts::report& r) {
  return k(r).ptx.loops[0].polls[0];
}
facts::poll& sass_poll(facts::report& r) {
  return k(r).sass.loops[0].polls[0];
}

struct clause_case {
  std::string clauses;
  mutation change;
  outcome expected;
  std::string evidence;  ///< has to be part of the evidence
};

void PrintTo(const clause_case& c, std::ostream* out) {
  *out << c.clauses;
}

class clause : public testing::TestWithParam<clause_case> {};

TEST_P(clause, holds_and_flips) {
  const clause_case& c = GetParam();
  const result before = judge(c.clauses);
  EXPECT_EQ(before.what, outcome::pass) << before.evidence;
  EXPECT_FALSE(before.evidence.empty());
  const result after = judge(c.clauses, c.change);
  EXPECT_EQ(name(after.what), std::string(name(c.expected))) << after.evidence;
  EXPECT_NE(after.evidence.find(c.evidence), std::string::npos) << after.evidence;
}

constexpr outcome fail = outcome::fail;
constexpr outcome unclear = outcome::not_trustworthy;

INSTANTIATE_TEST_SUITE_P(
    resources, clause,
    testing::Values(
        clause_case{"registers <= 64", [](auto& r) { k(r).res.registers = 72; }, fail,
                    "registers is 72"},
        clause_case{"registers <= 64", [](auto& r) { k(r).res.registers.reset(); }, unclear,
                    "registers is reported by no tool"},
        clause_case{"spill_store_bytes == 0", [](auto& r) { k(r).res.spill_store_bytes = 4; }, fail,
                    "spill_store_bytes is 4"},
        clause_case{"spill_store_bytes == 0", [](auto& r) { k(r).res.spill_store_bytes.reset(); },
                    unclear, "no tool"},
        clause_case{"stack_bytes <= 16", [](auto& r) { k(r).res.recursive = true; }, unclear,
                    "recursion"},
        clause_case{"stack_bytes < 20",
                    [](auto& r) {
                      k(r).res.recursive = true;
                      k(r).res.stack_bytes = 24;
                    },
                    fail, "stack_bytes is 24 or more"},
        clause_case{"occupancy(256) >= 0.5", [](auto& r) { k(r).occ[0].fraction = 0.25; }, fail,
                    "occupancy(256) is 0.25 (limiter registers)"},
        clause_case{"occupancy(256) == 0.5", [](auto& r) { k(r).occ[0].block_threads = 128; },
                    unclear, "computed for 128 threads only"},
        clause_case{"blocks_per_sm(256) >= 4", [](auto& r) { k(r).occ[0].blocks_per_sm = 3; }, fail,
                    "blocks_per_sm(256) is 3"},
        clause_case{"blocks_per_sm(256) >= 4", [](auto& r) { k(r).occ.clear(); }, unclear,
                    "not computed"}));

INSTANTIATE_TEST_SUITE_P(
    stage_counts, clause,
    testing::Values(
        clause_case{"instructions < 41", [](auto& r) { k(r).sass.instructions = 41; }, fail,
                    "sass instructions is 41"},
        clause_case{"instructions < 41", [](auto& r) { k(r).sass.known = false; }, unclear,
                    "sass is unknown"},
        clause_case{"instructions < 41", [](auto& r) { k(r).sass.instructions = 0; }, unclear,
                    "sass is empty"},
        clause_case{"both; instructions >= 30", [](auto& r) { k(r).ptx.instructions = 29; }, fail,
                    "ptx instructions is 29"},
        clause_case{"both; instructions >= 30",
                    [](auto& r) {
                      k(r).ptx.known = false;
                      k(r).ptx.reason = "input is a cubin";
                    },
                    unclear, "ptx is unknown: input is a cubin"},
        clause_case{"ptx; loops == 2", [](auto& r) { k(r).ptx.loops.pop_back(); }, fail,
                    "ptx loops is 1"},
        clause_case{"loops == 2", [](auto& r) { k(r).sass.irreducible = true; }, unclear,
                    "no natural loop"},
        clause_case{"opcode(LDG.E*) == 3", [](auto& r) { k(r).sass.opcodes["LDG.E.U8"] = 1; }, fail,
                    "sass opcode(LDG.E*) is 4 (LDG.E.64 1, LDG.E.STRONG.GPU 2, LDG.E.U8 1)"},
        clause_case{"opcode(STL*) == 0", [](auto& r) { k(r).sass.known = false; }, unclear,
                    "sass is unknown"},
        clause_case{"ptx; opcode(ld.volatile.*) == 1", [](auto& r) { k(r).ptx.opcodes.clear(); },
                    fail, "is 0"}));

INSTANTIATE_TEST_SUITE_P(
    loops, clause,
    testing::Values(
        clause_case{"loop polls", [](auto& r) { k(r).sass.loops[0].polls.clear(); }, fail,
                    "sass has no such loop: L1 line 12 exit load trip ? (it polls nothing), L2 "
                    "line 20 exit counter trip 10 (it polls nothing)"},
        clause_case{"loop polls", [](auto& r) { k(r).sass.loops.clear(); }, fail,
                    "sass has no loop"},
        clause_case{"loop polls", [](auto& r) { k(r).sass.known = false; }, unclear, "unknown"},
        clause_case{"loop polls", [](auto& r) { k(r).sass.irreducible = true; }, unclear,
                    "no natural loop"},
        clause_case{"loop polls", [](auto& r) { k(r).sass.unknown_branches = true; }, unclear,
                    "indirect branch"},
        clause_case{"both; loop polls", [](auto& r) { k(r).ptx.loops.clear(); }, fail,
                    "ptx has no loop"},
        clause_case{"ptx; loop polls", [](auto& r) { k(r).ptx.loops.clear(); }, fail, "ptx has no"},
        clause_case{"loop exit load", [](auto& r) { k(r).sass.loops[0].exit = "none"; }, fail,
                    "exit is none"},
        clause_case{"loop exit load", [](auto& r) { k(r).sass.loops[0].exit = ""; }, unclear,
                    "exit is not known"},
        clause_case{"loop exit counter trip == 10", [](auto& r) { k(r).sass.loops[1].trip = 9; },
                    fail, "trip is 9"},
        clause_case{"loop exit counter trip == 10",
                    [](auto& r) { k(r).sass.loops[1].trip.reset(); }, unclear,
                    "trip count is not known"},
        clause_case{"loop 2 exit counter", [](auto& r) { k(r).sass.loops.pop_back(); }, fail,
                    "has no loop 2"},
        clause_case{"loop 2 exit counter",
                    [](auto& r) { std::swap(k(r).sass.loops[0], k(r).sass.loops[1]); }, fail,
                    "exit is load"},
        clause_case{"loop line 12 polls", [](auto& r) { k(r).sass.loops[0].line = 13; }, fail,
                    "has no loop on line 12"},
        clause_case{"loop line 12 polls", [](auto& r) { k(r).sass.loops[0].line.reset(); }, unclear,
                    "line is not known"},
        clause_case{"loop line 12 polls", [](auto& r) { k(r).sass.loops[0].file = "bar.cuh"; },
                    fail, "line 12 of bar.cuh"}));

INSTANTIATE_TEST_SUITE_P(
    polls, clause,
    testing::Values(
        clause_case{"loop; strength >= volatile", [](auto& r) { sass_poll(r).strength = "weak"; },
                    fail, "poll strength is weak"},
        clause_case{"loop; strength >= volatile",
                    [](auto& r) {
                      sass_poll(r).strength = "shared";
                      k(r).sass.loops.pop_back();
                    },
                    unclear, "no ordering of shared memory"},
        clause_case{"loop; strength >= volatile", [](auto& r) { sass_poll(r).strength = "new.x"; },
                    unclear, "'new.x' is not a known one"},
        clause_case{"loop; strength == strong.gpu",
                    [](auto& r) { sass_poll(r).strength = "strong.cta"; }, fail, "strong.cta"},
        clause_case{"loop; strength >= acquire", [](auto& r) { sass_poll(r).acquire = false; },
                    fail, "poll strength is strong.gpu"},
        clause_case{"ptx; loop; strength == volatile",
                    [](auto& r) { ptx_poll(r).strength = "weak"; }, fail, "weak"},
        clause_case{"both; loop; strength >= relaxed.gpu",
                    [](auto& r) { ptx_poll(r).strength = "relaxed.cta"; }, fail, "relaxed.cta"},
        clause_case{"loop polls; acquire", [](auto& r) { sass_poll(r).acquire = false; }, fail,
                    "poll is no acquire"},
        clause_case{"loop polls; acquire", [](auto& r) { sass_poll(r).strength = "shared"; },
                    unclear, "shared"},
        clause_case{"loop; space == global", [](auto& r) { sass_poll(r).space = "shared"; }, fail,
                    "poll space is shared"},
        clause_case{"loop; space == global", [](auto& r) { sass_poll(r).space = "generic"; },
                    unclear, "poll space is generic"},
        clause_case{"loop; space != local", [](auto& r) { sass_poll(r).space = "local"; }, fail,
                    "poll space is local"},
        clause_case{"loop; width == 32", [](auto& r) { sass_poll(r).width = 8; }, fail,
                    "poll width is 8"},
        clause_case{"loop; width == 32", [](auto& r) { sass_poll(r).width = 0; }, unclear,
                    "width is not known"},
        clause_case{"loop; polls == 1",
                    [](auto& r) { k(r).sass.loops[0].polls.resize(2, sass_poll(r)); }, fail,
                    "polls is 2"},
        // Each poll of the loop has to meet the demand, not only one.
        clause_case{"loop; strength >= volatile",
                    [](auto& r) {
                      facts::poll weak = sass_poll(r);
                      weak.strength = "weak";
                      k(r).sass.loops[0].polls.push_back(weak);
                    },
                    fail, "weak"}));

INSTANTIATE_TEST_SUITE_P(
    verdicts, clause,
    testing::Values(
        clause_case{"loop kept",
                    [](auto& r) { k(r).loops.erase(k(r).loops.begin(), k(r).loops.begin() + 2); },
                    fail, "loop line 30 deleted in ptxas (verdict is deleted)"},
        clause_case{"loop line 12 kept", [](auto& r) { k(r).loops[0].verdict = "load-hoisted"; },
                    fail, "verdict is load-hoisted"},
        clause_case{"loop line 12 kept",
                    [](auto& r) {
                      k(r).loops[0].verdict = "unknown";
                      k(r).loops[0].evidence = {"two loops share the line"};
                    },
                    unclear, "its verdict is unknown: two loops share the line"},
        clause_case{"loop line 12 kept", [](auto& r) { k(r).loops[0].verdict = ""; }, unclear,
                    "unknown"},
        clause_case{"loop 1 kept peeled", [](auto& r) { k(r).loops[0].peeled = false; }, fail,
                    "not peeled"},
        clause_case{"loop deleted", [](auto& r) { k(r).loops[2].verdict = "kept"; }, fail,
                    "the source has no such loop"},
        clause_case{"loop deleted", [](auto& r) { k(r).loops[2].verdict = "unknown"; }, unclear,
                    "unknown"},
        clause_case{"loop deleted", [](auto& r) { k(r).sass.irreducible = true; }, unclear,
                    "no natural loop"},
        clause_case{"loop deleted", [](auto& r) { k(r).ptx.unknown_branches = true; }, unclear,
                    "indirect branch"},
        clause_case{"loop deleted", [](auto& r) { k(r).loops.clear(); }, unclear,
                    "no loop of the source was followed"},
        clause_case{"loop deleted in ptxas", [](auto& r) { k(r).loops[2].lost_in = "nvcc"; }, fail,
                    "lost in nvcc"},
        clause_case{"loop deleted in ptxas", [](auto& r) { k(r).loops[2].lost_in = ""; }, unclear,
                    "which compiler"},
        clause_case{"loop unrolled by 4", [](auto& r) { k(r).loops[3].factor = 2; }, fail,
                    "factor is 2"},
        clause_case{"loop unrolled by 4", [](auto& r) { k(r).loops[3].factor.reset(); }, unclear,
                    "factor is not known"},
        clause_case{"loop unrolled full", [](auto& r) { k(r).loops[3].full = false; }, fail,
                    "a loop is left"},
        // Stage properties together with a verdict: through the ids of the row only.
        clause_case{"loop kept polls; strength == strong.gpu",
                    [](auto& r) { k(r).loops[0].sass_loop = "L2"; }, fail,
                    "sass L2: it polls nothing"},
        clause_case{"loop kept peeled polls", [](auto& r) { k(r).loops[0].sass_loop.reset(); },
                    fail, "it has no loop in sass"},
        clause_case{"loop kept peeled polls", [](auto& r) { k(r).loops[0].sass_loop = "L9"; },
                    unclear, "no loop called L9"},
        clause_case{"loop kept peeled polls", [](auto& r) { k(r).sass.known = false; }, unclear,
                    "sass is unknown"},
        clause_case{"both; loop kept polls", [](auto& r) { k(r).loops[0].ptx_loop = "L2"; }, fail,
                    "ptx L2: it polls nothing"}));

INSTANTIATE_TEST_SUITE_P(
    findings, clause,
    testing::Values(
        clause_case{"finding double-arithmetic", [](auto& r) { k(r).findings.clear(); }, fail,
                    "no finding double-arithmetic"},
        clause_case{"no finding spill",
                    [](auto& r) {
                      k(r).findings.push_back({"spill", "warning", "log", "", {}, ""});
                    },
                    fail, "finding spill warning log"},
        clause_case{"no finding spill", [](auto& r) { k(r).res.spill_load_bytes.reset(); }, unclear,
                    "spills are reported by no tool"},
        clause_case{"no finding local-array", [](auto& r) { k(r).res.stack_bytes.reset(); },
                    unclear, "stack frame"},
        clause_case{"no finding spin-weak", [](auto& r) { k(r).ptx.known = false; }, unclear,
                    "ptx is unknown"},
        clause_case{"no finding spin-weak", [](auto& r) { k(r).sass.irreducible = true; }, unclear,
                    "no natural loop"},
        clause_case{"no finding spin-lost", [](auto& r) { k(r).loops[1].verdict = "unknown"; },
                    unclear, "what became of a loop"},
        clause_case{"no findings", [](auto& r) { k(r).findings[0].severity = "warning"; }, fail,
                    "finding double-arithmetic warning ptx line 20"},
        clause_case{"no findings", [](auto& r) { k(r).findings[0].severity = "error"; }, fail,
                    "error"},
        clause_case{"no findings", [](auto& r) { k(r).sass.known = false; }, unclear,
                    "sass is unknown"}));

TEST(evaluate, one_loop_has_to_meet_all_clauses_of_the_line) {
  EXPECT_EQ(judge("loop polls; loop exit load").what, outcome::pass);
  EXPECT_EQ(judge("loop polls; loop exit counter").what, fail);
  EXPECT_EQ(judge("loop exit counter; strength >= weak").what, fail);
}

TEST(evaluate, every_loop_means_all_and_at_least_one) {
  const mutation only_waits = [](auto& r) { k(r).sass.loops.pop_back(); };
  EXPECT_EQ(judge("every loop polls", only_waits).what, outcome::pass);
  const result one_is_not = judge("every loop polls");
  EXPECT_EQ(one_is_not.what, fail);
  EXPECT_EQ(one_is_not.evidence, "sass L2 line 20 exit counter trip 10 (it polls nothing)");
  EXPECT_EQ(judge("every loop polls", [](auto& r) { k(r).sass.loops.clear(); }).what, fail);
  EXPECT_EQ(judge("every loop kept").what, fail);
  EXPECT_EQ(judge("every loop kept", [](auto& r) { k(r).loops.resize(2); }).what, outcome::pass);
  const auto one_unknown = [](auto& r) {
    k(r).loops.resize(2);
    k(r).loops[1].verdict = "unknown";
  };
  EXPECT_EQ(judge("every loop kept", one_unknown).what, unclear);
}

TEST(evaluate, no_loop_means_none_at_the_stage) {
  const mutation none = [](auto& r) { k(r).sass.loops.clear(); };
  EXPECT_EQ(judge("no loop", none).what, outcome::pass);
  EXPECT_EQ(judge("both; no loop", none).what, fail);
  EXPECT_EQ(judge("ptx; no loop", none).what, fail);
  const result two = judge("no loop");
  EXPECT_EQ(two.what, fail);
  EXPECT_NE(two.evidence.find("sass has L1 line 12"), std::string::npos) << two.evidence;
  for (const mutation& m : {mutation([](auto& r) { k(r).sass.known = false; }),
                            mutation([](auto& r) { k(r).sass.irreducible = true; }),
                            mutation([](auto& r) { k(r).sass.unknown_branches = true; }),
                            mutation([](auto& r) { k(r).sass.instructions = 0; })}) {
    EXPECT_EQ(judge("no loop",
                    [&](auto& r) {
                      none(r);
                      m(r);
                    })
                  .what,
              unclear);
  }
}

TEST(evaluate, a_source_without_loops_is_told_from_a_source_not_followed) {
  const mutation without = [](auto& r) {
    k(r).loops.clear();
    k(r).ptx.loops.clear();
    k(r).sass.loops.clear();
  };
  EXPECT_EQ(judge("loop deleted", without).what, fail);
  EXPECT_EQ(judge("loop deleted",
                  [&](auto& r) {
                    without(r);
                    r.input = "spin.cubin";
                  })
                .what,
            unclear);
}

TEST(evaluate, a_loop_of_another_file_is_named_with_it) {
  const mutation move = [](auto& r) { k(r).sass.loops[0].file = "inc/bar.cuh"; };
  EXPECT_EQ(judge("loop line 12 of bar.cuh polls", move).what, outcome::pass);
  EXPECT_EQ(judge("loop line 12 of bar.cuh polls").what, fail);
  // A cubin's loops all come from other files.
  EXPECT_EQ(judge("loop line 12 polls",
                  [&](auto& r) {
                    move(r);
                    r.input = "spin.cubin";
                  })
                .what,
            outcome::pass);
}

TEST(evaluate, a_failed_clause_decides_before_one_that_cannot_be_told) {
  const mutation blind = [](auto& r) { k(r).sass.known = false; };
  EXPECT_EQ(judge("registers <= 10; no loop", blind).what, fail);
  EXPECT_EQ(judge("registers <= 10; no loop", blind).evidence, "registers is 60");
  EXPECT_EQ(judge("registers <= 64; no loop", blind).what, unclear);
}

TEST(evaluate, instructions_not_understood_are_mentioned) {
  const result r = judge("loop polls", [](auto& x) { k(x).sass.unknown_instructions = 3; });
  EXPECT_EQ(r.what, outcome::pass);
  EXPECT_NE(r.evidence.find("(3 instructions of sass are not understood)"), std::string::npos);
}

TEST(evaluate, no_loop_cannot_be_told_where_an_instruction_is_not_understood) {
  const auto bare = [](int unknown) {
    return mutation([unknown](auto& x) {
      k(x).sass.loops.clear();
      k(x).sass.unknown_instructions = unknown;
    });
  };
  EXPECT_EQ(judge("no loop", bare(0)).what, outcome::pass);
  EXPECT_EQ(judge("no loop", bare(1)).what, unclear);
}

TEST(evaluate, result_carries_place_kernel_and_text) {
  const result r = judge(" registers <= 64 ");
  EXPECT_EQ(r.file, "spin.cu");
  EXPECT_EQ(r.line, 5);
  EXPECT_EQ(r.kernel, "_Z4waitPi");
  EXPECT_EQ(r.expression, "registers <= 64");
  EXPECT_EQ(r.evidence, "registers is 60");
}

std::vector<result> line(const std::string& text, const facts::report& r) {
  return evaluate(parse_line(text, {"spin.cu", 5, 1}), r);
}

std::string message(const std::string& text, const facts::report& r) {
  try {
    line(text, r);
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(evaluate, kernels_are_named_by_name_glob_or_demangled_name) {
  facts::report r = base();
  r.kernels.push_back(r.kernels[0]);
  r.kernels[1].name = r.kernels[1].demangled = "plain";
  EXPECT_EQ(line("EXPECT(*): registers <= 64", r).size(), 2U);
  EXPECT_EQ(line("EXPECT(pl?in): registers <= 64", r).at(0).kernel, "plain");
  EXPECT_EQ(line("EXPECT(ns::wait<int>): registers <= 64", r).at(0).kernel, "_Z4waitPi");
  r.kernels[1].demangled = "(anonymous namespace)::f((anonymous namespace)::s, int (*)(int))";
  EXPECT_EQ(line("EXPECT((anonymous namespace)::f): registers <= 64", r).at(0).kernel, "plain");
}

TEST(evaluate, an_unknown_kernel_is_an_error_with_the_nearest_name) {
  facts::report r = base();
  r.kernels[0].name = r.kernels[0].demangled = "wait_loop";
  EXPECT_EQ(message("EXPECT(wait_lop): loop", r),
            "spin.cu:5:1: no kernel 'wait_lop' in dir/spin.cu for sm_90; nearest is 'wait_loop'");
  EXPECT_EQ(message("EXPECT(big*): loop", r).rfind("spin.cu:5:1: no kernel 'big*'", 0), 0U);
  EXPECT_EQ(message("EXPECT(wait*): loop", r), "no error");
  r.kernels.clear();
  EXPECT_EQ(message("EXPECT(wait*): loop", r),
            "spin.cu:5:1: no kernel 'wait*' in dir/spin.cu for sm_90; it has no kernels");
}

struct condition_case {
  const char* conditions;
  outcome expected;
};

class condition_line : public testing::TestWithParam<condition_case> {};

TEST_P(condition_line, decides_whether_the_line_applies) {
  const auto all =
      line(std::string("EXPECT[") + GetParam().conditions + "](_Z4waitPi): loop", base());
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(name(all[0].what), std::string(name(GetParam().expected))) << GetParam().conditions;
  EXPECT_FALSE(all[0].evidence.empty());
}

// The report has nvcc 13.0.88, no version of nvdisasm, and sm_90.
INSTANTIATE_TEST_SUITE_P(
    evaluate, condition_line,
    testing::Values(
        condition_case{"nvcc>=13.0", outcome::pass}, condition_case{"nvcc>=13.1", outcome::skipped},
        condition_case{"nvcc<13", outcome::skipped}, condition_case{"nvcc>12.9", outcome::pass},
        condition_case{"nvcc==13.0", outcome::pass}, condition_case{"nvcc==13.0.88", outcome::pass},
        condition_case{"nvcc==13.0.48", outcome::skipped},
        condition_case{"nvcc>=13.0.88.1", unclear}, condition_case{"nvdisasm>=13.0", unclear},
        condition_case{"sm_90", outcome::pass}, condition_case{"sm_90a", outcome::skipped},
        condition_case{"sm>=90", outcome::pass}, condition_case{"sm<90", outcome::skipped},
        condition_case{"nvcc>=13.0,sm_90", outcome::pass},
        condition_case{"nvcc>=13.0,sm_80", outcome::skipped},
        condition_case{"nvdisasm>=1,sm_80", outcome::skipped}));

TEST(evaluate, a_skipped_line_says_why) {
  const auto all = line("EXPECT[sm_80](_Z4waitPi): loop", base());
  EXPECT_EQ(all.at(0).evidence, "architecture is sm_90");
  facts::report r = base();
  r.arch = "";
  EXPECT_EQ(line("EXPECT[sm>=80](_Z4waitPi): loop", r).at(0).what, unclear);
}

struct strength_case {
  const char* is;
  bool acquire;
  compare op;
  const char* wanted;
  truth expected;
};

class strength : public testing::TestWithParam<strength_case> {};

TEST_P(strength, compares) {
  const strength_case& c = GetParam();
  const facts::poll p{"global", 32, c.is, "?", c.acquire, {}};
  EXPECT_EQ(check_strength(p, c.op, c.wanted).value, c.expected)
      << c.is << (c.acquire ? " acquire " : " ") << name(c.op) << ' ' << c.wanted;
}

// nc < weak < volatile = relaxed = strong = atomic < acquire; scopes cta < cluster < gpu < sys.
INSTANTIATE_TEST_SUITE_P(
    evaluate, strength,
    testing::Values(strength_case{"nc", false, compare::ge, "weak", truth::no},
                    strength_case{"weak", false, compare::ge, "nc", truth::yes},
                    strength_case{"weak", false, compare::lt, "volatile", truth::yes},
                    strength_case{"weak", false, compare::ge, "relaxed.gpu", truth::no},
                    strength_case{"relaxed.cta", false, compare::ge, "volatile", truth::yes},
                    strength_case{"strong.sys", false, compare::ge, "volatile", truth::yes},
                    strength_case{"atomic", false, compare::ge, "volatile", truth::yes},
                    strength_case{"volatile", false, compare::ge, "relaxed.sys", truth::yes},
                    strength_case{"relaxed.cluster", false, compare::ge, "relaxed.gpu", truth::no},
                    strength_case{"relaxed.sys", false, compare::ge, "relaxed.gpu", truth::yes},
                    strength_case{"acquire.gpu", false, compare::gt, "relaxed", truth::yes},
                    strength_case{"relaxed.gpu", false, compare::gt, "relaxed", truth::no},
                    strength_case{"relaxed.gpu", false, compare::le, "relaxed", truth::yes},
                    strength_case{"acquire.gpu", false, compare::le, "relaxed", truth::no},
                    strength_case{"atomic", false, compare::ge, "relaxed.gpu", truth::unknown},
                    strength_case{"strong.gpu", false, compare::ge, "acquire", truth::no},
                    strength_case{"strong.gpu", true, compare::ge, "acquire.gpu", truth::yes},
                    strength_case{"strong.gpu", true, compare::ge, "acquire.sys", truth::no},
                    strength_case{"weak", true, compare::ge, "acquire", truth::no},
                    strength_case{"strong.gpu", true, compare::eq, "strong.gpu", truth::yes},
                    strength_case{"strong.gpu", true, compare::eq, "acquire.gpu", truth::yes},
                    strength_case{"strong.gpu", false, compare::eq, "acquire.gpu", truth::no},
                    strength_case{"strong.gpu", false, compare::eq, "strong", truth::yes},
                    strength_case{"strong.gpu", false, compare::ne, "strong.sys", truth::yes},
                    strength_case{"volatile", false, compare::eq, "relaxed.sys", truth::no},
                    strength_case{"atomic", false, compare::eq, "atomic.gpu", truth::unknown},
                    strength_case{"shared", false, compare::eq, "shared", truth::yes},
                    strength_case{"shared", false, compare::eq, "weak", truth::unknown},
                    strength_case{"shared", false, compare::ge, "weak", truth::unknown},
                    strength_case{"weak", false, compare::ne, "shared", truth::yes},
                    strength_case{"", false, compare::ge, "weak", truth::unknown}));

}  // namespace
}  // namespace ptxlab::verdict
