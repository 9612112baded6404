// SPDX-License-Identifier: Apache-2.0
// The protocol of random numbers without a GPU: its points, how states are spread over a grid, and
// what it refuses.
#include <gtest/gtest.h>

#include "driver/bench/drawing.hpp"
#include "driver/bench/protocol.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::generator;
using kernels::measurement;

constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};

const protocol& random_protocol() {
  return protocol_of(kernels::protocol::random);
}

TEST(bench_random, points_of_a_pseudorandom_sequence) {
  measurement m;
  m.generator.numbers = {0, 1, 1000};
  EXPECT_EQ(random_protocol().points(m, h200, false),
            (std::vector<axes>{{{"numbers", 0}, {"subsequences", 0}},
                               {{"numbers", 1}, {"subsequences", 0}},
                               {{"numbers", 1000}, {"subsequences", 0}}}));
  m.swept = {"subsequences", 0, {0, 4096}};
  EXPECT_EQ(random_protocol().points(m, h200, false).size(), 6U);
  EXPECT_LE(random_protocol().points(m, h200, true).size(), 4U);
}

TEST(bench_random, points_of_a_quasirandom_sequence_fill_its_dimensions) {
  measurement m;
  m.generator.by = generator::law::sobol32;
  m.generator.numbers = {1000};
  m.swept = {"dimensions", 0, {1, 300, 20000}};
  EXPECT_EQ(random_protocol().points(m, h200, false),
            (std::vector<axes>{{{"numbers", 1000}, {"dimensions", 1}},
                               {{"numbers", 900}, {"dimensions", 300}},
                               {{"numbers", 0}, {"dimensions", 20000}}}));
  // No dimension is a point too; refusal_of says what is wrong with it.
  m.swept.values = {0};
  EXPECT_EQ(random_protocol().points(m, h200, false).at(0).at("dimensions"), 0);
}

TEST(bench_random, every_thread_has_its_own_subsequences) {
  const xorwow_spread s = spread_over(264, 256, 4, 0);
  EXPECT_EQ(s.subsequences, 264U * 256 * 4);
  EXPECT_EQ(s.segments, 1U);
  EXPECT_EQ(s.blocks, 264U);
}
TEST(bench_random, few_subsequences_are_drawn_from_in_segments) {
  xorwow_spread s = spread_over(264, 256, 4, 4096);
  EXPECT_EQ(s.subsequences, 4096U);
  EXPECT_EQ(s.segments, 66U) << "264 blocks of 256 threads, 1024 threads to a row";
  EXPECT_EQ(s.blocks, 264U);
  s = spread_over(7, 256, 4, 4096);
  EXPECT_EQ(s.segments, 1U) << "7 blocks are one and three quarters";
  EXPECT_EQ(s.blocks, 4U);
  s = spread_over(264, 256, 1, 1 << 20);
  EXPECT_EQ(s.segments, 1U);
  EXPECT_EQ(s.blocks, 4096U) << "more than there are at once";
}
TEST(bench_random, a_thread_takes_whole_subsequences) {
  EXPECT_THROW(spread_over(264, 256, 4, 4098), error);
}

std::string refused(generator::law by, generator::output as, const axes& at) {
  kernels::variant v;
  v.measure.generator.by = by;
  v.measure.generator.as = as;
  return refusal_of(v, at, h200.memory_bytes);
}

TEST(bench_random, what_is_refused) {
  using enum generator::law;
  using enum generator::output;
  EXPECT_EQ(refused(xorwow, uniform, {{"numbers", 0}}), "");
  EXPECT_EQ(refused(xorwow, uniform, {{"numbers", 0x1p31 + 8}}), "");
  EXPECT_EQ(refused(xorwow, uniform_double, {{"numbers", 7}}), "");
  EXPECT_EQ(refused(xorwow, normal, {{"numbers", 7}}), "7 numbers that come in pairs");
  EXPECT_EQ(refused(xorwow, normal_double, {{"numbers", 7}}), "7 numbers that come in pairs");
  EXPECT_EQ(refused(sobol32, normal, {{"numbers", 7}, {"dimensions", 1}}), "");
  EXPECT_EQ(refused(xorwow, uniform, {{"numbers", 0x1p35}}),
            "137438953472 bytes of numbers are more than half of the memory");
  EXPECT_EQ(refused(sobol32, uniform, {{"numbers", 7}, {"dimensions", 2}}),
            "7 numbers in 2 dimensions");
  EXPECT_EQ(refused(sobol32, uniform, {{"numbers", 0x1p32}, {"dimensions", 1}}),
            "4294967296 points of a sequence that is indexed by 32 bits");
  EXPECT_EQ(refused(sobol32, uniform, {{"numbers", 0x1p32}, {"dimensions", 4}}), "");
}

}  // namespace
}  // namespace ptxlab::bench
