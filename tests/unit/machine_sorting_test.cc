// SPDX-License-Identifier: Apache-2.0
// Odd-even transposition sort on the machine, beyond what every kernel is held against
// (machine_kernels_sort_test.cc): all permutations, how many passes there are and when they end,
// the order of floats by <compare>, and sorts that are broken on purpose.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <numeric>
#include <optional>

#include "ptx/machine/observers/traffic.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/race_verdict.hpp"
#include "tests/unit/machine/sorting.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using bench::sort_words;
using place = kernels::sort::place;

class machine_sorting : public testing::Test {
 protected:
  void SetUp() override {
    const compiler c;
    if (!c.problem().empty()) GTEST_SKIP() << c.problem();
  }
  void use(const std::string& file) {
    static std::map<std::string, std::string> texts;
    std::string& text = texts[file];
    if (text.empty()) text = compiler().texts({compiler::root() / file}).front();
    on_.emplace(ptx::parse(text, file));
  }
  sorted_words sort(const char* kernel, const kernels::measurement& m, const sort_words& in,
                    const char* schedule = "its", u32 most = ~0U) {
    read_token(schedule, on_->how);
    return watched(races_, kernel, m, in, most);
  }
  traffic_report traffic_of(const char* kernel, const kernels::measurement& m,
                            const sort_words& in) {
    traffic seen;
    watched(seen, kernel, m, in, ~0U);
    on_->how.observers.clear();
    return seen.report();
  }
  sorted_words watched(observer& who, const char* kernel, const kernels::measurement& m,
                       const sort_words& in, u32 most) {
    on_->how.observers = {&who};
    return sort_on(
        *on_, m, in, static_cast<u32>(in.size()),
        [&](u32 grid, u32 block, const std::vector<std::uint64_t>& words) {
          std::vector<unsigned> bytes(words.size(), 8);
          for (std::size_t i = 0; i < words.size(); ++i)
            if (words[i] < 4096) bytes[i] = 4;  // a number and not an address
          const run_report r = on_->run(kernel, grid, block, words, bytes);
          ASSERT_EQ(r.how, ending::finished) << r.reason;
        },
        most);
  }
  std::string verdict() const { return verdict_of(races_.report()); }
  std::string missing() const { return missing_of(races_.report()); }

  static sort_words counted_down(u32 n) {
    sort_words out(n);
    std::iota(out.rbegin(), out.rend(), 0U);
    return out;
  }

  static kernels::measurement in(place where, unsigned warp_keys = 64) {
    kernels::measurement m;
    m.sort.in = where;
    m.sort.warp_keys = warp_keys;
    m.cooperative = where == place::grid;
    m.threads = {32};
    return m;
  }

 private:
  std::optional<workbench> on_;
  race_detector races_;
};

TEST_F(machine_sorting, all_permutations_of_seven_keys) {
  use("kernels/sort/block.cu");
  sort_words keys = {0, 1, 2, 3, 4, 5, 6};
  const sort_words wanted = keys;
  unsigned most = 0;
  do {
    const sorted_words seen = sort("shared_counted", in(place::block), keys);
    ASSERT_EQ(seen.words, wanted) << testing::PrintToString(keys);
    ASSERT_EQ(seen.counts.exchanges, bench::inversions({}, keys, 7));
    most = std::max(most, seen.counts.passes);
  } while (std::next_permutation(keys.begin(), keys.end()));
  EXPECT_EQ(most, 7U) << "some need as many passes as there are keys, none more";
}

TEST_F(machine_sorting, reversed_keys_need_as_many_passes_as_there_are_keys) {
  use("kernels/sort/launches.cu");
  for (const u32 n : {3U, 4U, 16U, 33U, 100U}) {
    const sort_words keys = counted_down(n);
    sort_words wanted = keys;
    std::sort(wanted.begin(), wanted.end());
    EXPECT_NE(sort("pass", in(place::launches), keys, "its", n - 1).words, wanted) << n;
    EXPECT_EQ(sort("pass", in(place::launches), keys, "its", n).words, wanted) << n;
  }
}

