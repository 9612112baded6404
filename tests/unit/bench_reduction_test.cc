// SPDX-License-Identifier: Apache-2.0
// Reductions without a GPU: which launches follow each other, run on the host for every size up to
// 3000; numbers whose sum is known; the host's own sums; a library of rivals that is not there.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "driver/bench/contest.hpp"
#include "driver/bench/cpu_rivals.hpp"
#include "driver/bench/protocol.hpp"
#include "driver/bench/repeats.hpp"
#include "driver/bench/rivals.hpp"
#include "driver/bench/summation.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::measurement;
using kernels::summation;
using launches = std::vector<summation_launch>;

constexpr std::uint64_t two_31 = std::uint64_t{1} << 31;

template <typename F>
std::string message_of(F f) {
  try {
    f();
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

measurement reduction(summation s, unsigned threads = 256) {
  measurement m;
  m.how = kernels::protocol::reduction;
  m.threads = {threads};
  m.sum = std::move(s);
  return m;
}
measurement in_place(unsigned unroll) {
  return reduction({.by = summation::leaves::in_place, .unroll = unroll});
}

// ---- launches

/// One launch of document C, thread by thread: what every thread of the grid does, no more.
void run_in_place(std::vector<std::uint64_t>& a, const summation_launch& l, std::uint64_t unroll,
                  unsigned threads) {
  const std::uint64_t m = l.n / unroll;
  ASSERT_LE(l.n, a.size());
  for (std::uint64_t t = 0; t < std::uint64_t{l.blocks} * threads; ++t) {
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; t < m && i < unroll; ++i) sum += a[t + i * m];
    for (std::uint64_t i = m * unroll; t == 0 && i < l.n; ++i) sum += a[i];
    if (t < m || t == 0) a[t] = sum;
  }
}

TEST(bench_reduction, launches_in_place_leave_the_sum_of_any_size) {
  for (const unsigned unroll : {2, 3, 4, 5, 6, 7, 8, 9, 10, 25, 50, 100}) {
    const measurement m = in_place(unroll);
    for (std::uint64_t n = 0; n <= 3000; ++n) {
      std::vector<std::uint64_t> a(n);
      for (std::uint64_t i = 0; i < n; ++i)
        a[i] = i * i + 1;  // no two subsets of a few add up alike
      const std::uint64_t sum = std::accumulate(a.begin(), a.end(), std::uint64_t{0});
      const launches all = launches_of(m, n, 132);
      ASSERT_EQ(all.empty(), n < 2) << n;
      for (const summation_launch& l : all) run_in_place(a, l, unroll, 256);
      if (n > 0) {
        ASSERT_EQ(a[0], sum) << n << " by " << unroll;
      }
    }
  }
}

TEST(bench_reduction, launches_in_place_are_as_many_as_the_document_says) {
  EXPECT_EQ(launches_of(in_place(2), 1024, 1), (launches{{1024, 2},
                                                         {512, 1},
                                                         {256, 1},
                                                         {128, 1},
                                                         {64, 1},
                                                         {32, 1},
                                                         {16, 1},
                                                         {8, 1},
                                                         {4, 1},
                                                         {2, 1}}));
  EXPECT_EQ(launches_of(in_place(7), 10000, 1),
            (launches{{10000, 6}, {1428, 1}, {204, 1}, {29, 1}, {4, 1}}));
  EXPECT_EQ(launches_of(in_place(100), two_31, 1).front(), (summation_launch{two_31, 83887}))
      << "ceil(2^31 / 100 / 256)";
  EXPECT_EQ(launches_of(in_place(2), 2 * two_31 + 1, 1).front().n, 2 * two_31 + 1);
}

TEST(bench_reduction, launches_over_tiles) {
  const measurement m = reduction({.by = summation::leaves::partials, .tile = 512});
  EXPECT_EQ(launches_of(m, 0, 9), (launches{{0, 1}}));
  EXPECT_EQ(launches_of(m, 1, 9), (launches{{1, 1}}));
  EXPECT_EQ(launches_of(m, 512, 9), (launches{{512, 1}}));
  EXPECT_EQ(launches_of(m, 513, 9), (launches{{513, 2}, {2, 1}}));
  EXPECT_EQ(launches_of(m, two_31, 9),
            (launches{{two_31, 1U << 22}, {1U << 22, 8192}, {8192, 16}, {16, 1}}));
}

TEST(bench_reduction, one_launch_has_no_more_blocks_than_tiles) {
  measurement m = reduction({.tile = 4096});
  EXPECT_EQ(launches_of(m, 0, 528), (launches{{0, 1}}));
  EXPECT_EQ(launches_of(m, 4096, 528), (launches{{4096, 1}}));
  EXPECT_EQ(launches_of(m, 4097, 528), (launches{{4097, 2}}));
  EXPECT_EQ(launches_of(m, two_31, 528), (launches{{two_31, 528}}));
  m.cluster_blocks = 8;
  EXPECT_EQ(launches_of(m, 1, 528), (launches{{1, 8}})) << "whole clusters";
  EXPECT_EQ(launches_of(m, 36864, 528), (launches{{36864, 16}}));
}

TEST(bench_reduction, declarations_that_get_nowhere_are_refused) {
  EXPECT_EQ(message_of([] { launches_of(in_place(1), 9, 1); }),
            "a reduction in place whose unroll factor is below 2 never ends");
  EXPECT_EQ(message_of([] {
              launches_of(reduction({.by = summation::leaves::partials, .tile = 1}), 9, 1);
            }),
            "a reduction whose tile is below 2 never ends");
  EXPECT_EQ(message_of([] { launches_of(reduction({}), 9, 1); }), "a reduction of no tile");
  EXPECT_EQ(message_of([] {
              launches_of(reduction({.by = summation::leaves::partials, .tile = 2}), 4 * two_31, 1);
            }),
            "4294967296 blocks are more than a grid can have");
}

TEST(bench_reduction, points) {
  const protocol& p = protocol_of(kernels::protocol::reduction);
  measurement m = reduction({.tile = 64, .elements = {0, 1, 1000, two_31}}, 512);
  m.blocks_per_sm = {1, 4};
  const sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};
  const std::vector<axes> all = p.points(m, h200, false);
  ASSERT_EQ(all.size(), 8U);
  EXPECT_EQ(all.front(), (axes{{"blocks_per_sm", 1}, {"elements", 0}, {"threads", 512}}));
  EXPECT_EQ(all.back(), (axes{{"blocks_per_sm", 4}, {"elements", 0x1p31}, {"threads", 512}}));
  EXPECT_EQ(p.points(m, h200, true).size(), 4U);
  m.threads = {512, 2048};
  m.blocks_per_sm.clear();
  EXPECT_EQ(p.points(m, h200, false).size(), 4U) << "a block of 2048 there is not";
  EXPECT_FALSE(p.points(m, h200, false).front().contains("blocks_per_sm"));
}

