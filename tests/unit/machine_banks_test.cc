// SPDX-License-Identifier: Apache-2.0
// Bank conflicts: strides against the greatest common divisor, the examples of the CUDA C
// Programming Guide 4.2 for compute capability 1.x, and counters over sets for random addresses.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include "ptx/machine/observers/banks.hpp"

namespace ptxlab::machine {
namespace {

constexpr lane_mask all = 0xffffffff;
constexpr bool load = false, store = true;
using lane_array = std::array<address, warp_lanes>;

lane_array strided(address step, address base = 0) {
  lane_array at;
  for (unsigned i = 0; i < warp_lanes; ++i) at[i] = base + i * step;
  return at;
}

TEST(banks, stride_conflicts_by_the_common_divisor) {
  for (std::uint32_t s = 1; s <= 64; ++s) {
    const std::uint32_t by16 = std::gcd(s, 16u), by32 = std::gcd(s, 32u);
    for (const bool kind : {load, store})
      EXPECT_EQ(passes_16_banks(all, strided(4 * s), 4, kind), (bank_passes{2, 2 * by16, by16}))
          << "stride " << s;
    EXPECT_EQ(passes_32_banks(all, strided(4 * s), 4), (bank_passes{1, by32, by32}))
        << "stride " << s;
  }
}

TEST(banks, chars_conflict_four_ways_on_16_banks_and_not_today) {
  EXPECT_EQ(passes_16_banks(all, strided(1), 1, load), (bank_passes{2, 8, 4}));
  EXPECT_EQ(passes_16_banks(all, strided(1), 1, store), (bank_passes{2, 8, 4}));
  EXPECT_EQ(passes_16_banks(all, strided(4), 1, load), (bank_passes{2, 2, 1}));
  EXPECT_EQ(passes_16_banks(all, strided(2), 2, load), (bank_passes{2, 4, 2}));
  EXPECT_EQ(passes_32_banks(all, strided(1), 1), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(2), 2), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(128), 1), (bank_passes{1, 32, 32}));
}

TEST(banks, one_word_for_all_is_a_broadcast) {
  for (const std::uint32_t bytes : {1u, 2u, 4u}) {
    EXPECT_EQ(passes_16_banks(all, strided(0, 64), bytes, load), (bank_passes{2, 2, 1}));
    EXPECT_EQ(passes_32_banks(all, strided(0, 64), bytes), (bank_passes{1, 1, 1}));
  }
  EXPECT_EQ(passes_16_banks(all, strided(0), 4, store), (bank_passes{2, 2, 1}));
}

// Column 0 of a tile of floats: rows are 16 or 17 words apart.
TEST(banks, a_tile_padded_to_17_columns_has_no_conflict) {
  const lane_mask half = 0xffff;
  EXPECT_EQ(passes_16_banks(half, strided(16 * 4), 4, load), (bank_passes{1, 16, 16}));
  EXPECT_EQ(passes_16_banks(half, strided(17 * 4), 4, load), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(half, strided(16 * 4), 4), (bank_passes{1, 8, 8}));
  EXPECT_EQ(passes_32_banks(half, strided(17 * 4), 4), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(32 * 4), 4), (bank_passes{1, 32, 32}));
  EXPECT_EQ(passes_32_banks(all, strided(33 * 4), 4), (bank_passes{1, 1, 1}));
}

// On 1.x a double is two requests of stride 2, a float4 four of stride 4.
TEST(banks, wide_words_on_16_banks_are_requests_of_their_own) {
  EXPECT_EQ(passes_16_banks(all, strided(8), 8, load), (bank_passes{4, 8, 2}));
  EXPECT_EQ(passes_16_banks(all, strided(16), 16, load), (bank_passes{8, 32, 4}));
  EXPECT_EQ(passes_16_banks(0xffff, strided(8), 8, store), (bank_passes{2, 4, 2}));
}

