// SPDX-License-Identifier: Apache-2.0
// The parser of one EXPECT line: what each clause becomes, and that every misspelling is an error
// with its place. Right values follow from the grammar in docs/EXPECTATIONS.md.
#include "analysis/verdict/expectation.hpp"

#include <gtest/gtest.h>

#include <string>

#include "analysis/verdict/glob.hpp"
#include "analysis/verdict/nearest.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::verdict {
namespace {

expectation clauses(const std::string& text) {
  return parse_clauses(text, "k", {"f.cu", 7, 1});
}

std::string message(const std::string& line) {
  try {
    parse_line(line, {"f.cu", 7, 4});
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

std::string clause_message(const std::string& text) {
  return message("EXPECT(k): " + text);
}

TEST(expectation, reads_kernel_clauses_and_text) {
  const auto e =
      parse_line("EXPECT( wait_* ):  registers <= 64 ; spill_store_bytes == 0 ; ", {"f.cu", 3, 4});
  EXPECT_EQ(e.kernel, "wait_*");
  EXPECT_EQ(e.at.line, 3);
  EXPECT_EQ(e.text, "registers <= 64 ; spill_store_bytes == 0 ;");
  ASSERT_EQ(e.comparisons.size(), 2U);
  EXPECT_EQ(e.comparisons[0].field, &facts::resources::registers);
  EXPECT_EQ(e.comparisons[0].op, compare::le);
  EXPECT_EQ(e.comparisons[0].number, 64);
  EXPECT_EQ(e.comparisons[1].field, &facts::resources::spill_store_bytes);
  EXPECT_EQ(e.comparisons[1].op, compare::eq);
  EXPECT_EQ(e.stage, stage_choice::sass);
  EXPECT_FALSE(e.loops);
}

TEST(expectation, reads_every_operator_and_decimals) {
  const auto e =
      clauses("registers==1;registers!=2;registers<3;registers<=4;registers>5;occupancy(256)>=0.5");
  ASSERT_EQ(e.comparisons.size(), 6U);
  const compare ops[] = {compare::eq, compare::ne, compare::lt,
                         compare::le, compare::gt, compare::ge};
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(e.comparisons[i].op, ops[i]);
  EXPECT_EQ(e.comparisons[5].number, 0.5);
  EXPECT_EQ(e.comparisons[5].argument, "256");
}

TEST(expectation, operators_compare) {
  EXPECT_TRUE(holds(0.1 + 0.2, compare::eq, 0.3));
  EXPECT_TRUE(holds(0.1 + 0.2, compare::le, 0.3));
  EXPECT_FALSE(holds(0.1 + 0.2, compare::gt, 0.3));
  EXPECT_TRUE(holds(2, compare::gt, 1));
  EXPECT_FALSE(holds(1, compare::ge, 2));
  EXPECT_TRUE(holds(1, compare::ne, 2));
  EXPECT_FALSE(holds(2, compare::lt, 2));
}

TEST(expectation, reads_stages_anywhere_in_the_line) {
  EXPECT_EQ(clauses("loop polls; ptx").stage, stage_choice::ptx);
  EXPECT_EQ(clauses("both; loop polls").stage, stage_choice::both);
  EXPECT_EQ(clauses("loop polls; sass; strength >= volatile").stage, stage_choice::sass);
}

TEST(expectation, reads_all_quantities) {
  const auto e = clauses(
      "stack_bytes==0;spill_load_bytes==0;cumulative_stack_bytes==0;shared_bytes==0;"
      "local_bytes==0;constant_bytes==0;barriers==0;instructions<9;loops==1;opcode(LDG.E*)==2;"
      "blocks_per_sm(128)>=4");
  ASSERT_EQ(e.comparisons.size(), 11U);
  EXPECT_EQ(e.comparisons[7].what, comparison::kind::instructions);
  EXPECT_EQ(e.comparisons[8].what, comparison::kind::loops);
  EXPECT_EQ(e.comparisons[9].what, comparison::kind::opcode);
  EXPECT_EQ(e.comparisons[9].argument, "LDG.E*");
  EXPECT_EQ(e.comparisons[9].quantity, "opcode(LDG.E*)");
  EXPECT_EQ(e.comparisons[10].what, comparison::kind::blocks_per_sm);
}

TEST(expectation, joins_the_loop_clauses_of_a_line) {
  const auto e = clauses(
      "loop polls; loop 2 exit load+counter trip == 10; strength == strong.gpu; space == shared;"
      "width == 32; polls == 1; acquire");
  ASSERT_TRUE(e.loops);
  EXPECT_EQ(e.loops->which, loop_demand::quantity::some);
  EXPECT_TRUE(e.loops->polls);
  EXPECT_EQ(e.loops->nth, 2);
  EXPECT_EQ(e.loops->exit, "load+counter");
  ASSERT_EQ(e.loops->trips.size(), 1U);
  ASSERT_EQ(e.loops->on_polls.size(), 5U);
  EXPECT_EQ(e.loops->on_polls[0].word, "strong.gpu");
  EXPECT_EQ(e.loops->on_polls[1].what, poll_demand::kind::space);
  EXPECT_EQ(e.loops->on_polls[2].number, 32);
  EXPECT_EQ(e.loops->on_polls[3].what, poll_demand::kind::number);
  EXPECT_EQ(e.loops->on_polls[4].what, poll_demand::kind::acquire);
}

TEST(expectation, reads_loop_selectors_and_verdicts) {
  const auto line = clauses("loop line 14 of bar.cuh load-hoisted in nvcc");
  EXPECT_EQ(line.loops->line, 14);
  EXPECT_EQ(line.loops->file, "bar.cuh");
  EXPECT_EQ(line.loops->verdict->verdict, "load-hoisted");
  EXPECT_EQ(line.loops->verdict->lost_in, "nvcc");
  const auto unrolled = clauses("loop unrolled in nvcc by 4 full");
  EXPECT_EQ(unrolled.loops->verdict->factor, 4);
  EXPECT_TRUE(unrolled.loops->verdict->full);
  EXPECT_TRUE(clauses("every loop kept peeled").loops->verdict->peeled);
  EXPECT_EQ(clauses("every loop polls").loops->which, loop_demand::quantity::every);
  EXPECT_EQ(clauses("no loop").loops->which, loop_demand::quantity::none);
  EXPECT_TRUE(clauses("loop").loops->verdict == std::nullopt);
}

TEST(expectation, reads_findings) {
  const auto e = clauses("finding spin-weak; no finding spill; no findings");
  ASSERT_EQ(e.findings.size(), 3U);
  EXPECT_TRUE(e.findings[0].present);
  EXPECT_EQ(e.findings[0].id, "spin-weak");
  EXPECT_FALSE(e.findings[1].present);
  EXPECT_EQ(e.findings[1].id, "spill");
  EXPECT_TRUE(e.findings[2].id.empty());
}

TEST(expectation, reads_conditions) {
  const auto e = parse_line("EXPECT[nvcc>=13.0, sm_90](k): no loop", {"f.cu", 1, 1});
  ASSERT_EQ(e.conditions.size(), 2U);
  EXPECT_EQ(e.conditions[0].subject, "nvcc");
  EXPECT_EQ(e.conditions[0].op, compare::ge);
  EXPECT_EQ(e.conditions[0].version, (std::vector<int>{13, 0}));
  EXPECT_EQ(e.conditions[1].subject, "arch");
  EXPECT_EQ(e.conditions[1].text, "sm_90");
  EXPECT_EQ(clauses("[sm>=90] no loop").conditions[0].version, std::vector<int>{90});
}

TEST(expectation, takes_names_with_brackets_and_colons) {
  const auto e = parse_line("EXPECT((anonymous namespace)::wait<int, 4>): loop", {"f.cu", 1, 1});
  EXPECT_EQ(e.kernel, "(anonymous namespace)::wait<int, 4>");
}

TEST(expectation, errors_name_file_line_column_and_nearest) {
  // The text starts in column 4, so "registrs" stands in column 4 + 11.
  EXPECT_EQ(clause_message("registrs <= 64"),
            "f.cu:7:15: unknown clause or quantity 'registrs'; nearest is 'registers'");
  EXPECT_EQ(clause_message("registers =< 64"), "f.cu:7:25: '=<' is none of == != < <= > >=");
  EXPECT_EQ(clause_message("registers <= many"),
            "f.cu:7:28: 'many' is no number for 'registers' (an integer or a decimal)");
  EXPECT_EQ(clause_message("loop poll"),
            "f.cu:7:20: unknown loop property 'poll'; nearest is 'polls'");
  EXPECT_EQ(clause_message("loop; strength >= volatil"),
            "f.cu:7:33: unknown strength 'volatil'; nearest is 'volatile'");
  EXPECT_EQ(clause_message("no finding spin-wek"),
            "f.cu:7:26: unknown finding 'spin-wek'; nearest is 'spin-weak'");
}

TEST(expectation, errors_without_a_line_name_the_column) {
  try {
    parse_clauses("loops = 1", "k", {"--expect", 0, 1});
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "--expect: column 7: '=' is none of == != < <= > >=");
  }
}

struct bad_case {
  const char* line;
  const char* part;
};

class bad_line : public testing::TestWithParam<bad_case> {};

TEST_P(bad_line, is_a_one_line_error_with_its_place) {
  const std::string said = message(GetParam().line);
  EXPECT_EQ(said.rfind("f.cu:7:", 0), 0U) << said;
  EXPECT_NE(said.find(GetParam().part), std::string::npos) << said;
  EXPECT_EQ(said.find('\n'), std::string::npos) << said;
}

INSTANTIATE_TEST_SUITE_P(
    expectation, bad_line,
    testing::Values(
        bad_case{"EXPECT (k): loop", "no blank"}, bad_case{"EXPECT: loop", "'(kernel)'"},
        bad_case{"EXPCT(k): loop", "starts with EXPECT"}, bad_case{"EXPECT(k) : loop", "':'"},
        bad_case{"EXPECT(k: loop", "without its"}, bad_case{"EXPECT(): loop", "name is missing"},
        bad_case{"EXPECT(k):", "nothing is expected"},
        bad_case{"EXPECT(k): ;", "a clause is missing"},
        bad_case{"EXPECT(k): sass", "nothing is expected"},
        bad_case{"EXPECT(k): ptx; sass; loop", "one stage"},
        bad_case{"EXPECT(k): registers", "comparison"},
        bad_case{"EXPECT(k): registers <=", "no number"},
        bad_case{"EXPECT(k): registers <= -1", "'-1' is no number"},
        bad_case{"EXPECT(k): registers <= 1e3", "'1e3' is no number"},
        bad_case{"EXPECT(k): registers <= 1.2.3", "no number"},
        bad_case{"EXPECT(k): registers <= 64 loop", "';' is missing"},
        bad_case{"EXPECT(k): registers <= 64 */", "';' is missing"},
        bad_case{"EXPECT(k): opcode == 1", "argument"},
        bad_case{"EXPECT(k): opcode() == 1", "name or a glob"},
        bad_case{"EXPECT(k): opcode(LDG == 1", "without its"},
        bad_case{"EXPECT(k): opcode(ld.global*) == 0", "PTX opcode"},
        bad_case{"EXPECT(k): opcode(LDG*) == 0; ptx", "SASS opcode"},
        bad_case{"EXPECT(k): opcode(LDG*) == 0; both", "SASS opcode"},
        bad_case{"EXPECT(k): occupancy(x) == 1", "positive integer"},
        bad_case{"EXPECT(k): occupancy(0) == 1", "positive integer"},
        bad_case{"EXPECT(k): occupancy(99999999999) == 1", "positive integer"},
        bad_case{"EXPECT(k): occupancy(256 == 1", "')' is missing"},
        bad_case{"EXPECT(k): strength >= volatile", "need a 'loop'"},
        bad_case{"EXPECT(k): loop; polls", "'loop polls'"},
        bad_case{"EXPECT(k): loop polls strength >= volatile", "clause of its own"},
        bad_case{"EXPECT(k): loop; strength >= shared", "shared shows no ordering"},
        bad_case{"EXPECT(k): loop; strength == weak.gpu", "unknown strength"},
        bad_case{"EXPECT(k): loop; space >= shared", "== or !="},
        bad_case{"EXPECT(k): loop; space == globl", "nearest is 'global'"},
        bad_case{"EXPECT(k): loop 0", "positive integer"},
        bad_case{"EXPECT(k): loop 1; loop 2", "by number"},
        bad_case{"EXPECT(k): loop line", "positive integer"},
        bad_case{"EXPECT(k): loop line 3; loop line 4", "by its line"},
        bad_case{"EXPECT(k): loop line 3 of", "file is missing"},
        bad_case{"EXPECT(k): loop exit lod", "nearest is 'load'"},
        bad_case{"EXPECT(k): loop exit load; loop exit none", "already names an exit"},
        bad_case{"EXPECT(k): loop kept; loop deleted", "already names a verdict"},
        bad_case{"EXPECT(k): loop kept in nvcc", "does not go with 'kept'"},
        bad_case{"EXPECT(k): loop deleted by 4", "does not go with"},
        bad_case{"EXPECT(k): loop deleted in gcc", "unknown compiler 'gcc'"},
        bad_case{"EXPECT(k): ptx; loop deleted", "spans both stages"},
        bad_case{"EXPECT(k): no loop polls", "no property"},
        bad_case{"EXPECT(k): no loop; polls == 1", "do not go with 'no loop'"},
        bad_case{"EXPECT(k): no loop; loop polls", "not of two"},
        bad_case{"EXPECT(k): every loop polls; loop kept", "not of two"},
        bad_case{"EXPECT(k): every finding spill", "followed by 'loop'"},
        bad_case{"EXPECT(k): no loops", "'no' is followed by"},
        bad_case{"EXPECT(k): finding", "a finding is missing"},
        bad_case{"EXPECT(k): loop $", "cannot start with '$'"},
        bad_case{"EXPECT(k): $", "a clause is missing before '$'"},
        bad_case{"EXPECT[gcc>=13](k): loop", "unknown condition 'gcc'"},
        bad_case{"EXPECT[nvcc](k): loop", "comparison"},
        bad_case{"EXPECT[nvcc>=](k): loop", "no version"},
        bad_case{"EXPECT[nvcc>=13.](k): loop", "no version"},
        bad_case{"EXPECT[nvcc>=13.x](k): loop", "no version"},
        bad_case{"EXPECT[nvcc>=99999999999](k): loop", "no version"},
        bad_case{"EXPECT[sm_80,sm_90](k): loop", "never hold at once"},
        bad_case{"EXPECT[sm>=9.0](k): loop", "one number"},
        bad_case{"EXPECT[sm_90(k): loop", "',' or ']'"}, bad_case{"EXPECT[](k): loop", "condition"},
        bad_case{"", "starts with EXPECT"}));

TEST(glob, stars_and_question_marks) {
  EXPECT_TRUE(glob_match("LDG.E*", "LDG.E.64"));
  EXPECT_TRUE(glob_match("LDG.E*", "LDG.E"));
  EXPECT_FALSE(glob_match("LDG.E", "LDG.E.64"));
  EXPECT_FALSE(glob_match("LDG.E*", "ULDG.E"));
  EXPECT_TRUE(glob_match("*.STRONG.*", "LDG.E.STRONG.GPU"));
  EXPECT_TRUE(glob_match("*ab", "aab"));
  EXPECT_TRUE(glob_match("a?c", "abc"));
  EXPECT_FALSE(glob_match("a?c", "ac"));
  EXPECT_TRUE(glob_match("**", ""));
  EXPECT_FALSE(glob_match("", "a"));
}

TEST(nearest, counts_edits) {
  EXPECT_EQ(edit_distance("", "abc"), 3U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
  EXPECT_EQ(edit_distance("EXPETC", "EXPECT"), 1U);
  EXPECT_EQ(edit_distance("ca", "abc"), 3U);  // the alignment distance; the full one would be 2
  EXPECT_EQ(nearest("wiat", {"plain", "wait", "weight"}), "wait");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(suggestion("wiat", {"wait"}), "; nearest is 'wait'");
  EXPECT_EQ(suggestion("wiat", {}), "");
}

}  // namespace
}  // namespace ptxlab::verdict
