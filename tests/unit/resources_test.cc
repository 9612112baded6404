// SPDX-License-Identifier: Apache-2.0
// Merges the real reports beside this file; expected numbers were added up by hand from them.
#include "analysis/facts/resources.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/unit/logs/fixture.hpp"

namespace ptxlab::facts {
namespace {

bool noted(const resources& res, std::string_view words) {
  return std::any_of(res.notes.begin(), res.notes.end(), [&](const std::string& note) {
    return note.find(words) != std::string::npos;
  });
}

std::string all_notes(const resources& res) {
  std::string text;
  for (const std::string& note : res.notes) text += note + "\n";
  return text;
}

call_targets calls(std::vector<std::string> names) {
  call_targets targets;
  targets.callees = std::move(names);
  return targets;
}

/// A log and a res-usage output of one build.
struct reports {
  ptxas_log log;
  res_usage usage;

  reports(const std::string& log_text, const std::string& usage_text)
      : log(read_ptxas_log(log_text, "sm_90")), usage(read_res_usage(usage_text, "sm_90")) {}

  resources of(const std::string& function, std::optional<call_targets> targets = {},
               const std::string& arch = "sm_90", std::optional<bool> relocatable = {}) const {
    return merge_resources({.function = function,
                            .arch = arch,
                            .log = &log,
                            .usage = &usage,
                            .calls = std::move(targets),
                            .relocatable = relocatable});
  }
};

reports capped() {
  return {fixture("capped.log"), fixture("capped.usage")};
}
reports whole() {
  return {fixture("whole.log"), fixture("whole.usage")};
}

TEST(resources, both_sources_of_a_leaf) {
  const resources res = whole().of("static_shared", calls({}));
  EXPECT_EQ(res.registers, 10);
  EXPECT_EQ(res.barriers, 1);
  EXPECT_EQ(res.stack_bytes, 0);
  EXPECT_EQ(res.spill_store_bytes, 0);
  EXPECT_EQ(res.spill_load_bytes, 0);
  EXPECT_EQ(res.cumulative_stack_bytes, 0);
  EXPECT_EQ(res.shared_bytes, 1024);  // cuobjdump says 2048, with the system's 1024
  EXPECT_EQ(res.local_bytes, 0);
  EXPECT_EQ(res.constant_bytes, 536);
  EXPECT_EQ(res.textures, 0);
  EXPECT_FALSE(res.recursive);
  EXPECT_TRUE(res.notes.empty()) << all_notes(res);
}

TEST(resources, no_static_shared_memory_beside_the_systems) {
  EXPECT_EQ(whole().of("tiny", calls({})).shared_bytes, 0);            // SHARED:1024
  EXPECT_EQ(whole().of("dynamic_shared", calls({})).shared_bytes, 0);  // SHARED:1024
  EXPECT_EQ(capped().of("tiny", calls({})).shared_bytes, 0);
}

TEST(resources, every_entry_of_every_build_agrees_with_itself) {
  for (const std::string build : {"whole", "capped", "debug", "bounds", "architectures"}) {
    const reports r(fixture(build + ".log"), fixture(build + ".usage"));
    for (const ptxas_block& block : r.log.blocks) {
      if (!block.entry) continue;
      const resources res = r.of(block.function, {}, block.arch);
      EXPECT_FALSE(noted(res, "not of one build")) << build << ": " << all_notes(res);
      EXPECT_TRUE(res.registers && res.shared_bytes && res.constant_bytes) << block.function;
    }
  }
}

TEST(resources, spills_of_callees_are_added) {
  // 4 + 1440 + 8 stores, 0 + 1680 + 0 loads, frames 768 + 0 + 0.
  for (const auto& names : {std::vector<std::string>{"middle", "big_callee"},
                            {"$calls_big$middle", "$calls_big$big_callee", "middle"}}) {
    const resources res = capped().of("calls_big", calls(names));
    EXPECT_EQ(res.spill_store_bytes, 1452);
    EXPECT_EQ(res.spill_load_bytes, 1680);
    EXPECT_EQ(res.stack_bytes, 768);
    EXPECT_EQ(res.cumulative_stack_bytes, 768);
    EXPECT_TRUE(res.notes.empty()) << all_notes(res);
  }
}

TEST(resources, callee_of_another_entry_is_not_added) {
  const resources res = capped().of("tiny", calls({}));
  EXPECT_EQ(res.spill_store_bytes, 0);
  EXPECT_EQ(res.stack_bytes, 0);
  EXPECT_TRUE(res.notes.empty()) << all_notes(res);
}

TEST(resources, without_calls_spilling_callees_are_listed_and_not_guessed) {
  const resources res = capped().of("calls_big");
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_FALSE(res.spill_load_bytes);
  EXPECT_FALSE(res.stack_bytes);
  EXPECT_EQ(res.registers, 32);
  EXPECT_TRUE(noted(res,
                    "listed separately, the calls are not known: 'big_callee' (frame 0, spill "
                    "stores 1440, spill loads 1680 bytes)"))
      << all_notes(res);
  EXPECT_TRUE(noted(res, "of the entry alone: 'calls_big' (frame 768, spill stores 4"));
  // Where no callee has anything, nothing is in doubt.
  const reports bounds(fixture("bounds.log"), fixture("bounds.usage"));
  EXPECT_EQ(bounds.of("maxnreg").spill_store_bytes, 20);
  EXPECT_EQ(bounds.of("maxnreg").spill_load_bytes, 24);
}

TEST(resources, calls_that_the_position_in_the_log_contradicts) {
  const resources res = capped().of("calls_big", calls({}));
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_TRUE(noted(res, "no known call reaches it: 'big_callee'")) << all_notes(res);
}

TEST(resources, indirect_and_external_calls_leave_the_sums_empty) {
  call_targets targets;
  targets.indirect = true;
  resources res = capped().of("indirect", targets);
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_EQ(res.cumulative_stack_bytes, 120);
  EXPECT_TRUE(noted(res, "'with_frame' (frame 120, spill stores 32")) << all_notes(res);
  targets.indirect = false;
  targets.external = true;
  res = whole().of("tiny", targets);
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_TRUE(noted(res, "another file")) << all_notes(res);
}

TEST(resources, callee_without_a_block_leaves_the_sums_empty) {
  const resources res = capped().of("tiny", calls({"gone"}));
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_TRUE(noted(res, "callee 'gone' has no block")) << all_notes(res);
}

TEST(resources, recursion_that_no_tool_reports_does_not_pass_as_no_stack) {
  // An optimised whole-program build: no warning, and both tools leave the stack at 0.
  resources res = whole().of("recursive", calls({"factorial"}));
  EXPECT_FALSE(res.cumulative_stack_bytes);
  EXPECT_TRUE(noted(res, "the frame of 'factorial' has 40")) << all_notes(res);
  EXPECT_EQ(res.spill_store_bytes, 36);
  call_targets targets = calls({"factorial"});
  targets.recursive = true;
  res = whole().of("recursive", targets);
  EXPECT_TRUE(res.recursive);
  EXPECT_FALSE(res.cumulative_stack_bytes);
}

TEST(resources, recursion_that_ptxas_and_cuobjdump_report) {
  const reports debug(fixture("debug.log"), fixture("debug.usage"));
  const resources res = debug.of("recursive", calls({"factorial"}));
  EXPECT_TRUE(res.recursive);
  EXPECT_FALSE(res.cumulative_stack_bytes);
  EXPECT_EQ(res.stack_bytes, 16);
  EXPECT_EQ(debug.of("calls_big", calls({"middle", "big_callee"})).stack_bytes, 24 + 304);
  EXPECT_EQ(debug.of("calls_big", calls({"middle", "big_callee"})).cumulative_stack_bytes, 328);
  const resources usage_only = merge_resources({.function = "recursive",
                                                .arch = "sm_90",
                                                .log = nullptr,
                                                .usage = &debug.usage,
                                                .calls = {},
                                                .relocatable = {}});
  EXPECT_TRUE(usage_only.recursive);
}

TEST(resources, linking_changes_the_numbers) {
  const reports linked(fixture("relocatable.log") + fixture("linked.log"), fixture("linked.usage"));
  resources res = linked.of("calls_big", calls({"middle$3", "middle", "big_callee"}));
  EXPECT_EQ(res.registers, 254);
  EXPECT_EQ(res.cumulative_stack_bytes, 288);
  EXPECT_EQ(linked.of("static_shared", calls({})).shared_bytes, 1024);
  const reports before(fixture("relocatable.log"), fixture("relocatable.usage"));
  res = before.of("calls_big", calls({"middle", "big_callee"}), "sm_90", true);
  EXPECT_EQ(res.registers, 24);
  EXPECT_TRUE(noted(res, "linking can raise registers")) << all_notes(res);
  EXPECT_FALSE(res.cumulative_stack_bytes);
  // The log of one and the cubin of the other: 24 against 254 registers.
  const reports mixed(fixture("relocatable.log"), fixture("linked.usage"));
  res = mixed.of("calls_big", calls({"middle", "big_callee"}));
  EXPECT_FALSE(res.registers);
  EXPECT_TRUE(noted(res, "registers: ptxas says 24, cuobjdump -res-usage says 254"))
      << all_notes(res);
}

TEST(resources, only_res_usage_cannot_tell_a_spill) {
  const res_usage usage = read_res_usage(fixture("capped.usage"), "sm_90");
  const resources res = merge_resources({.function = "calls_big",
                                         .arch = "sm_90",
                                         .log = nullptr,
                                         .usage = &usage,
                                         .calls = {},
                                         .relocatable = false});
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_FALSE(res.spill_load_bytes);
  EXPECT_FALSE(res.barriers);
  EXPECT_FALSE(res.stack_bytes);
  EXPECT_EQ(res.cumulative_stack_bytes, 768);
  EXPECT_EQ(res.registers, 32);
  EXPECT_EQ(res.local_bytes, 0);  // says nothing of spills: case 14
  EXPECT_TRUE(noted(res, "frame of 768 bytes: spill or array, cannot tell; need ptxas -v"));
  const resources array = merge_resources({.function = "indexed",
                                           .arch = "sm_90",
                                           .log = nullptr,
                                           .usage = &usage,
                                           .calls = calls({}),
                                           .relocatable = {}});
  EXPECT_EQ(array.stack_bytes, 128);
  EXPECT_FALSE(array.spill_store_bytes);
  EXPECT_TRUE(noted(array, "frame of 128 bytes: spill or array, cannot tell; need ptxas -v"));
}

TEST(resources, only_res_usage_shared_memory) {
  const auto shared = [](const char* file, const char* function, const char* arch,
                         std::optional<bool> relocatable) {
    const res_usage usage = read_res_usage(fixture(file), arch);
    return merge_resources({.function = function,
                            .arch = arch,
                            .log = nullptr,
                            .usage = &usage,
                            .calls = {},
                            .relocatable = relocatable});
  };
  EXPECT_EQ(shared("whole.usage", "static_shared", "sm_90", false).shared_bytes, 1024);
  EXPECT_EQ(shared("whole.usage", "tiny", "sm_90", false).shared_bytes, 0);
  EXPECT_EQ(shared("relocatable.usage", "static_shared", "sm_90", true).shared_bytes, 1024);
  EXPECT_EQ(shared("bounds.usage", "unbounded", "sm_90", {}).shared_bytes, 0);
  EXPECT_EQ(shared("turing.usage", "static_shared", "sm_75", {}).shared_bytes, 1024);
  const resources unclear = shared("whole.usage", "static_shared", "sm_90", {});
  EXPECT_FALSE(unclear.shared_bytes);
  EXPECT_TRUE(noted(unclear, "may include the 1024")) << all_notes(unclear);
}

TEST(resources, only_the_log) {
  const ptxas_log log = read_ptxas_log(fixture("whole.log"));
  const resources res = merge_resources({.function = "static_shared",
                                         .arch = "sm_90",
                                         .log = &log,
                                         .usage = nullptr,
                                         .calls = calls({}),
                                         .relocatable = {}});
  EXPECT_EQ(res.shared_bytes, 1024);
  EXPECT_EQ(res.spill_store_bytes, 0);
  EXPECT_FALSE(res.constant_bytes);  // ptxas 13.0 names no cmem[0] from sm_90 on
  EXPECT_FALSE(res.local_bytes);
  const resources tiny = merge_resources({.function = "tiny",
                                          .arch = "sm_90",
                                          .log = &log,
                                          .usage = nullptr,
                                          .calls = calls({}),
                                          .relocatable = {}});
  EXPECT_FALSE(tiny.shared_bytes);
  EXPECT_TRUE(noted(tiny, "leaves out a zero")) << all_notes(tiny);
}

TEST(resources, old_local_memory_form) {
  const ptxas_log log = read_ptxas_log(
      "ptxas info : Compiling entry function 'k' for 'sm_13'\n"
      "ptxas info : Used 20 registers, 104+0 bytes lmem, 1048+16 bytes smem, 12 bytes cmem[1]\n");
  const resources res = merge_resources({.function = "k",
                                         .arch = "sm_13",
                                         .log = &log,
                                         .usage = nullptr,
                                         .calls = calls({}),
                                         .relocatable = {}});
  EXPECT_EQ(res.local_bytes, 104);
  EXPECT_EQ(res.shared_bytes, 1048);
  EXPECT_FALSE(res.spill_store_bytes);
  EXPECT_TRUE(noted(res, "lmem of 104 bytes: spill or array, cannot tell")) << all_notes(res);
}

TEST(resources, register_spills_into_shared_memory_show_as_shared_memory) {
  // Seen with CUDA 13.0.88 and the pragma enable_smem_spilling: no spill is reported at all.
  const reports bounds(fixture("bounds.log"), fixture("bounds.usage"));
  const resources res = bounds.of("spills_to_shared", calls({}));
  EXPECT_EQ(res.spill_store_bytes, 0);
  EXPECT_EQ(res.shared_bytes, 10240);
}

TEST(resources, control_a_changed_digit_in_either_source_is_noticed) {
  const std::string log = fixture("capped.log"), usage = fixture("capped.usage");
  const struct {
    std::string_view after, from, to;
    count resources::*field;
  } in_log[] = {
      {"function 'calls_big'", "Used 32", "Used 33", &resources::registers},
      {"function 'calls_big'", "768 bytes cum", "760 bytes cum",
       &resources::cumulative_stack_bytes},
      {"function 'static_shared'", "1024 bytes smem", "1028 bytes smem", &resources::shared_bytes}};
  for (const auto& c : in_log) {
    const reports r(changed(log, c.after, c.from, c.to), usage);
    const char* function = c.field == &resources::shared_bytes ? "static_shared" : "calls_big";
    const resources res = r.of(function, calls({"middle", "big_callee"}));
    EXPECT_FALSE(res.*c.field) << c.to;
    EXPECT_TRUE(noted(res, "not of one build")) << all_notes(res);
  }
  const reports r(log, changed(usage, "static_shared", "SHARED:2048", "SHARED:2047"));
  EXPECT_FALSE(r.of("static_shared", calls({})).shared_bytes);
}

TEST(resources, control_a_lost_callee_line_is_no_zero) {
  const std::string log = fixture("capped.log");
  const std::string usage = fixture("capped.usage");
  const call_targets targets = calls({"middle", "big_callee"});
  const reports no_frame(without_line(log, "properties for big_callee", "1440 bytes"), usage);
  EXPECT_FALSE(no_frame.of("calls_big", targets).spill_store_bytes);
  const reports no_heading(without_line(log, "function 'calls_big'", "properties for big_callee"),
                           usage);
  EXPECT_FALSE(no_heading.of("calls_big", targets).spill_store_bytes);
  const reports no_own(without_line(log, "function 'calls_big'", "768 bytes stack frame"), usage);
  EXPECT_FALSE(no_own.of("calls_big", targets).spill_store_bytes);
  EXPECT_EQ(no_own.of("calls_big", targets).registers, 32);
}

TEST(resources, control_warnings_against_the_blocks) {
  const std::string log = fixture("bounds_capped.log");
  const reports same(log, fixture("bounds.usage"));
  EXPECT_EQ(same.of("maxnreg", calls({})).spill_store_bytes, 20);
  const reports other(changed(log, "properties for maxnreg", "20 bytes spill", "0 bytes spill"),
                      fixture("bounds.usage"));
  EXPECT_FALSE(other.of("maxnreg", calls({})).spill_store_bytes);
}

TEST(resources, unknown_names_and_broken_sources_give_notes_and_no_numbers) {
  const resources unknown = whole().of("nobody", calls({}));
  EXPECT_FALSE(unknown.registers);
  EXPECT_TRUE(noted(unknown, "the log has no ptxas block for 'nobody' on sm_90"));
  EXPECT_TRUE(noted(unknown, "cuobjdump -res-usage has no 'nobody' on sm_90"));
  const reports empty("", "");
  const resources none = empty.of("tiny");
  EXPECT_FALSE(none.registers);
  EXPECT_FALSE(none.shared_bytes);
  EXPECT_TRUE(noted(none, "the log is empty"));
  EXPECT_TRUE(noted(none, "cuobjdump printed nothing"));
  const resources device = reports(fixture("debug.log"), fixture("debug.usage")).of("middle");
  EXPECT_FALSE(device.registers);
  EXPECT_TRUE(noted(device, "it is no kernel")) << all_notes(device);
  const resources nothing = merge_resources({.function = "k",
                                             .arch = "sm_90",
                                             .log = nullptr,
                                             .usage = nullptr,
                                             .calls = {},
                                             .relocatable = {}});
  EXPECT_FALSE(nothing.registers);
}

TEST(resources, two_blocks_that_differ_are_none) {
  const std::string log = fixture("whole.log");
  const reports same(log + log, fixture("whole.usage"));
  EXPECT_EQ(same.of("tiny", calls({})).registers, 8);
  const reports differ(log + changed(log, "function 'tiny'", "Used 8", "Used 9"),
                       fixture("whole.usage"));
  const resources res = differ.of("tiny", calls({}));
  EXPECT_TRUE(noted(res, "several blocks for 'tiny'")) << all_notes(res);
  EXPECT_FALSE(res.spill_store_bytes);
}

}  // namespace
}  // namespace ptxlab::facts
