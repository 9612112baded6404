// SPDX-License-Identifier: Apache-2.0
// The protocol of sorts without a GPU: its points, its launches, what it refuses, and the host's
// side: inputs, what must come out, inversions against counting all pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <compare>
#include <set>

#include "driver/bench/protocol.hpp"
#include "driver/bench/sorter.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::measurement;
using place = kernels::sort::place;
using u32 = std::uint32_t;

constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};
constexpr disorder all_kinds[] = {disorder::random,   disorder::sorted, disorder::nearly,
                                  disorder::reversed, disorder::equal,  disorder::few};

const kernels::sort plain{}, floats{.of = kernels::number::f32},
    three{.three_keys = true, .columns = 2};

/// Whether element b goes before element a, by the words of the rule.
bool wrong_way_round(const kernels::sort& s, const sort_words& w, std::size_t n, std::size_t a,
                     std::size_t b) {
  const auto as_float = [&](std::size_t i) { return std::bit_cast<float>(w[i]); };
  if (!s.three_keys && s.of == kernels::number::f32)
    return std::strong_order(as_float(b), as_float(a)) < 0;
  if (!s.three_keys) return w[b] < w[a];
  const auto number = [&](std::size_t i) { return static_cast<int>(w[i]); };
  const bool placed_a = number(a) > 0, placed_b = number(b) > 0;
  if (!placed_a || !placed_b) return placed_b && !placed_a;
  if (number(n + a) != number(n + b)) return number(n + b) > number(n + a);
  return std::strong_order(as_float(2 * n + b), as_float(2 * n + a)) > 0;
}

TEST(bench_sorting, inversions_are_all_pairs_the_wrong_way_round) {
  for (const kernels::sort* s : {&plain, &floats, &three})
    for (const disorder d : all_kinds)
      for (const unsigned n : {0U, 1U, 2U, 3U, 100U, 129U}) {
        const sort_words in = sort_input(*s, d, n);
        ASSERT_EQ(in.size(), n * sort_rows(*s));
        std::uint64_t pairs = 0;
        for (unsigned a = 0; a < n; ++a)
          for (unsigned b = a + 1; b < n; ++b) pairs += wrong_way_round(*s, in, n, a, b);
        EXPECT_EQ(inversions(*s, in, n), pairs) << name(d) << n;
        const sort_words out = sort_expected(*s, in, n);
        EXPECT_EQ(inversions(*s, out, n), 0U) << name(d) << n;
        sort_words a = in, b = out;
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        EXPECT_EQ(a, b) << "the same words";
      }
}

TEST(bench_sorting, equal_elements_keep_their_order) {
  const unsigned n = 200;
  const sort_words in = sort_input(three, disorder::random, n);
  const sort_words out = sort_expected(three, in, n);
  // Columns number the elements.
  unsigned ties = 0;
  for (std::size_t i = 0; i + 1 < n; ++i) {
    ASSERT_FALSE(wrong_way_round(three, out, n, i, i + 1));
    if (wrong_way_round(three, out, n, i + 1, i)) continue;
    ++ties;
    EXPECT_LT(out[3 * n + i], out[3 * n + i + 1]);
  }
  EXPECT_GT(ties, 50U);
  EXPECT_GT(zero_orders(in, n), 10U);
}

TEST(bench_sorting, kinds_of_disorder) {
  const unsigned n = 1000;
  const std::uint64_t all = n * (n - 1ULL) / 2;
  const auto of = [&](disorder d) { return inversions(plain, sort_input(plain, d, n), n); };
  EXPECT_EQ(of(disorder::sorted), 0U);
  EXPECT_EQ(of(disorder::equal), 0U);
  EXPECT_EQ(of(disorder::reversed), all);
  EXPECT_GT(of(disorder::random), all * 45 / 100);
  EXPECT_LT(of(disorder::random), all * 55 / 100);
  EXPECT_GT(of(disorder::nearly), 0U);
  EXPECT_LE(of(disorder::nearly), n * (nearly_places - 1ULL) / 2);
  const sort_words few = sort_input(floats, disorder::few, n);
  EXPECT_LE(std::set<u32>(few.begin(), few.end()).size(), 12U);
  const auto count = [&](auto is) {
    return std::count_if(few.begin(), few.end(),
                         [&](u32 b) { return is(std::bit_cast<float>(b)); });
  };
  EXPECT_GT(count([](float x) { return x != x; }), 0);
  EXPECT_GT(count([](float x) { return x == std::numeric_limits<float>::infinity(); }), 0);
  EXPECT_THROW(sort_input({.of = kernels::number::f64}, disorder::random, 1), error);
}

TEST(bench_sorting, differences) {
  EXPECT_EQ(sort_difference({1, 2, 3}, {1, 2, 3}), "");
  EXPECT_EQ(sort_difference({1, 5, 3, 7}, {1, 2, 3, 4}),
            "2 of 4 words are wrong, the first is word 1: 5, not 2");
  EXPECT_EQ(sort_difference({1}, {}), "1 words instead of 0");
}