// ---- numbers

template <typename T>
class bench_summands : public testing::Test {};
using types = testing::Types<float, double, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(bench_summands, types);

TYPED_TEST(bench_summands, sum_is_what_adding_gives) {
  for (const std::uint64_t n : {0, 1, 2, 1000, 100'002, 100'003, 100'004, 300'000}) {
    const auto exact = exact_summands<TypeParam>(n);
    const std::vector<TypeParam> x = exact.all();
    ASSERT_EQ(x.size(), n);
    EXPECT_EQ(std::accumulate(x.begin(), x.end(), TypeParam{}), exact.sum()) << n;
    EXPECT_EQ(std::accumulate(x.rbegin(), x.rend(), TypeParam{}), exact.sum()) << n;
    const auto real = real_summands<TypeParam>(n);
    long double sum = 0;
    std::uint64_t wrapped = 0;
    for (const TypeParam v : real.all()) {
      sum += v;
      wrapped += static_cast<std::uint64_t>(v);
    }
    if (std::is_integral_v<TypeParam>)
      EXPECT_EQ(static_cast<TypeParam>(wrapped), real.sum()) << n;
    else
      EXPECT_EQ(static_cast<TypeParam>(sum), real.sum()) << n;
  }
}

TYPED_TEST(bench_summands, small_integers_stay_below_what_the_type_holds) {
  if (std::is_integral_v<TypeParam>) return;  // these wrap
  for (std::uint64_t n = 1; n <= 2 * two_31; n *= 2) {
    const auto exact = exact_summands<TypeParam>(n);
    EXPECT_LE(static_cast<double>(exact.counts), std::exp2(std::numeric_limits<TypeParam>::digits))
        << n;
    EXPECT_GT(exact.counts, 0U) << n;
  }
}

