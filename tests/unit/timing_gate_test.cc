// SPDX-License-Identifier: Apache-2.0
// Holds the timing-integrity gate to kernels that are right and to kernels that are wrong in one
// way each (tests/unit/timing/controls.cu, by the real compilers), and to disassembly that is
// changed by hand, as no compiler would write it today. Stated for CUDA 13.0 on sm_90.
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "analysis/sass/cubin.hpp"
#include "analysis/sass/reader.hpp"
#include "analysis/timing/gate.hpp"
#include "analysis/toolchain/build.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::timing {
namespace {

namespace fs = std::filesystem;

/// What the compilers made of controls.cu, once for all tests.
struct compiled {
  std::string problem, text, cubin;
  sass::module code;

  compiled() {
    const auto tools = toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
    for (const toolchain::tool* one : {&tools.nvcc, &tools.ptxas, &tools.nvdisasm})
      if (!one->usable()) problem = one->problem;
    if (problem.empty() && tools.nvcc.version.substr(0, 5) != "13.0.")
      problem = "what is expected here is that of CUDA 13.0, not " + tools.nvcc.version;
    if (!problem.empty()) return;
    const fs::path folder = fs::absolute(fs::path(__FILE__)).parent_path();
    const std::string root = folder.parent_path().parent_path().string();
    const auto built = toolchain::build_one(tools, {},
                                            {.file = folder / "timing/controls.cu",
                                             .arch = "sm_90",
                                             .nvcc_flags = {"-I" + root},
                                             .unoptimised = false})
                           .at(0);
    text = built.sass_text.text.value();
    cubin = built.cubin.text.value();
    code = sass::read_json(built.sass_json.text.value());
    sass::add_symbols(code, cubin);
  }
};

class timing_gate : public testing::Test {
 protected:
  static const compiled& made() {
    static const compiled once;
    return once;
  }
  void SetUp() override {
    if (!made().problem.empty()) GTEST_SKIP() << made().problem;
  }

  static judgement judged(const std::string& kernel, const contract& c) {
    const sass::module& m = made().code;
    const std::uint32_t f = m.find(kernel);
    EXPECT_NE(f, sass::none) << kernel;
    return f == sass::none ? judgement() : judge(c, m, m.functions[f], made().cubin);
  }

