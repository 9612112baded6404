// SPDX-License-Identifier: Apache-2.0
// The expected numbers were read by eye from the outputs beside this file.
#include "analysis/facts/res_usage.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "tests/unit/logs/fixture.hpp"

namespace ptxlab::facts {
namespace {

const res_usage_function& only(const res_usage& usage, std::string_view function,
                               std::string_view arch) {
  static const res_usage_function nothing;
  const auto records = usage.records_of(function, arch);
  EXPECT_EQ(records.size(), 1u) << function << " on " << arch;
  return records.empty() ? nothing : *records[0];
}

TEST(res_usage, reads_every_line_of_every_real_output) {
  for (const char* name : {"whole.usage", "capped.usage", "debug.usage", "relocatable.usage",
                           "linked.usage", "turing.usage", "bounds.usage", "architectures.usage"}) {
    const res_usage usage = read_res_usage(fixture(name));
    EXPECT_EQ(usage.reason, "") << name;
    for (const log_line& line : usage.not_understood) ADD_FAILURE() << name << ": " << line.text;
  }
}

TEST(res_usage, one_cubin) {
  const res_usage usage = read_res_usage(fixture("whole.usage"), "sm_90");
  const res_usage_function& f = only(usage, "indirect", "sm_90");
  EXPECT_TRUE(f.entry);
  EXPECT_EQ(f.registers, 30);
  EXPECT_EQ(f.stack_bytes, 120);
  EXPECT_EQ(f.shared_bytes, 1024);  // all of it the system's
  EXPECT_EQ(f.local_bytes, 0);
  EXPECT_EQ(f.constant_bytes.at(0), 536);
  EXPECT_EQ(f.constant_bytes.at(2), 24);
  EXPECT_EQ(f.textures, 0);
  EXPECT_EQ(f.surfaces, 0);
  EXPECT_EQ(f.samplers, 0);
  ASSERT_EQ(usage.commons.size(), 1u);
  EXPECT_EQ(usage.commons[0].global_bytes, 16);
  EXPECT_EQ(usage.commons[0].constant_bytes.at(4), 8);
}

TEST(res_usage, several_images_of_an_archive) {
  const res_usage usage = read_res_usage(fixture("architectures.usage"));
  EXPECT_EQ(only(usage, "third", "sm_80").shared_bytes, 256);
  EXPECT_EQ(only(usage, "third", "sm_90").shared_bytes, 1280);
  EXPECT_EQ(only(usage, "third", "sm_90").member, "m.a:m.o");
  EXPECT_EQ(usage.functions.size(), 6u);
  EXPECT_TRUE(usage.records_of("third", "sm_75").empty());
}

TEST(res_usage, functions_that_are_no_kernel_are_marked) {
  const res_usage usage = read_res_usage(fixture("debug.usage"), "sm_90");
  // ptxas gives this function a frame of 304 bytes: cuobjdump's zeros mean nothing.
  EXPECT_FALSE(only(usage, "big_callee", "sm_90").entry);
  EXPECT_TRUE(only(usage, "empty", "sm_90").entry);
}

TEST(res_usage, unknown_stack) {
  const res_usage usage = read_res_usage(fixture("debug.usage"), "sm_90");
  const res_usage_function& f = only(usage, "recursive", "sm_90");
  EXPECT_TRUE(f.unbounded_stack);
  EXPECT_FALSE(f.stack_bytes);
  EXPECT_EQ(f.registers, 24);
}

TEST(res_usage, control_digit_word_and_line) {
  const std::string text = fixture("capped.usage");
  EXPECT_EQ(
      only(read_res_usage(changed(text, "calls_big", "STACK:768", "STACK:769")), "calls_big", "")
          .stack_bytes,
      769);
  const res_usage word = read_res_usage(changed(text, "calls_big", "STACK:768", "STACK:viel"));
  EXPECT_FALSE(only(word, "calls_big", "").stack_bytes);
  EXPECT_EQ(word.not_understood.size(), 1u);
  const res_usage key = read_res_usage(changed(text, "calls_big", "STACK:", "STAPEL:"));
  EXPECT_FALSE(only(key, "calls_big", "").stack_bytes);
  EXPECT_EQ(only(key, "calls_big", "").other.at("STAPEL"), "768");
  const res_usage numbers = read_res_usage(without_line(text, "calls_big", "REG:"));
  EXPECT_FALSE(only(numbers, "calls_big", "").registers);
  EXPECT_FALSE(only(numbers, "calls_big", "").entry);
  const res_usage heading = read_res_usage(without_line(text, "Function", "calls_big"));
  EXPECT_TRUE(heading.records_of("calls_big", "").empty());
  EXPECT_EQ(heading.not_understood.size(), 1u);
}

TEST(res_usage, bad_input_has_a_reason) {
  EXPECT_EQ(read_res_usage("").reason, "cuobjdump printed nothing");
  EXPECT_EQ(read_res_usage("cuobjdump fatal   : Internal error: elf section not found\n").reason,
            "cuobjdump failed: cuobjdump fatal   : Internal error: elf section not found");
  EXPECT_NE(read_res_usage("\nFatbin ptx code:\n=====\narch = sm_90\n").reason, "");
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    std::string bytes(1 + random() % 400, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 256);
    EXPECT_NE(read_res_usage(bytes).reason, "");
  }
}

TEST(res_usage, truncated_or_mutated_never_crashes) {
  const std::string text = fixture("architectures.usage");
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const res_usage usage = read_res_usage(std::string_view(text).substr(0, size));
    EXPECT_EQ(usage.reason.empty(), !usage.functions.empty());
  }
  std::mt19937 random(3);
  for (int round = 0; round < 300; ++round) {
    std::string copy = text;
    for (int change = 0; change < 20; ++change) {
      copy[random() % copy.size()] = static_cast<char>(random() % 256);
    }
    const res_usage usage = read_res_usage(copy);
    EXPECT_EQ(usage.reason.empty(), !usage.functions.empty());
  }
}

TEST(sm_number, names) {
  EXPECT_EQ(sm_number("sm_75"), 75);
  EXPECT_EQ(sm_number("sm_90a"), 90);
  EXPECT_EQ(sm_number("sm_100f"), 100);
  EXPECT_EQ(sm_number("compute_121"), 121);
  for (const char* bad :
       {"", "sm", "sm_", "sm_9", "sm_a", "sm_90x", "gfx_90", "sm_90aa", "90", "sm_1200"}) {
    EXPECT_FALSE(sm_number(bad)) << bad;
  }
}

}  // namespace
}  // namespace ptxlab::facts
