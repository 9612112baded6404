// SPDX-License-Identifier: Apache-2.0
// The expected numbers were read by eye from the logs beside this file.
#include "analysis/facts/ptxas_log.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <string>

#include "tests/unit/logs/fixture.hpp"

namespace ptxlab::facts {
namespace {

const ptxas_block& only(const ptxas_log& log, std::string_view function, std::string_view arch) {
  static const ptxas_block nothing;
  const auto blocks = log.blocks_of(function, arch);
  EXPECT_EQ(blocks.size(), 1u) << function << " on " << arch;
  return blocks.empty() ? nothing : *blocks[0];
}

TEST(ptxas_log, reads_every_line_of_every_real_log) {
  for (const char* name :
       {"whole.log", "capped.log", "debug.log", "relocatable.log", "linked.log", "turing.log",
        "bounds.log", "bounds_capped.log", "architectures.log", "textures.log"}) {
    const ptxas_log log = read_ptxas_log(fixture(name));
    EXPECT_EQ(log.reason, "") << name;
    EXPECT_EQ(log.foreign_lines, 0) << name;
    for (const log_line& line : log.not_understood) ADD_FAILURE() << name << ": " << line.text;
  }
}

TEST(ptxas_log, modern_entry_block) {
  const ptxas_log log = read_ptxas_log(fixture("capped.log"));
  const ptxas_block& b = only(log, "calls_big", "sm_90");
  EXPECT_TRUE(b.entry);
  EXPECT_EQ(b.tool, "ptxas");
  EXPECT_EQ(b.registers, 32);
  EXPECT_EQ(b.barriers, 0);
  EXPECT_EQ(b.stack_bytes, 768);
  EXPECT_EQ(b.spill_store_bytes, 4);
  EXPECT_EQ(b.spill_load_bytes, 0);
  EXPECT_EQ(b.cumulative_stack_bytes, 768);
  EXPECT_FALSE(b.shared_bytes);  // left out by ptxas: not the same as 0
  EXPECT_TRUE(b.constant_bytes.empty());
  EXPECT_TRUE(b.compile_ms);
  EXPECT_EQ(only(log, "static_shared", "sm_90").shared_bytes, 1024);
  EXPECT_EQ(only(log, "three_barriers", "sm_90").barriers, 5);  // highest of 0, 1, 4, plus one
}

TEST(ptxas_log, callee_blocks_know_the_entry_before_them) {
  const ptxas_log log = read_ptxas_log(fixture("capped.log"));
  const ptxas_block& b = only(log, "big_callee", "sm_90");
  EXPECT_FALSE(b.entry);
  EXPECT_EQ(b.after_entry, "calls_big");
  EXPECT_EQ(b.spill_store_bytes, 1440);
  EXPECT_EQ(b.spill_load_bytes, 1680);
  EXPECT_FALSE(b.registers);
  EXPECT_FALSE(b.compile_ms);
}

TEST(ptxas_log, indexed_array_has_a_frame_and_no_spill) {
  const ptxas_log log = read_ptxas_log(fixture("whole.log"));
  const ptxas_block& b = only(log, "indexed", "sm_90");
  EXPECT_EQ(b.stack_bytes, 128);
  EXPECT_EQ(b.spill_store_bytes, 0);
  EXPECT_EQ(b.spill_load_bytes, 0);
}

TEST(ptxas_log, several_architectures_in_one_log) {
  const ptxas_log log = read_ptxas_log(fixture("architectures.log"));
  EXPECT_EQ(only(log, "third", "sm_80").constant_bytes.at(0), 360);
  EXPECT_TRUE(only(log, "third", "sm_90").constant_bytes.empty());
  const auto heavy80 = log.blocks_of("heavy", "sm_80");
  const auto heavy90 = log.blocks_of("heavy", "sm_90");
  ASSERT_EQ(heavy80.size(), 2u);  // compiled anew for each of its two entries
  ASSERT_EQ(heavy90.size(), 2u);
  EXPECT_EQ(heavy80[0]->after_entry, "second");
  EXPECT_EQ(heavy80[1]->after_entry, "first");
  EXPECT_NE(heavy80[0]->section, heavy90[0]->section);
  EXPECT_TRUE(log.blocks_of("heavy", "sm_75").empty());
}

TEST(ptxas_log, callees_before_the_first_entry_take_the_architecture_of_their_run) {
  const ptxas_log log = read_ptxas_log(fixture("relocatable.log"));
  const ptxas_block& first = log.blocks.front();
  EXPECT_FALSE(first.entry);
  EXPECT_EQ(first.arch, "sm_90");
  EXPECT_EQ(first.after_entry, "");
  EXPECT_TRUE(first.compile_ms);
}

TEST(ptxas_log, nvlink_reports_after_linking) {
  const ptxas_log log = read_ptxas_log(fixture("linked.log"), "sm_90");
  const ptxas_block& b = only(log, "calls_big", "sm_90");
  EXPECT_EQ(b.tool, "nvlink");
  EXPECT_EQ(b.registers, 254);  // ptxas said 24 before linking
  EXPECT_EQ(b.cumulative_stack_bytes, 288);
  EXPECT_EQ(b.shared_bytes, 0);
  EXPECT_EQ(b.local_bytes, 0);
  EXPECT_EQ(b.constant_bytes.at(0), 540);
  EXPECT_TRUE(only(log, "recursive", "sm_90").unbounded_stack);
  EXPECT_FALSE(b.unbounded_stack);
}

TEST(ptxas_log, ptxas_and_nvlink_in_one_log) {
  const ptxas_log log = read_ptxas_log(fixture("relocatable.log") + fixture("linked.log"), "sm_90");
  const auto blocks = log.blocks_of("calls_big", "sm_90");
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[0]->registers, 24);
  EXPECT_EQ(blocks[1]->registers, 254);
  EXPECT_NE(blocks[0]->section, blocks[1]->section);
}

TEST(ptxas_log, textures_surfaces_and_samplers) {
  const ptxas_log log = read_ptxas_log(fixture("textures.log"));
  const ptxas_block& b = only(log, "uses_references", "sm_75");
  EXPECT_EQ(b.textures, 2);
  EXPECT_EQ(b.surfaces, 1);
  EXPECT_EQ(b.samplers, 1);
  EXPECT_EQ(b.constant_bytes.at(0), 372);
}

TEST(ptxas_log, register_limits) {
  const ptxas_log log = read_ptxas_log(fixture("bounds_capped.log"));
  using kind = register_limit::kind;
  std::map<kind, int> seen;
  for (const register_limit& limit : log.limits) {
    ++seen[limit.what];
    if (limit.what == kind::raised) {
      EXPECT_EQ(limit.from, 16);
      EXPECT_EQ(limit.to, 24);
      EXPECT_EQ(limit.arch, "sm_90");
    } else if (limit.what == kind::applied) {
      EXPECT_EQ(limit.function, "unbounded");
      EXPECT_EQ(limit.from, 256);
      EXPECT_EQ(limit.to, 24);
    } else if (limit.to == 40) {
      EXPECT_EQ(limit.by, "of .maxnreg");
    }
  }
  EXPECT_EQ(seen[kind::raised], 1);
  EXPECT_EQ(seen[kind::applied], 1);
  EXPECT_GE(seen[kind::entry_wins], 2);
  // Case 19: launch bounds win over -maxrregcount without a word about that kernel.
  EXPECT_EQ(only(log, "bounded", "sm_90").registers, 80);
}

TEST(ptxas_log, warnings_without_verbose_are_no_report_but_are_kept) {
  const ptxas_log log = read_ptxas_log(fixture("warnings_only.log"));
  EXPECT_TRUE(log.blocks.empty());
  EXPECT_NE(log.reason.find("-Xptxas -v"), std::string::npos);
  ASSERT_EQ(log.spill_warnings.size(), 4u);
  EXPECT_EQ(log.spill_warnings[0].function, "maxnreg");
  EXPECT_EQ(log.spill_warnings[0].stack_bytes, 24);
  EXPECT_FALSE(log.spill_warnings[0].spill_store_bytes);
  EXPECT_EQ(log.spill_warnings[1].spill_store_bytes, 20);
  EXPECT_EQ(log.spill_warnings[1].spill_load_bytes, 24);
  ASSERT_EQ(log.limits.size(), 1u);
  EXPECT_EQ(log.limits[0].what, register_limit::kind::ignored);
  EXPECT_EQ(log.limits[0].from, 300);
}

TEST(ptxas_log, failed_compile_gives_its_cause) {
  const ptxas_log log = read_ptxas_log(fixture("failed.log"));
  EXPECT_TRUE(log.blocks.empty());
  EXPECT_NE(log.reason.find("Not a name of any known instruction: 'movv'"), std::string::npos);
  ASSERT_EQ(log.messages.size(), 2u);
  EXPECT_EQ(log.messages[0].where, "bad.ptx, line 13");
  EXPECT_EQ(log.messages[0].severity, "error");
  EXPECT_EQ(log.messages[1].severity, "fatal");
}

TEST(ptxas_log, coded_remark_is_a_message) {
  const ptxas_log log = read_ptxas_log(
      "ptxas info    : (C7508) Potential Performance Loss: 'setmaxnreg' ignored; unable to "
      "determine register count at entry.\n");
  ASSERT_EQ(log.messages.size(), 1u);
  EXPECT_EQ(log.messages[0].code, "C7508");
  EXPECT_TRUE(log.not_understood.empty());
}

// Written by hand after the forms of toolkits before CUDA 5 (cases.md, 13): no such ptxas runs
// here.
TEST(ptxas_log, old_forms) {
  const ptxas_log log = read_ptxas_log(
      "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_13'\n"
      "ptxas info    : Used 20 registers, 104+0 bytes lmem, 1048+16 bytes smem, 12 bytes cmem[1]\n"
      "ptxas info    : Compiling entry function '_Z1mPf' for 'sm_20'\n"
      "ptxas info    : Function properties for _Z1mPf\n"
      "    8 bytes stack frame, 0 bytes spill stores, 4 bytes spill loads\n"
      "ptxas info    : Function properties for _Z6calleef\n"
      "    16 bytes stack frame, 12 bytes spill stores, 12 bytes spill loads\n"
      "ptxas info    : Used 40 registers, 128 bytes cmem[0], 128 bytes cmem[14]\n");
  EXPECT_TRUE(log.not_understood.empty());
  const ptxas_block& k = only(log, "_Z1kPf", "sm_13");
  EXPECT_EQ(k.local_bytes, 104);
  EXPECT_EQ(k.system_local_bytes, 0);
  EXPECT_EQ(k.shared_bytes, 1048);
  EXPECT_EQ(k.system_shared_bytes, 16);
  EXPECT_EQ(k.constant_bytes.at(1), 12);
  EXPECT_FALSE(k.stack_bytes);
  EXPECT_FALSE(k.barriers);
  const ptxas_block& m = only(log, "_Z1mPf", "sm_20");
  EXPECT_EQ(m.registers, 40);  // the callee between the two lines does not take it
  EXPECT_EQ(m.stack_bytes, 8);
  EXPECT_EQ(m.constant_bytes.at(14), 128);
  EXPECT_EQ(only(log, "_Z6calleef", "sm_20").spill_store_bytes, 12);
}

TEST(ptxas_log, build_tools_in_front_and_carriage_returns) {
  for (const std::string front : {"", "3>", "#12 4.56 ", "  "}) {
    const ptxas_log log =
        read_ptxas_log(front + "ptxas info    : Compiling entry function 'k' for 'sm_90'\r\n" +
                       front + "ptxas : info : Function properties for k\r\n" + front +
                       "    40 bytes stack frame, 36 bytes spill stores, 32 bytes spill loads\r\n" +
                       front + "ptxas info    : Used 32 registers, used 1 barriers\r\n");
    EXPECT_TRUE(log.not_understood.empty()) << front;
    EXPECT_EQ(log.foreign_lines, 0) << front;
    EXPECT_EQ(only(log, "k", "sm_90").stack_bytes, 40) << front;
    EXPECT_EQ(only(log, "k", "sm_90").registers, 32) << front;
  }
}

TEST(ptxas_log, other_programs_lines_are_counted_and_do_no_harm) {
  const std::string text = "make: Entering directory 'x'\nnvcc -Xptxas -v -c a.cu\n" +
                           fixture("whole.log") + "a.cu(3): warning #177-D: unused\n";
  const ptxas_log log = read_ptxas_log(text);
  EXPECT_EQ(log.foreign_lines, 3);
  EXPECT_TRUE(log.not_understood.empty());
  EXPECT_EQ(only(log, "tiny", "sm_90").registers, 8);
}

TEST(ptxas_log, control_one_digit_changes_the_number) {
  const ptxas_log log =
      read_ptxas_log(changed(fixture("capped.log"), "properties for big_callee", "1440", "1448"));
  EXPECT_EQ(only(log, "big_callee", "sm_90").spill_store_bytes, 1448);
}

TEST(ptxas_log, control_dropped_frame_line_leaves_the_numbers_empty) {
  const ptxas_log log = read_ptxas_log(
      without_line(fixture("capped.log"), "properties for big_callee", "stack frame"));
  const ptxas_block& b = only(log, "big_callee", "sm_90");
  EXPECT_FALSE(b.stack_bytes);
  EXPECT_FALSE(b.spill_store_bytes);
}

TEST(ptxas_log, control_dropped_heading_does_not_move_numbers_to_a_neighbour) {
  const ptxas_log log = read_ptxas_log(
      without_line(fixture("capped.log"), "properties for calls_big", "properties for big_callee"));
  EXPECT_TRUE(log.blocks_of("big_callee", "sm_90").empty());
  EXPECT_EQ(only(log, "calls_big", "sm_90").spill_store_bytes, 4);
  ASSERT_EQ(log.not_understood.size(), 1u);
  EXPECT_NE(log.not_understood[0].text.find("1440 bytes spill stores"), std::string::npos);
}

TEST(ptxas_log, control_dropped_used_line_leaves_registers_empty) {
  const ptxas_log log = read_ptxas_log(
      without_line(fixture("whole.log"), "entry function 'tiny'", "Used 8 registers"));
  EXPECT_FALSE(only(log, "tiny", "sm_90").registers);
}

TEST(ptxas_log, control_translated_words_are_not_understood) {
  const std::string text = fixture("bounds.log");
  const struct {
    std::string_view from, to;
  } words[] = {{"Used 72 registers", "Benutzt 72 Register"},
               {"used 0 barriers", "used 0 barrieren"},
               {"bytes spill stores", "Bytes Auslagerungen"},
               {"bytes stack frame", "Bytes Rahmen"},
               {"Function properties", "Funktionseigenschaften"},
               {"Compiling entry function", "Compiliere Einsprung"},
               {"72 registers", "99999999999999999999 registers"}};
  for (const auto& [from, to] : words) {
    const ptxas_log log = read_ptxas_log(changed(text, "Compile time", from, to));
    EXPECT_FALSE(log.not_understood.empty()) << to;
  }
  const ptxas_log log = read_ptxas_log(
      changed(text, "function 'unbounded'", "Used 72 registers", "Used 72 Register"));
  EXPECT_FALSE(only(log, "unbounded", "sm_90").registers);
}

TEST(ptxas_log, a_number_stated_twice_is_not_believed_twice) {
  const ptxas_log log = read_ptxas_log(
      "ptxas info : Compiling entry function 'k' for 'sm_90'\n"
      "ptxas info : Used 8 registers, used 0 barriers, 16 bytes smem, 32 bytes smem\n"
      "ptxas info : Used 10 registers, used 0 barriers\n");
  EXPECT_EQ(only(log, "k", "sm_90").registers, 8);
  EXPECT_EQ(log.not_understood.size(), 2u);
}

TEST(ptxas_log, bad_input_has_a_reason) {
  EXPECT_EQ(read_ptxas_log("").reason, "the log is empty");
  EXPECT_EQ(read_ptxas_log(" \n\r\n\t\n").reason, "the log is empty");
  EXPECT_NE(read_ptxas_log("all fine\n").reason, "");
  EXPECT_NE(read_ptxas_log("ptxas info    : 0 bytes gmem\n").reason, "");
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(1 + random() % 400, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 256);
    EXPECT_NE(read_ptxas_log(bytes).reason, "");
  }
}