  /// The same of a disassembly in which `change` has rewritten the lines of one kernel from the
  /// first read of the clock on. Addresses, and so the bytes of the cubin, stay those they were.
  static judgement judged_changed(const std::string& kernel, const contract& c,
                                  const std::function<void(std::vector<std::string>&)>& change) {
    std::string text = made().text;
    const std::size_t begin = text.find("SR_CLOCKLO", text.find("\n.text." + kernel + ":"));
    const std::size_t end = std::min(text.find(".section\t.text.", begin), text.size());
    EXPECT_NE(begin, text.npos) << kernel;
    if (begin == text.npos) return {};
    std::vector<std::string> lines{""};
    for (const char x : text.substr(begin, end - begin)) {
      lines.back() += x;
      if (x == '\n') lines.emplace_back();
    }
    const std::vector<std::string> before = lines;
    change(lines);
    EXPECT_NE(before, lines) << "nothing was changed";
    std::string changed;
    for (const std::string& l : lines) changed += l;
    text.replace(begin, end - begin, changed);
    sass::module m = sass::read_text(text);
    EXPECT_EQ(m.doubt, "");
    sass::add_symbols(m, made().cubin);
    return judge(c, m, m.functions[m.find(kernel)], made().cubin);
  }
};

/// N, 2N and 4N copies.
contract chain_of(std::vector<std::string> opcodes, unsigned n = 32) {
  contract c;
  c.opcodes = std::move(opcodes);
  c.regions = {{n}, {2 * n}, {4 * n}};
  return c;
}

/// One region of a kernel that turns round and round.
contract one_of_rounds(unsigned copies, unsigned streams = 1) {
  contract c;
  c.how = relation::independent;
  c.opcodes = {"FFMA"};
  c.rounds = true;
  c.regions = {{copies, streams}};
  return c;
}

void expect_refused(const judgement& j, const std::string& words) {
  EXPECT_FALSE(j.valid) << "the gate was fooled; it should have said: " << words;
  EXPECT_NE(j.reason.find(words), std::string::npos)
      << "expected: " << words << "\nsaid: " << j.reason;
  EXPECT_EQ(j.reason.find('\n'), std::string::npos) << "not one line: " << j.reason;
  EXPECT_FALSE(j.static_cycles) << "a refused kernel has no witness";
  EXPECT_EQ(j.sass, "") << "nothing is claimed of a refused kernel";
}

bool replace(std::string& line, const std::string& from, const std::string& to) {
  const std::size_t at = line.find(from);
  if (at == line.npos) return false;
  line.replace(at, from.size(), to);
  return true;
}

// ---- what is right

TEST_F(timing_gate, lets_a_chain_through) {
  const judgement j = judged("chain", chain_of({"FFMA"}));
  EXPECT_TRUE(j.valid) << j.reason;
  EXPECT_EQ(j.reason, "");
  EXPECT_EQ(j.sass, "FFMA");
  EXPECT_NE(j.fixed.find("STS"), j.fixed.npos) << j.fixed;
  ASSERT_FALSE(j.excerpt.empty());
  EXPECT_NE(j.excerpt.front().find("SR_CLOCKLO"), std::string::npos) << j.excerpt.front();
  EXPECT_NE(j.excerpt.back().find("SR_CLOCKLO"), std::string::npos) << j.excerpt.back();
  EXPECT_LE(j.excerpt.size(), 16u);
}

// Published for Volta to Hopper: a dependent FFMA can issue after 4 cycles.
TEST_F(timing_gate, static_witness_of_fixed_latency) {
  const judgement j = judged("chain", chain_of({"FFMA"}));
  ASSERT_TRUE(j.static_cycles);
  EXPECT_DOUBLE_EQ(*j.static_cycles, 4);
  const judgement two = judged("pairs", [] {
    contract c = chain_of({"FFMA"});
    c.per_copy = 2;
    return c;
  }());
  EXPECT_TRUE(two.valid) << two.reason;
  EXPECT_EQ(two.sass, "2 FFMA");
  ASSERT_TRUE(two.static_cycles);
  EXPECT_DOUBLE_EQ(*two.static_cycles, 8);
}

TEST_F(timing_gate, no_static_witness_where_a_scoreboard_decides) {
  const judgement j = judged("load_chain", chain_of({"LDG*"}));
  EXPECT_TRUE(j.valid) << j.reason;
  EXPECT_EQ(j.sass, "LDG.E.64");
  EXPECT_FALSE(j.static_cycles);
}

TEST_F(timing_gate, lets_an_expansion_through_only_where_declared) {
  contract c = chain_of({"MUFU.RCP"}, 8);
  expect_refused(judged("divide", c), "branch is left in the timed region");
  c.expands = true;
  const judgement j = judged("divide", c);
  EXPECT_TRUE(j.valid) << j.reason;
  EXPECT_TRUE(j.sass.starts_with("MUFU.RCP + ")) << j.sass;
  EXPECT_NE(j.sass.find("FFMA"), j.sass.npos) << j.sass;
  EXPECT_FALSE(j.static_cycles) << "a branch decides";
}

TEST_F(timing_gate, serial_copies) {
  contract c = chain_of({"BAR.SYNC*"});
  expect_refused(judged("barriers", c), "the chain is broken");
  c.how = relation::serial;
  const judgement j = judged("barriers", c);
  EXPECT_TRUE(j.valid) << j.reason;
  EXPECT_FALSE(j.static_cycles);
}

TEST_F(timing_gate, rounds_of_streams) {
  contract c;
  c.how = relation::independent;
  c.opcodes = {"FFMA"};
  c.rounds = true;
  c.regions = {{64, 1}, {32, 2}, {16, 4}, {8, 8}};
  const judgement j = judged("streams", c);
  EXPECT_TRUE(j.valid) << j.reason;
  EXPECT_EQ(j.sass, "FFMA");
  EXPECT_FALSE(j.static_cycles);
  // As chains they are no good: each stream is a chain of its own, and rounds are loops.
  c.rounds = false;
  expect_refused(judged("streams", c), "a loop is left");
}

// ---- what is wrong, each for its reason

TEST_F(timing_gate, refuses_a_broken_chain) {
  // 16 of each of two chains, and the sum of both.
  expect_refused(judged("two_chains", chain_of({"FFMA"})),
                 "the chain is broken: at most 16 of 32 copies need each other");
}

TEST_F(timing_gate, refuses_what_the_compiler_folded) {
  expect_refused(judged("folded", chain_of({"IADD3*"})), "stand in the timed region, not 32");
}

TEST_F(timing_gate, refuses_what_the_compiler_hoisted) {
  expect_refused(judged("hoisted", chain_of({"FMUL"})), "stand in the timed region, not 32");
}

TEST_F(timing_gate, refuses_dead_results) {
  expect_refused(judged("dead", chain_of({"FFMA"})), "0 of FFMA stand in the timed region, not 32");
}

TEST_F(timing_gate, refuses_a_load_that_nothing_waits_for) {
  contract c = chain_of({"LDG*"});
  expect_refused(judged("unconsumed", c), "the chain is broken");
  c.how = relation::independent;
  expect_refused(judged("unconsumed", c),
                 "nothing in the timed region waits for the result of LDG");
}

TEST_F(timing_gate, refuses_another_opcode) {
  expect_refused(judged("wrong_opcode", chain_of({"FFMA"})),
                 "0 of FFMA stand in the timed region, not 32; it holds 32 FADD");
}

TEST_F(timing_gate, refuses_a_loop_that_is_left) {
  expect_refused(judged("looping", chain_of({"FFMA"}, 32)), "a loop is left");
}

TEST_F(timing_gate, refuses_a_branch_that_is_left) {
  expect_refused(judged("branching", chain_of({"FFMA"})), "the timed region");
}

TEST_F(timing_gate, refuses_foreign_work) {
  expect_refused(judged("foreign", chain_of({"FFMA"})),
                 "foreign work in the timed region: 32 IMAD");
  // Named as part of the copy it is no more foreign.
  EXPECT_TRUE(judged("foreign", chain_of({"FFMA", "IMAD*"})).valid);
  expect_refused(judged("barrier_inside", chain_of({"FFMA"})),
                 "stands in the timed region and is no part of the copies");
}

TEST_F(timing_gate, refuses_regions_that_differ) {
  expect_refused(judged("differing", chain_of({"FFMA"})),
                 "regions differ by more than their copies");
}

TEST_F(timing_gate, refuses_a_wrong_number_of_regions) {
  contract c = chain_of({"FFMA"});
  c.regions.pop_back();
  expect_refused(judged("chain", c), "2 timed regions are declared, 3 were found");
  expect_refused(judged("no_rounds", chain_of({"FFMA"})),
                 "3 timed regions are declared, 1 were found");
}

TEST_F(timing_gate, refuses_a_wrong_number_of_copies) {
  expect_refused(judged("chain", chain_of({"FFMA"}, 31)), "32 of FFMA stand in the timed region");
  contract c = chain_of({"FFMA"});
  c.regions[2].copies = 127;
  expect_refused(judged("chain", c), "128 of FFMA stand in the timed region, not 127");
  c.regions[2].copies = 128;
  c.per_copy = 2;
  expect_refused(judged("chain", c), "32 of FFMA stand in the timed region, not 64");
}

TEST_F(timing_gate, refuses_a_contract_without_opcodes) {
  expect_refused(judged("chain", chain_of({})), "names no opcode");
}

TEST_F(timing_gate, refuses_serial_copies_that_do_not_order_themselves) {
  contract c = chain_of({"FFMA"});
  c.how = relation::serial;
  expect_refused(judged("chain", c), "FFMA does not order itself: it needs a chain");
}

TEST_F(timing_gate, refuses_dependent_streams) {
  EXPECT_TRUE(judged("dependent_streams", one_of_rounds(64)).valid);
  expect_refused(judged("dependent_streams", one_of_rounds(16, 4)),
                 "the 4 streams are not independent: a chain of 64 copies, not 16");
}

TEST_F(timing_gate, refuses_rounds_that_are_gone) {
  expect_refused(judged("no_rounds", one_of_rounds(64)), "the loop over the rounds is gone");
}

TEST_F(timing_gate, refuses_foreign_work_in_rounds) {
  expect_refused(judged("foreign_in_rounds", one_of_rounds(64)), "foreign work in every round");
}

TEST_F(timing_gate, refuses_bytes_that_are_no_cubin) {
  const sass::module& m = made().code;
  const sass::function& f = m.functions[m.find("chain")];
  EXPECT_THROW(judge(chain_of({"FFMA"}), m, f, "no cubin"), error);
  EXPECT_THROW(judge(chain_of({"FFMA"}), m, f, made().cubin.substr(0, 3000)), error);
}

// ---- disassembly changed by hand

// The way of changing works: a chain spelled otherwise is still a chain, a broken one is not.
TEST_F(timing_gate, changed_by_hand) {
  const auto spelled = judged_changed("chain", chain_of({"FMUL"}), [](auto& lines) {
    for (std::string& l : lines) replace(l, "FFMA ", "FMUL ");
  });
  EXPECT_TRUE(spelled.valid) << spelled.reason;
  int seen = 0;
  expect_refused(judged_changed("chain", chain_of({"FFMA"}),
                                [&](auto& lines) {
                                  for (std::string& l : lines) {
                                    const std::size_t at = l.find("FFMA R");
                                    // The 17th reads registers that nothing writes.
                                    if (at == l.npos || ++seen != 17) continue;
                                    const std::size_t comma = l.find(", ", at);
                                    l.replace(comma, l.find(';') - comma, ", R97, R98, R99 ");
                                  }
                                }),
                 "the chain is broken: at most 16 of 32");
}

TEST_F(timing_gate, refuses_a_store_in_every_copy) {
  // Every FADD but the named FFMA becomes a store to global memory.
  contract c = chain_of({"FFMA"});
  expect_refused(judged_changed("growing_copies", c,
                                [](auto& lines) {
                                  for (std::string& l : lines)
                                    if (const auto at = l.find("FMUL "); at != l.npos)
                                      l.replace(at, l.find(';') - at, "STG.E [R20.64], R21 ");
                                }),
                 "STG.E");
}

// ---- ways in which the gate can be fooled

// Copies whose guard is false run as nothing: no copy of a straight line may have one.
TEST_F(timing_gate, hole_copies_that_never_run) {
  for (const char* guard : {"@!PT ", "@P6 "})
    expect_refused(judged_changed("chain", chain_of({"FFMA"}),
                                  [&](auto& lines) {
                                    for (std::string& l : lines)
                                      replace(l, "FFMA ", guard + std::string("FFMA "));
                                  }),
                   "FFMA");
}

// An instruction that no table knows may do anything; in an expansion everything else is let
// through.
TEST_F(timing_gate, hole_an_instruction_that_is_not_understood) {
  contract c = chain_of({"FFMA"});
  for (const bool expands : {false, true}) {
    c.expands = expands;
    expect_refused(judged_changed("chain", c,
                                  [](auto& lines) {
                                    for (std::string& l : lines) replace(l, "STS ", "QFROB ");
                                  }),
                   "cannot tell what QFROB does");
  }
}

// Half of 64 instructions that are 32 copies need each other: `deepest` is held to the copies and
// not to the instructions that are counted.
TEST_F(timing_gate, hole_chain_of_half_the_copies) {
  contract c = chain_of({"FFMA"});
  c.per_copy = 2;
  expect_refused(judged("pairs_in_halves", c), "the chain is broken");
}

// One FMUL beside each FFMA in the short regions, three in the long one.
TEST_F(timing_gate, hole_copies_that_grow) {
  expect_refused(judged("growing_copies", chain_of({"FFMA", "FMUL"})), "equal copies");
}

// Copies before the loop over the rounds run once, not in every round.
TEST_F(timing_gate, hole_copies_outside_of_the_rounds) {
  expect_refused(judged("half_in_rounds", one_of_rounds(64)), "round");
}

// A round that leaves the copies out when it likes: refused only for the BSSY and BSYNC that a
// branch brings, which a uniform one would not.
TEST_F(timing_gate, hole_rounds_without_copies) {
  expect_refused(judged("skipped_rounds", one_of_rounds(64)), "round");
  expect_refused(judged_changed("skipped_rounds", one_of_rounds(66),
                                [](auto& lines) {
                                  for (std::string& l : lines)
                                    for (const char* op : {"BSSY B1", "BSYNC B1"})
                                      if (const auto at = l.find(op); at != l.npos)
                                        l.replace(at, l.find(';') - at, "FFMA R10, R10, R0, R7 ");
                                }),
                 "round");
}

// Streams that are more than they are called: eight of 8 copies that pass for one of 64, so that
// the plateau is reported for too few.
TEST_F(timing_gate, hole_one_stream_that_is_many) {
  contract c = one_of_rounds(64);
  c.regions = {{64, 1}, {64, 1}, {32, 2}, {16, 4}};
  expect_refused(judged("streams", c), "stream");
}

// A guarded move between two copies breaks the chain whenever its guard is true.
TEST_F(timing_gate, hole_chain_broken_under_a_guard) {
  contract c = chain_of({"FFMA"});
  for (region& r : c.regions) --r.copies;
  expect_refused(judged_changed("chain", c,
                                [](auto& lines) {
                                  int seen = 0;
                                  for (std::string& l : lines) {
                                    const std::size_t at = l.find("FFMA R");
                                    if (at == l.npos) continue;
                                    ++seen;
                                    if (seen != 16 && seen != 64 && seen != 160) continue;
                                    const std::string to =
                                        l.substr(at + 5, l.find(',', at) - at - 5);
                                    l.replace(at, l.find(';') - at, "@P6 MOV " + to + ", R99 ");
                                  }
                                }),
                 "guard");
}

// The clock is read at the right places, but it is something else that is stored.
TEST_F(timing_gate, hole_another_reading_is_stored) {
  expect_refused(judged_changed("chain", chain_of({"FFMA"}),
                                [](auto& lines) {
                                  for (std::string& l : lines)
                                    if (const auto at = l.find("STS.128 "); at != l.npos)
                                      l.replace(l.find(", R", at), l.find(';') - l.find(", R", at),
                                                ", R40 ");
                                }),
                 "clock");
}

// Nothing declared and nothing there is no measurement.
TEST_F(timing_gate, hole_no_regions_at_all) {
  EXPECT_EXIT(
      {
        contract c = chain_of({"FFMA"});
        c.regions.clear();
        const sass::module& m = made().code;
        sass::function none = m.functions[m.find("chain")];
        none.instructions.resize(4);
        std::_Exit(judge(c, m, none, made().cubin).valid ? 1 : 0);
      },
      testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace ptxlab::timing
