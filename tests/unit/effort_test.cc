// SPDX-License-Identifier: Apache-2.0
// Code made to be hard to follow: it takes no long time, and the answer is "cannot tell".
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "analysis/facts/stage_code.hpp"
#include "ptx/text/lower.hpp"
#include "ptx/text/parser.hpp"
#include "tests/fuzz/expectation.hpp"
#include "tests/fuzz/ptx.hpp"
#include "tests/fuzz/sass.hpp"

namespace {

using namespace ptxlab;

std::string repeat(int n, const std::function<std::string(int)>& part) {
  std::string out;
  for (int i = 0; i < n; ++i) out += part(i);
  return out;
}

std::string entry(const std::string& body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n"
         ".reg .pred p; .reg .b32 r; .reg .b64 d;\n" +
         body + "}\n";
}

/// `n` loops, one inside the other, each with an early exit and an update that may not happen.
std::string nest(int n) {
  return entry(repeat(n, [](int i) { return fmt::format("l{}: @p bra e; @p add.u32 r,r,1;", i); }) +
               repeat(n,
                      [&](int i) {
                        return fmt::format("@p add.u32 r,r,1; setp.eq.u32 p,r,7; @p bra l{};",
                                           n - 1 - i);
                      }) +
               "e: ret;");
}

facts::stage stage_of(const std::string& text) {
  const ptx::module m = ptx::parse(text, "made");
  facts::site_table sites;
  return facts::summarise(facts::analyse_ptx(m, m.functions.at(0), sites), sites);
}

// A loop exits on `r`, which it counts: known for 3 loops, given up for 400.
TEST(effort, gives_up_aloud) {
  const facts::stage few = stage_of(nest(3)), many = stage_of(nest(400));
  EXPECT_FALSE(few.unknown_branches);
  ASSERT_EQ(few.loops.size(), 3U);
  for (const facts::loop& l : few.loops) EXPECT_EQ(l.exit, "counter");
  EXPECT_TRUE(many.unknown_branches);
  EXPECT_EQ(many.loops.size(), 400U);
}

TEST(effort, is_shared_by_the_loops_of_a_function) {
  const ptx::module m = ptx::parse(
      entry("l: ld.volatile.global.u32 r,[d]; setp.eq.u32 p,r,0; @p bra l; ret;"), "made");
  const flow::code c = ptx::lower(m, m.functions.at(0));
  const flow::graph g(c);
  const flow::definitions d(c);
  const flow::loop_forest f = flow::find_loops(g);
  ASSERT_EQ(f.loops.size(), 1U);
  flow::effort enough, little(2);
  const flow::loop_facts seen = flow::study(c, g, d, f.loops[0], &enough);
  EXPECT_EQ(seen.exit, flow::exit_kind::load);
  EXPECT_FALSE(seen.unclear);
  const flow::loop_facts unseen = flow::study(c, g, d, f.loops[0], &little);
  EXPECT_TRUE(unseen.unclear);
  EXPECT_TRUE(unseen.polls.empty());
  EXPECT_EQ(unseen.exit, flow::exit_kind::other);
  EXPECT_EQ(unseen.instructions, seen.instructions);
}

struct tangle {
  const char* name;
  void (*target)(std::string_view);
  std::string (*make)();
};

void PrintTo(const tangle& t, std::ostream* out) {
  *out << t.name;
}

std::string sass(int n, const std::function<std::string(int)>& part) {
  return "\t.target\tsm_90\n\t.section\t.text.k\n\t.type k,@function\n\t.other k,STO_CUDA_ENTRY\n"
         "k:\n" +
         repeat(n, [&](int i) { return fmt::format("/*{:04x}*/ {} ;\n", 16 * i, part(i)); });
}

// Each is about 32 KiB, and took up to minutes before there was a bound.
const tangle tangles[] = {
    {"exits", fuzz::ptx_target,
     [] {
       return entry(
           "l:" +
           repeat(700,
                  [](int) { return std::string("@p bra e; setp.eq.u32 p,r,1; add.u32 r,r,1;"); }) +
           "bra l; e: ret;");
     }},
    {"diamonds", fuzz::ptx_target,
     [] {
       return entry(
           "l:" +
           repeat(900,
                  [](int i) { return fmt::format("@p bra a{0}; @p add.u32 r,r,1; a{0}:", i); }) +
           "setp.eq.u32 p,r,1; @p bra l;");
     }},
    {"nest", fuzz::ptx_target, [] { return nest(350); }},
    {"branch_tables", fuzz::ptx_target,
     [] {
       return entry(repeat(850, [](int i) {
         return fmt::format("l{0}: t: .branchtargets l{0},l{0}; brx.idx r,t;", i);
       }));
     }},
    {"labels", fuzz::ptx_target,
     [] {
       return entry(std::string(190, '{') + repeat(7000, [](int) { return std::string("a:"); }) +
                    repeat(2500, [](int) { return std::string("bra a;"); }) +
                    std::string(190, '}'));
     }},
    {"calls", fuzz::ptx_target,
     [] {
       return ".version 9.0\n.target sm_90\n" +
              repeat(600,
                     [](int i) {
                       return fmt::format(
                           ".func f{0}() {{ call f{1}; call "
                           "f{1}; }}\n",
                           i, i + 1);
                     }) +
              ".func f600() { ret; }\n.entry k() { call f0; }\n";
     }},
    {"sums", fuzz::sass_text_target,
     [] {
       return sass(900, [](int i) {
         return std::string(i % 2 == 0 ? "IADD3 R2, P0, P1, R2, R2, R2" : "LDG.E R3, [R2]");
       });
     }},
    {"sass_nest", fuzz::sass_text_target,
     [] {
       return sass(950, [](int i) {
         return i < 300 ? fmt::format("@P{} IADD3 R2, R2, 0x1, RZ", i % 7)
                        : fmt::format("@P{} BRA 0x{:x}", i % 7, i % 300 * 16);
       });
     }},
    {"glob", fuzz::expectation_target, [] {
       return "// EXPECT(" + repeat(30000, [](int) { return std::string("*a"); }) + "): loops == 1";
     }}};

class tangled : public testing::TestWithParam<tangle> {};

// Without the bound these run for minutes to hours: a runner's deadline, not a clock here, tells.
TEST_P(tangled, comes_to_an_end) {
  EXPECT_NO_THROW(GetParam().target(GetParam().make()));
}

INSTANTIATE_TEST_SUITE_P(inputs, tangled, testing::ValuesIn(tangles),
                         [](const auto& i) { return std::string(i.param.name); });

}  // namespace
