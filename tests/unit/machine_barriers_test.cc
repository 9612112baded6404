// SPDX-License-Identifier: Apache-2.0
// Every barrier of kernels/barrier on the machine, under many schedules: what it computes, what the
// race detector says of it and of its mutants, and how it ends where blocks are missing or where
// the counter of 2012 is used again.
#include <gtest/gtest.h>

#include <map>

#include "tests/unit/machine/barriers.hpp"
#include "tests/unit/machine/compiled.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;

// Cooperative groups' barrier has no mutants: its source is CUDA's.
constexpr const char* with_mutants[] = {"all_to_all", "counter", "fenced", "flag",     "gather",
                                        "mirrored",   "placed",  "split",  "two_level"};
constexpr const char* without_mutants[] = {"cooperative"};
constexpr const char* schedules[] = {"its",      "lockstep",      "random:1",     "random:2",
                                     "random:3", "adversarial:1", "adversarial:2"};
constexpr u32 threads = 64;

const compiler& nvcc() {
  static const compiler one;
  return one;
}

/// A barrier's file; its PTX is compiled once.
ptx::module module_of(const std::string& barrier) {
  static std::map<std::string, std::string> texts;
  std::string& text = texts[barrier];
  if (text.empty())
    text = nvcc().texts({compiler::root() / "kernels" / "barrier" / (barrier + ".cu")}).front();
  return ptx::parse(text, barrier);
}

class machine_barriers : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!nvcc().problem().empty()) GTEST_SKIP() << nvcc().problem();
    bench_.emplace(module_of(GetParam()));
    on().how.cooperative = std::string_view(GetParam()) == "cooperative";
  }
  workbench& on() { return *bench_; }
  /// A cluster has two blocks.
  u32 fitting(u32 blocks) const {
    return std::string_view(GetParam()) == "two_level" ? blocks + blocks % 2 : blocks;
  }

 private:
  std::optional<workbench> bench_;
};

TEST_P(machine_barriers, transform_as_the_host_does) {
  const transform_case c;
  const std::vector<float> wanted = c.wanted();
  ASSERT_NE(wanted, c.x());
  for (const u32 blocks : {1U, 2U, 7U})
    for (const char* schedule : schedules) {
      read_token(schedule, on().how);
      barrier_outcome o;
      run_transform(on(), "transform", fitting(blocks), threads, c, o);
      const std::string where = std::to_string(blocks) + " blocks, " + schedule;
      ASSERT_EQ(o.report.how, ending::finished) << where << ": " << o.report.reason;
      EXPECT_EQ(o.x, wanted) << where;
      EXPECT_EQ(verdict_of(o.races.report()), "no race") << where;
    }
}

TEST_P(machine_barriers, take_fewer_threads_than_blocks) {
  const transform_case c{.n = 150, .terms = 150, .transforms = 1};
  barrier_outcome o;
  run_transform(on(), "transform", fitting(35), 32, c, o);
  ASSERT_EQ(o.report.how, ending::finished) << o.report.reason;
  EXPECT_EQ(o.x, c.wanted());
}

TEST_P(machine_barriers, are_sound_for_messages) {
  for (const u32 blocks : {2U, 7U})
    for (const char* schedule : schedules) {
      read_token(schedule, on().how);
      barrier_outcome o;
      run_litmus(on(), "litmus", fitting(blocks), threads, 4, o);
      ASSERT_EQ(o.report.how, ending::finished) << schedule << o.report.reason;
      EXPECT_EQ(o.log, clean_log(fitting(blocks), 4)) << schedule;
      EXPECT_EQ(verdict_of(o.races.report()), "no race") << schedule;
    }
}