TEST(bench_sorting, comparisons_of_passes) {
  EXPECT_EQ(comparisons_of(5, 0), 0U);
  EXPECT_EQ(comparisons_of(5, 1), 0U);
  EXPECT_EQ(comparisons_of(1, 7), 3U);
  EXPECT_EQ(comparisons_of(2, 7), 6U);
  EXPECT_EQ(comparisons_of(2, 8), 7U);
  EXPECT_EQ(comparisons_of(8, 8), 8U * 7 / 2);
  EXPECT_EQ(comparisons_of(7, 7), 7U * 6 / 2);
}

// ---- points and launches

measurement in(place where) {
  measurement m;
  m.how = kernels::protocol::sorting;
  m.sort.in = where;
  return m;
}

TEST(bench_sorting, points) {
  const protocol& p = protocol_of(kernels::protocol::sorting);
  EXPECT_EQ(p.contract, nullptr);
  measurement m = in(place::launches);
  m.sort.elements = {0, 5, 1024};
  EXPECT_EQ(p.points(m, h200, false).size(), 3U);
  EXPECT_EQ(p.points(m, h200, false).back(), (axes{{"elements", 1024}}));
  m.sort.looks = {0, 64};
  EXPECT_EQ(p.points(m, h200, false).size(), 6U);
  EXPECT_EQ(p.points(m, h200, false).back(), (axes{{"elements", 1024}, {"looks", 64}}));
  EXPECT_EQ(p.points(m, h200, true).size(), 4U);
}

TEST(bench_sorting, shapes_of_one_block) {
  const measurement m = in(place::block);
  EXPECT_EQ(shape_of(m, 0, 132).threads, 32U);
  EXPECT_EQ(shape_of(m, 65, 132).threads, 64U);
  EXPECT_EQ(shape_of(m, 1024, 132).threads, 512U);
  EXPECT_EQ(shape_of(m, 8192, 132).threads, 1024U) << "a thread has several pairs";
  EXPECT_EQ(shape_of(m, 8192, 132).blocks, 1U);
}

TEST(bench_sorting, shapes_of_many_blocks) {
  measurement m = in(place::launches);
  m.threads = {256};
  EXPECT_EQ(shape_of(m, 1024, 132).blocks, 2U);
  EXPECT_EQ(shape_of(m, 0, 132).blocks, 1U);
  EXPECT_EQ(shape_of(m, 1 << 20, 132).blocks, 2048U);
  m.sort.in = place::grid;
  EXPECT_EQ(shape_of(m, 1 << 20, 132).blocks, 132U) << "threads have several pairs";
  m.sort.passes = 240;
  m.sort.warp_keys = 260;
  m.sort.borrowed = 420;
  m.threads = {256, 32, 128, 1024};
  EXPECT_EQ(shape_of(m, 1024, 132).threads, 128U) << "one warp has only borrowed keys";
  EXPECT_EQ(shape_of(m, 1024, 132).blocks, 2U) << "620 each";
  EXPECT_EQ(shape_of(m, 132 * 620, 132).threads, 128U);
  EXPECT_EQ(shape_of(m, 132 * 620 + 1, 132).threads, 256U);
  EXPECT_EQ(shape_of(m, 2'000'000, 132).threads, 1024U);
  EXPECT_EQ(shape_of(m, 2'000'000, 132).blocks, 254U);
}

TEST(bench_sorting, launches) {
  kernels::sort s;
  EXPECT_EQ(launches_of(s, 0), 1U) << "one launch has nothing to do";
  s.in = place::launches;
  for (const unsigned n : {0U, 1U, 2U, 1001U}) EXPECT_EQ(launches_of(s, n), n);
  s.passes = 240;
  EXPECT_EQ(launches_of(s, 240), 1U);
  EXPECT_EQ(launches_of(s, 241), 2U);
}

TEST(bench_sorting, refuses_in_one_line) {
  measurement m = in(place::block);
  m.sort.most = 8192;
  EXPECT_EQ(sort_refusal(m, 8192, h200), "");
  EXPECT_EQ(sort_refusal(m, 8193, h200), "one launch sorts at most 8192 keys");
  m.sort.most = 0;
  EXPECT_EQ(sort_refusal(m, 0, h200), "");
  EXPECT_EQ(sort_refusal(m, 2147483648.0, h200),
            "places of keys are numbers of 31 bits: no more than 2147483647 of them");
  sizes small = h200;
  small.memory_bytes = 1 << 20;
  EXPECT_EQ(sort_refusal(m, 1 << 20, small), "16777216 bytes are more than half of the memory");
  m = in(place::grid);
  m.sort.passes = 240;
  m.sort.warp_keys = 260;
  m.sort.borrowed = 420;
  m.threads = {1024};
  EXPECT_EQ(sort_refusal(m, 132 * 7900, h200), "");
  EXPECT_EQ(sort_refusal(m, 132 * 7900 + 1, h200),
            "133 blocks cannot wait for each other on 132 SMs");
}

}  // namespace
}  // namespace ptxlab::bench