TEST_F(machine_sorting, ends_after_two_passes_without_a_change) {
  use("kernels/sort/block.cu");
  sort_words keys(90);
  std::iota(keys.begin(), keys.end(), 0U);
  const char* kernel = "shared_until_unchanged";
  EXPECT_EQ(sort(kernel, in(place::block), keys).counts.passes, 2U) << "sorted";
  std::swap(keys[0], keys[1]);  // put right by pass 0
  EXPECT_EQ(sort(kernel, in(place::block), keys).counts.passes, 3U);
  std::swap(keys[0], keys[1]);
  std::swap(keys[1], keys[2]);  // by pass 1, behind one that changes nothing
  EXPECT_EQ(sort(kernel, in(place::block), keys).counts.passes, 4U);
  EXPECT_EQ(sort(kernel, in(place::block), counted_down(90)).counts.passes, 90U);
  // In registers somebody looks every 30 passes, at the last two of them.
  kernel = "registers_until_unchanged";
  EXPECT_EQ(sort(kernel, in(place::block, 260), keys).counts.passes, 30U);
  EXPECT_EQ(sort(kernel, in(place::block, 260), counted_down(90)).counts.passes, 90U);
}

TEST_F(machine_sorting, ends_too_early_after_one_pass_without_a_change) {
  use("kernels/sort/block.cu");
  const sort_words keys = {0, 2, 1, 3}, sorted = {0, 1, 2, 3};
  EXPECT_EQ(sort("shared_until_one_unchanged", in(place::block), keys).words, keys);
  for (const char* kernel : {"shared_until_unchanged", "shared_counted"})
    EXPECT_EQ(sort(kernel, in(place::block), keys).words, sorted) << kernel;
}

TEST_F(machine_sorting, floats_in_the_total_order_of_the_standard_library) {
  use("kernels/sort/block.cu");
  const kernels::sort floats{.of = kernels::number::f32};
  for (const bench::disorder d : {bench::disorder::random, bench::disorder::few}) {
    const sort_words keys = bench::sort_input(floats, d, 300);
    sort_words wanted = keys;
    std::stable_sort(wanted.begin(), wanted.end(), [](u32 a, u32 b) {
      return std::strong_order(std::bit_cast<float>(a), std::bit_cast<float>(b)) < 0;
    });
    EXPECT_EQ(sort("registers_f32", in(place::block, 260), keys).words, wanted) << name(d);
  }
}

TEST_F(machine_sorting, under_many_schedules_behind_the_barrier) {
  use("kernels/sort/grid.cu");
  const sort_words keys = counted_down(120);
  sort_words wanted = keys;
  std::sort(wanted.begin(), wanted.end());
  for (const char* schedule : {"its", "lockstep", "random:1", "adversarial:1"}) {
    EXPECT_EQ(sort("pass", in(place::grid), keys, schedule).words, wanted) << schedule;
    EXPECT_EQ(verdict(), "no race") << schedule;
  }
}

TEST_F(machine_sorting, keys_apart_do_not_meet_in_a_bank) {
  use("kernels/sort/block.cu");
  const auto degree = [&](const char* kernel) {
    u32 most = 0;
    for (const traffic_row& r : traffic_of(kernel, in(place::block), counted_down(128)).rows)
      if (r.space == flow::space::shared) most = std::max(most, r.counts.banks32.degree);
    return most;
  };
  EXPECT_EQ(degree("shared_unrolled"), 2U) << "every second word";
  EXPECT_EQ(degree("shared_split"), 1U);
}

TEST_F(machine_sorting, without_a_barrier_it_races) {
  use("tests/unit/machine/neighbour_sort.cu");
  sort("no_barrier", in(place::block), counted_down(200));
  EXPECT_NE(verdict().find("between warps"), std::string::npos) << verdict();
  EXPECT_NE(missing().find("barrier"), std::string::npos) << missing();
}

TEST_F(machine_sorting, edges_in_one_place_race) {
  use("tests/unit/machine/neighbour_sort.cu");
  sort("one_half", in(place::block, 60), counted_down(200));
  EXPECT_NE(verdict().find("between warps"), std::string::npos) << verdict();
}

TEST_F(machine_sorting, borrowed_keys_are_used_up) {
  use("tests/unit/machine/neighbour_sort.cu");
  sort_words wanted = counted_down(200);
  const sorted_words seen = sort("used_up", in(place::block, 60), wanted);
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(verdict(), "no race");
  EXPECT_NE(bench::sort_difference(seen.words, wanted), "");
}

TEST_F(machine_sorting, behind_a_narrow_barrier_it_races) {
  use("tests/unit/machine/neighbour_sort.cu");
  sort("narrow_barrier", in(place::grid), counted_down(150));
  EXPECT_NE(verdict().find("between blocks"), std::string::npos) << verdict();
  EXPECT_NE(missing().find("scope"), std::string::npos) << missing();
}

}  // namespace
}  // namespace ptxlab::machine