TEST(banks, wide_words_today_go_by_halves_and_quarters) {
  EXPECT_EQ(passes_32_banks(all, strided(8), 8), (bank_passes{2, 2, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(16), 16), (bank_passes{4, 4, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(16), 8), (bank_passes{2, 4, 2}));
  EXPECT_EQ(passes_32_banks(all, strided(32), 16), (bank_passes{4, 8, 2}));
  EXPECT_EQ(passes_32_banks(0x000000ff, strided(16), 16), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(0x0000ffff, strided(8), 8), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(0x00ff00ff, strided(16), 16), (bank_passes{2, 2, 1}));
}

TEST(banks, neighbours_on_one_address_let_wide_requests_merge) {
  lane_array pairs8, pairs16, seconds8, fours8;
  for (unsigned i = 0; i < warp_lanes; ++i) {
    pairs8[i] = i / 2 * 8;
    pairs16[i] = i / 2 * 16;
    seconds8[i] = (i / 4 * 2 + i % 2) * 8;
    fours8[i] = (i / 8 * 4 + i % 4) * 8;
  }
  EXPECT_EQ(passes_32_banks(all, pairs8, 8), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(all, seconds8, 8), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(all, fours8, 8), (bank_passes{2, 2, 1}));
  EXPECT_EQ(passes_32_banks(all, pairs16, 16), (bank_passes{2, 2, 1}));
  EXPECT_EQ(passes_32_banks(all, strided(0), 16), (bank_passes{2, 2, 1}));
  EXPECT_EQ(passes_32_banks(0x55555555, strided(8), 8).value().requests, 1u);
  // One pair that differs undoes it.
  pairs8[30] = 0;
  EXPECT_EQ(passes_32_banks(all, pairs8, 8).value().requests, 2u);
}

// The guide leaves the broadcast word open. Had word 1 been chosen first, one pass were enough.
TEST(banks, the_lowest_lane_has_the_broadcast_word) {
  lane_array at{};
  for (unsigned i = 1; i < warp_lanes; ++i) at[i] = 4;
  EXPECT_EQ(passes_16_banks(0xffff, at, 4, load), (bank_passes{1, 2, 2}));
  EXPECT_EQ(passes_16_banks(0xfffe, at, 4, load), (bank_passes{1, 1, 1}));
  EXPECT_EQ(passes_32_banks(0xffff, at, 4), (bank_passes{1, 1, 1}));
}

TEST(banks, bad_input) {
  for (const std::uint32_t bytes : {0u, 3u, 12u, 32u, 128u}) {
    EXPECT_FALSE(passes_16_banks(all, strided(32), bytes, load)) << bytes;
    EXPECT_FALSE(passes_32_banks(all, strided(32), bytes)) << bytes;
  }
  EXPECT_FALSE(passes_32_banks(all, strided(4, 2), 4));
  EXPECT_FALSE(passes_16_banks(all, strided(8, 4), 8, store));
  lane_array one_off = strided(4);
  one_off[9] += 1;
  EXPECT_FALSE(banks_can_tell(all, one_off, 4));
  EXPECT_TRUE(banks_can_tell(~(1u << 9), one_off, 4));
  for (const std::uint32_t bytes : {1u, 2u, 4u, 8u, 16u}) {
    EXPECT_EQ(passes_16_banks(0, strided(16), bytes, load), (bank_passes{0, 0, 0}));
    EXPECT_EQ(passes_32_banks(0, strided(16), bytes), (bank_passes{0, 0, 0}));
  }
}

// ---- Counters over sets. ----

std::uint32_t literal_32(const std::vector<address>& lanes, std::uint32_t bytes) {
  std::map<address, std::set<address>> words_of_bank;
  for (const address a : lanes)
    for (address b = a; b < a + bytes; ++b) words_of_bank[b / 4 % 32].insert(b / 4);
  std::size_t most = 0;
  for (const auto& [bank, words] : words_of_bank) most = std::max(most, words.size());
  return static_cast<std::uint32_t>(most);
}

std::uint32_t literal_16(std::vector<address> left) {
  std::uint32_t steps = 0;
  while (!left.empty()) {
    ++steps;
    const address broadcast = left.front() / 4;
    std::set<address> served{broadcast % 16};
    std::vector<address> later;
    for (const address a : left)
      if (a / 4 != broadcast && !served.insert(a / 4 % 16).second) later.push_back(a);
    left = later;
  }
  return steps;
}

std::vector<address> lanes_of(lane_mask mask, const lane_array& at, address offset = 0) {
  std::vector<address> r;
  for (unsigned i = 0; i < warp_lanes; ++i)
    if ((mask >> i & 1) != 0) r.push_back(at[i] + offset);
  return r;
}

TEST(banks, random_addresses_agree_with_counters_over_sets) {
  std::mt19937_64 random(17);
  for (int round = 0; round < 6000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const address range = address{1} << random() % 12;
    lane_mask mask = round % 2 == 0 ? all : static_cast<lane_mask>(random());
    lane_array at;
    for (address& a : at) a = random() % range * bytes;

    std::uint32_t passes = 0, degree = 0;
    for (address offset = 0; offset < bytes; offset += 4)
      for (const lane_mask half : {0xffffu, 0xffff0000u}) {
        const std::uint32_t p = literal_16(lanes_of(mask & half, at, offset));
        passes += p;
        degree = std::max(degree, p);
      }
    const bank_passes then = passes_16_banks(mask, at, bytes, load).value();
    ASSERT_EQ(then.passes, passes) << bytes;
    ASSERT_EQ(then.degree, degree) << bytes;

    // Merging can only save: whole groups bound the passes from above, one group from below.
    const bank_passes now = passes_32_banks(mask, at, bytes).value();
    const unsigned group = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    std::uint32_t separate = 0;
    for (unsigned from = 0; from < 32; from += group) {
      const lane_mask lanes = (group == 32 ? all : (1u << group) - 1) << from;
      separate += literal_32(lanes_of(mask & lanes, at), bytes);
    }
    if (bytes <= 4) {
      ASSERT_EQ(now.passes, separate);
    } else {
      ASSERT_LE(now.passes, separate);
    }
    if (mask == all && range >= 64 && bytes > 4) {
      ASSERT_EQ(now.passes, separate);
    }
  }
}

}  // namespace
}  // namespace ptxlab::machine