TYPED_TEST(bench_summands, what_is_wrong_is_told) {
  const auto exact = exact_summands<TypeParam>(100'000);
  const TypeParam sum = exact.sum();
  EXPECT_EQ(wrong_sum(sum, exact, 0), "");
  EXPECT_EQ(wrong_sum(static_cast<TypeParam>(sum + 1), exact, 0),
            fmt::format("the sum is {}, not {}", static_cast<TypeParam>(sum + 1), sum));
  if (std::is_integral_v<TypeParam>) return;
  const auto real = real_summands<TypeParam>(100'000);
  const auto off = [&](double roundings) {
    const auto relative = roundings * std::numeric_limits<TypeParam>::epsilon() / 2;
    return static_cast<TypeParam>(static_cast<double>(real.sum()) * (1 + relative));
  };
  EXPECT_EQ(wrong_sum(off(90), real, 100), "");
  EXPECT_NE(wrong_sum(off(110), real, 100), "");
  EXPECT_NE(wrong_sum(std::numeric_limits<TypeParam>::quiet_NaN(), real, 100), "");
  EXPECT_NE(wrong_sum(std::numeric_limits<TypeParam>::infinity(), real, 100), "");
}

TEST(bench_summands_of_launches, roundings) {
  const measurement one = reduction({.tile = 64}, 512);
  EXPECT_EQ(additions_of(one, launches_of(one, two_31, 528)), 64 + 0x1p31 / (512 * 528));
  const measurement wide = reduction({.tile = 64, .wide = true}, 512);
  EXPECT_NEAR(additions_of(wide, launches_of(wide, two_31, 528)), 1, 2e-5);
  EXPECT_EQ(additions_of(in_place(7), launches_of(in_place(7), 10000, 1)), 64 + 5 * 14);
}

/// A sum in f32 in the order of document C is within the bound, and the bound is not so wide that a
/// number could be left out.
TEST(bench_summands_of_launches, real_numbers_in_place) {
  for (const unsigned unroll : {2U, 7U, 100U})
    for (const std::uint64_t n : {2, 99, 10000, 100'000}) {
      const summands<float> x = real_summands<float>(n);
      std::vector<float> a = x.all();
      const launches all = launches_of(in_place(unroll), n, 1);
      for (const summation_launch& l : all) {
        const std::uint64_t m = l.n / unroll;
        for (std::uint64_t i = std::max<std::uint64_t>(m, 1); i < l.n; ++i)
          a[i < m * unroll ? i % m : 0] += a[i];
      }
      const double additions = additions_of(in_place(unroll), all);
      EXPECT_EQ(wrong_sum(a[0], x, additions), "") << n << " by " << unroll;
      if (n <= 10000) {
        EXPECT_NE(wrong_sum(a[0] - 0.5F, x, additions), "") << n;
      }
    }
}

// ---- rivals

TYPED_TEST(bench_summands, the_host_sums_every_size) {
  if (std::is_same_v<TypeParam, std::uint32_t> && sum_vectors != 8) FAIL();
  team four(4);
  for (std::uint64_t n = 0; n <= 700; ++n) {
    const auto x = exact_summands<TypeParam>(n);
    const std::vector<TypeParam> all = x.all();
    ASSERT_EQ(sum_on_one_core(all.data(), n), x.sum()) << n;
    if (n % 50 < 3) {
      ASSERT_EQ(sum_on_all_cores(four, all.data(), n), x.sum()) << n;
    }
  }
  const auto x = exact_summands<TypeParam>(1'000'003);
  const std::vector<TypeParam> all = x.all();
  EXPECT_EQ(sum_on_one_core(all.data(), all.size()), x.sum());
  EXPECT_EQ(sum_on_one_core(all.data() + 1, all.size() - 1), x.sum() - all[0]) << "unaligned";
  EXPECT_EQ(sum_on_all_cores(four, all.data(), all.size()), x.sum());
}

TEST(bench_team, every_part_runs_once_in_every_round) {
  team five(5);
  EXPECT_EQ(five.size(), 5U);
  std::vector<int> runs(5);
  for (int round = 1; round <= 200; ++round) {
    five.run([&](unsigned which) { ++runs.at(which); });
    EXPECT_EQ(runs, std::vector<int>(5, round));
  }
  team one(1);
  int alone = 0;
  one.run([&](unsigned which) { alone += which == 0 ? 1 : 100; });
  EXPECT_EQ(alone, 1);
}

TEST(bench_rivals, the_host_sorts) {
  std::vector<std::uint32_t> u = {3, 0xffffffff, 0, 3};
  sort_on_one_core(u.data(), u.size());
  EXPECT_EQ(u, (std::vector<std::uint32_t>{0, 3, 3, 0xffffffff}));
  std::vector<float> f = {1, -std::numeric_limits<float>::infinity(), -2};
  sort_on_one_core(f.data(), f.size());
  EXPECT_EQ(f, (std::vector<float>{-std::numeric_limits<float>::infinity(), -2, 1}));
}

TEST(bench_rivals, a_library_that_is_not_there_or_is_none) {
  const rival_library none("/nowhere/build/lib/ptxlab_rivals.so");
  EXPECT_EQ(none.missing(), "build/lib/ptxlab_rivals.so is not there: make rivals");
  EXPECT_EQ(message_of([&] { none.about(); }), none.missing());
  EXPECT_EQ(message_of([&] { rival(none, "cub", "sum f32", {}); }), none.missing());
  const rival_library text("tests/unit/bench_reduction_test.cc");
  EXPECT_EQ(text.missing().find("the library of rivals cannot be used: "), 0U) << text.missing();
}

TEST(bench_rivals, names_of_types) {
  std::string all;
  for (const auto n : {kernels::number::u32, kernels::number::s32, kernels::number::f32,
                       kernels::number::f64, kernels::number::u64})
    all += fmt::format("{} ", name_of(n));
  EXPECT_EQ(all, "u32 s32 f32 f64 u64 ");
}

TEST(bench_rivals, take_turns) {
  std::string order;
  std::vector<contender> all(3);
  all[0].once = [&] {
    order += 'a';
    return 1.0;
  };
  all[1].once = [&]() -> double {
    order += 'b';
    if (order.size() > 4) throw error("no more");
    return 2;
  };
  all[2].once = [&] {
    order += 'c';
    return 3.0;
  };
  all[2].length = 10;
  time_in_turn(all, 2, 1);
  EXPECT_EQ(order, "abcabcac");
  EXPECT_EQ(all[0].taken.values, (std::vector<double>{1, 1})) << "the first, cold one is not kept";
  EXPECT_EQ(all[1].failure, "no more");
  EXPECT_TRUE(all[1].taken.values.empty());
  EXPECT_EQ(all[2].taken.length, 10);
}

TEST(bench_rivals, rows_of_a_contest) {
  const auto fine = [] { return std::string(); };
  std::vector<participant> all = {
      {"time", [] { return 3000.0; }, fine, 3},
      {"time of cub", [] { return 1.0; }, [] { return std::string("the sum is 3, not 4"); }},
      {"time of thrust", []() -> double { throw error("no memory"); }, fine},
      {"time of one core", {}, {}, 1, "make rivals"}};
  const auto rows =
      contest(protocol_of(kernels::protocol::reduction), {{"elements", 7}}, all, 4, 1);
  ASSERT_EQ(rows.size(), 4U);
  ASSERT_TRUE(rows[0].value);
  EXPECT_EQ(rows[0].value->median, 1) << "us of one call";
  EXPECT_EQ(rows[0].value->samples, 4);
  EXPECT_EQ(rows[0].raw.at(0).length, 3);
  EXPECT_EQ(rows[0].axes, (axes{{"elements", 7}}));
  const auto state = [&](std::size_t i) {
    EXPECT_FALSE(rows[i].value) << i;
    return rows[i].quantity + ": " + results::name(rows[i].state) + ": " + rows[i].reason;
  };
  EXPECT_EQ(state(1), "time of cub: invalid: the sum is 3, not 4");
  EXPECT_EQ(state(2), "time of thrust: error: no memory");
  EXPECT_EQ(state(3), "time of one core: not run: make rivals");
}

}  // namespace
}  // namespace ptxlab::bench
