// SPDX-License-Identifier: Apache-2.0
// What the transfer protocol decides without a GPU: its points, the bytes that are copied, and the
// size from which half of the best rate is reached.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "analysis/results/statistics.hpp"
#include "driver/bench/byte_pattern.hpp"
#include "driver/bench/half_size.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {
namespace {

using bytes = std::vector<unsigned char>;

TEST(byte_pattern, of_any_size) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 4U, 5U, 1003U}) {
    bytes data(n + 1, 0xee);
    const std::span<unsigned char> part(data.data(), n);
    write_pattern(part, first_seed);
    EXPECT_EQ(data[n], 0xee) << "behind the end";
    EXPECT_EQ(count_wrong(part, first_seed).count, 0u);
    EXPECT_EQ(count_wrong(part, first_seed).text(n), "");
    EXPECT_EQ(count_wrong(part, second_seed).count, n) << "the seeds differ in every byte";
  }
}

TEST(byte_pattern, by_hand) {
  bytes data(10);
  write_pattern(data, 0x01020304);
  // 0 and 1 and 2 times 0x9e3779b1, each xor the seed.
  const bytes wanted = {0x04, 0x03, 0x02, 0x01, 0xb5, 0x7a, 0x35, 0x9f, 0x66, 0xf0};
  EXPECT_EQ(data, wanted);
}

TEST(byte_pattern, tells_how_many_and_the_first) {
  bytes data(1003);
  write_pattern(data, first_seed);
  data[1002] ^= 1;
  data[17] ^= 0x80;
  data[18] ^= 0xff;
  EXPECT_EQ(count_wrong(data, first_seed).text(1003),
            "3 of 1003 bytes are wrong, the first one at 17");
}

TEST(half_size, between_two_sizes) {
  // A fixed cost of 10 us and 50 GB/s: half of the limit is where both parts take as long, at 500
  // kB; the best that is seen is a little less than the limit.
  std::map<double, double> rates;
  for (double b = 4; b < 2e9; b *= 2) rates[b] = b / (10e3 + b / 50);
  const auto half = half_size_of(rates);
  ASSERT_TRUE(half);
  EXPECT_NEAR(half->best, 50, 0.1);
  EXPECT_NEAR(half->bytes / 500e3, 1, 0.1) << "sizes that are twice each other";
  EXPECT_FALSE(half->smallest);
}

TEST(half_size, at_a_size_and_below_all) {
  EXPECT_DOUBLE_EQ(half_size_of({{1, 1}, {10, 5}, {100, 10}})->bytes, 10);
  const auto flat = half_size_of({{1, 9}, {10, 10}, {100, 10}});
  EXPECT_DOUBLE_EQ(flat->bytes, 1);
  EXPECT_TRUE(flat->smallest);
}

TEST(half_size, too_few) {
  EXPECT_FALSE(half_size_of({}));
  EXPECT_FALSE(half_size_of({{1, 1}, {2, 2}}));
}

TEST(bench_transfer, points_are_the_declared_sizes) {
  constexpr sizes h200{132, 1024, std::uint64_t{60} << 20, std::uint64_t{141} << 30};
  const protocol& p = protocol_of(kernels::protocol::transfer);
  EXPECT_EQ(p.contract, nullptr);
  kernels::measurement m;
  EXPECT_TRUE(p.points(m, h200, false).empty());
  m.bytes = {0, 1, 1000003, std::uint64_t{1} << 33};
  const auto all = p.points(m, h200, false);
  ASSERT_EQ(all.size(), 4u);
  EXPECT_EQ(all[2].at("bytes"), 1000003);
  EXPECT_EQ(all[3].at("bytes"), 0x1p33);
  m.bytes.resize(9, 64);
  EXPECT_EQ(p.points(m, h200, true).size(), 4u);
}

results::row with(const char* quantity, double at, double median) {
  results::row r =
      make_row(protocol_of(kernels::protocol::transfer), {{"bytes", at}}, quantity, "");
  r.value = results::summarise({median});
  return r;
}

TEST(bench_transfer, half_sizes_follow_from_rows_with_a_value) {
  // 1, 2, 4 GB/s alone, the last one the best; 2, 3, 8 one behind the other.
  std::vector<results::row> rows = {with("time", 1000, 1),      with("bandwidth", 1000, 2),
                                    with("time", 4000, 2),      with("bandwidth", 4000, 3),
                                    with("time", 16000, 4),     with("bandwidth", 16000, 8),
                                    with("time", 1 << 20, 0.1), with("bandwidth", 1 << 20, 99)};
  for (std::size_t i = 6; i < 8; ++i) {
    rows[i].value.reset();
    rows[i].state = results::status::invalid;
  }
  protocol_of(kernels::protocol::transfer).conclude(rows);
  ASSERT_EQ(rows.size(), 10u);
  EXPECT_EQ(rows[8].quantity, "half size");
  EXPECT_EQ(rows[8].unit, "byte");
  EXPECT_DOUBLE_EQ(rows[8].value->median, 4000);
  EXPECT_EQ(rows[9].quantity, "half size queued");
  // 4 of 3 to 8, on a line of logarithms.
  EXPECT_NEAR(rows[9].value->median, 4000 * std::pow(4, std::log(4.0 / 3) / std::log(8.0 / 3)), 1);
  std::vector<results::row> none = {with("time", 1, 1)};
  protocol_of(kernels::protocol::transfer).conclude(none);
  EXPECT_EQ(none.size(), 1u) << "too few sizes to say";
}

}  // namespace
}  // namespace ptxlab::bench