TEST(ptxas_log, truncated_anywhere_never_invents_a_number) {
  const std::string text = fixture("textures.log");
  const ptxas_block whole = only(read_ptxas_log(text), "uses_references", "sm_75");
  for (std::size_t size = 0; size < text.size(); ++size) {
    const ptxas_log log = read_ptxas_log(std::string_view(text).substr(0, size));
    for (const ptxas_block& b : log.blocks) {
      EXPECT_TRUE(!b.spill_load_bytes || b.spill_load_bytes == whole.spill_load_bytes) << size;
      EXPECT_TRUE(!b.registers || b.registers == whole.registers) << size;
      EXPECT_TRUE(!b.textures || b.textures == whole.textures) << size;
    }
  }
}

TEST(ptxas_log, mutated_logs_do_not_crash) {
  std::mt19937 random(7);
  const std::string text = fixture("architectures.log") + fixture("linked.log");
  for (int round = 0; round < 300; ++round) {
    std::string copy = text;
    for (int change = 0; change < 20; ++change) {
      copy[random() % copy.size()] = static_cast<char>(random() % 256);
    }
    const ptxas_log log = read_ptxas_log(copy);
    EXPECT_EQ(log.reason.empty(), !log.blocks.empty());
  }
}

}  // namespace
}  // namespace ptxlab::facts