/// The machine is sequentially consistent, so that what is missing shows in the verdict only.
class machine_mutants : public machine_barriers {};
TEST_P(machine_mutants, race) {
  const std::pair<const char*, const char*> mutants[] = {{"litmus_no_release", "release"},
                                                         {"litmus_no_acquire", "acquire"},
                                                         {"litmus_narrow", "scope"}};
  for (const auto& [kernel, missing] : mutants)
    for (const char* schedule : {"its", "random:1", "adversarial:1"}) {
      read_token(schedule, on().how);
      barrier_outcome o;
      run_litmus(on(), kernel, fitting(3), threads, 4, o);
      ASSERT_EQ(o.report.how, ending::finished) << kernel << o.report.reason;
      EXPECT_EQ(verdict_of(o.races.report()), "between blocks") << kernel << ", " << schedule;
      // Of blocks that met through another block's cluster it only says that they did not.
      if (on().how.by != policy::its && std::string_view(GetParam()) == "two_level") continue;
      const std::string why = missing_of(o.races.report());
      EXPECT_NE(why.find(missing), std::string::npos) << kernel << ", " << schedule << ": " << why;
    }
}

TEST_P(machine_barriers, hang_where_a_block_has_no_room) {
  const u32 room = fitting(3);
  on().how.resident = {room, 132, "a test"};
  barrier_outcome fits, misses;
  run_litmus(on(), "litmus", room, threads, 2, fits);
  EXPECT_EQ(name(fits.report.how), name(ending::finished)) << fits.report.reason;
  run_litmus(on(), "litmus", fitting(room + 1), threads, 2, misses);
  EXPECT_EQ(name(misses.report.how),
            name(on().how.cooperative ? ending::refused : ending::residency_deadlock))
      << misses.report.reason;
}

const auto name_of_one = [](const auto& one) { return std::string(one.param); };
INSTANTIATE_TEST_SUITE_P(kernels, machine_barriers, testing::ValuesIn(with_mutants), name_of_one);
INSTANTIATE_TEST_SUITE_P(cuda, machine_barriers, testing::ValuesIn(without_mutants), name_of_one);
INSTANTIATE_TEST_SUITE_P(kernels, machine_mutants, testing::ValuesIn(with_mutants), name_of_one);

using endings_seen = std::map<std::string_view, unsigned>;

class machine_barrier_of_2012 : public testing::Test {
 protected:
  void SetUp() override {
    if (!nvcc().problem().empty()) GTEST_SKIP() << nvcc().problem();
    bench_.emplace(module_of("wrapping"));
  }
  workbench& on() { return *bench_; }

  /// How runs under many schedules end.
  endings_seen endings(const char* kernel, u32 rounds) {
    endings_seen out;
    for (const char* by : {"random", "adversarial"})
      for (unsigned seed = 1; seed <= 12; ++seed) {
        read_token(std::string(by) + ":" + std::to_string(seed), on().how);
        barrier_outcome o;
        run_litmus(on(), kernel, 3, threads, rounds, o);
        ++out[name(o.report.how)];
        if (o.report.how != ending::finished) continue;
        EXPECT_EQ(o.log, clean_log(3, rounds));
      }
    return out;
  }

 private:
  std::optional<workbench> bench_;
};

TEST_F(machine_barrier_of_2012, hangs_if_it_is_used_again) {
  endings_seen seen = endings("reused", 4);
  EXPECT_GT(seen[name(ending::nobody_left_to_write)], 0U);
  EXPECT_GT(seen[name(ending::finished)], 0U) << "it is not deterministic";
  EXPECT_EQ(seen.size(), 2U);
}
TEST_F(machine_barrier_of_2012, ends_if_it_is_used_once) {
  const endings_seen wanted = {{name(ending::finished), 24}};
  EXPECT_EQ(endings("reused", 1), wanted);
}
TEST_F(machine_barrier_of_2012, ends_with_two_counters_in_turn) {
  const endings_seen wanted = {{name(ending::finished), 24}};
  EXPECT_EQ(endings("litmus", 4), wanted);
}
TEST_F(machine_barrier_of_2012, does_not_acquire) {
  for (const char* schedule : schedules) {
    read_token(schedule, on().how);
    barrier_outcome o;
    run_litmus(on(), "litmus", 3, threads, 3, o);
    EXPECT_EQ(verdict_of(o.races.report()), "between blocks") << schedule;
    EXPECT_NE(missing_of(o.races.report()).find("acquire"), std::string::npos) << schedule;
  }
}

}  // namespace
}  // namespace ptxlab::machine
