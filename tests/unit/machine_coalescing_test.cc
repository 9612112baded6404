// SPDX-License-Identifier: Apache-2.0
// Transactions of a warp: the patterns of the CUDA C Programming Guide with their figures, and a
// literal step-by-step reading of its rules over random addresses.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <set>
#include <vector>

#include "ptx/machine/observers/coalescing.hpp"

namespace ptxlab::machine {
namespace {

constexpr lane_mask all = 0xffffffff;
using lane_array = std::array<address, warp_lanes>;

lane_array strided(address base, address step) {
  lane_array at;
  for (unsigned i = 0; i < warp_lanes; ++i) at[i] = base + i * step;
  return at;
}

warp_transactions count(lane_mask mask, const lane_array& at, std::uint32_t bytes) {
  const std::optional<warp_transactions> r = transactions(mask, at, bytes);
  EXPECT_TRUE(r.has_value());
  return r.value_or(warp_transactions{});
}

// The four patterns that the guides up to 4.2 draw: on 1.0 and 1.1 1, 1, 16 and 16 transactions per
// half-warp; and what the segment rule of 1.2 makes of them, from its text.
TEST(coalescing, four_patterns_of_the_guide) {
  const lane_array sequential = strided(128, 4), shifted = strided(132, 4);
  const lane_mask some_idle = ~lane_mask{0x00100010};
  lane_array permuted = sequential;
  std::swap(permuted[3], permuted[4]);
  std::swap(permuted[19], permuted[20]);

  EXPECT_EQ(count(all, sequential, 4).cc10, (half_warps{{{{1, 64}, {1, 64}}}}));
  EXPECT_EQ(count(some_idle, sequential, 4).cc10, (half_warps{{{{1, 64}, {1, 64}}}}));
  EXPECT_EQ(count(all, permuted, 4).cc10, (half_warps{{{{16, 512}, {16, 512}}}}));
  EXPECT_EQ(count(all, shifted, 4).cc10, (half_warps{{{{16, 512}, {16, 512}}}}));

  EXPECT_EQ(count(all, sequential, 4).cc12, (half_warps{{{{1, 64}, {1, 64}}}}));
  EXPECT_EQ(count(some_idle, sequential, 4).cc12, (half_warps{{{{1, 64}, {1, 64}}}}));
  EXPECT_EQ(count(all, permuted, 4).cc12, (half_warps{{{{1, 64}, {1, 64}}}}));
  // Bytes 132 to 195 lie in both halves of one segment; bytes 196 to 259 in the upper half of one
  // and the first 32 bytes of the next: the Best Practices Guide 4.2 too has 64 and 32 bytes there.
  EXPECT_EQ(count(all, shifted, 4).cc12, (half_warps{{{{1, 128}, {2, 96}}}}));

  const auto today = [](const warp_transactions& t) {
    return std::array{t.sectors, t.lines, t.ideal_sectors};
  };
  EXPECT_EQ(today(count(all, sequential, 4)), (std::array{4u, 1u, 4u}));
  EXPECT_EQ(today(count(some_idle, sequential, 4)), (std::array{4u, 1u, 4u}));
  EXPECT_EQ(today(count(all, permuted, 4)), (std::array{4u, 1u, 4u}));
  EXPECT_EQ(today(count(all, shifted, 4)), (std::array{5u, 2u, 4u}));
}

TEST(coalescing, idle_lanes_of_a_half_warp_that_does_not_coalesce_take_nothing) {
  EXPECT_EQ(count(0x0000000f, strided(132, 4), 4).cc10, (half_warps{{{{4, 128}, {0, 0}}}}));
}

// The k-th lane must take the k-th word even where only one lane is active.
TEST(coalescing, a_single_lane_must_sit_on_its_own_word) {
  EXPECT_EQ(count(1u << 5, strided(128, 4), 4).cc10.half[0], (transfers{1, 64}));
  EXPECT_EQ(count(1u << 5, strided(132, 4), 4).cc10.half[0], (transfers{1, 32}));
}

TEST(coalescing, widths_on_1_0) {
  EXPECT_EQ(count(all, strided(256, 8), 8).cc10, (half_warps{{{{1, 128}, {1, 128}}}}));
  EXPECT_EQ(count(all, strided(256, 16), 16).cc10, (half_warps{{{{2, 256}, {2, 256}}}}));
  EXPECT_EQ(count(0x0000ff00, strided(256, 16), 16).cc10, (half_warps{{{{1, 128}, {0, 0}}}}));
  EXPECT_EQ(count(all, strided(256 + 64, 8), 8).cc10.half[0].transactions, 16u);
  EXPECT_EQ(count(all, strided(256 + 16, 16), 16).cc10.half[0].transactions, 16u);
  EXPECT_EQ(count(all, strided(256, 1), 1).cc10, (half_warps{{{{16, 512}, {16, 512}}}}));
  EXPECT_EQ(count(all, strided(256, 2), 2).cc10, (half_warps{{{{16, 512}, {16, 512}}}}));
}

TEST(coalescing, widths_on_1_2) {
  EXPECT_EQ(count(all, strided(256, 1), 1).cc12, (half_warps{{{{1, 32}, {1, 32}}}}));
  EXPECT_EQ(count(all, strided(256, 2), 2).cc12, (half_warps{{{{1, 32}, {1, 32}}}}));
  EXPECT_EQ(count(all, strided(256 + 16, 2), 2).cc12.half[0], (transfers{1, 64}));
  EXPECT_EQ(count(all, strided(256, 8), 8).cc12, (half_warps{{{{1, 128}, {1, 128}}}}));
  EXPECT_EQ(count(all, strided(256, 16), 16).cc12, (half_warps{{{{2, 256}, {2, 256}}}}));
  EXPECT_EQ(count(all, strided(256, 0), 4).cc12, (half_warps{{{{1, 32}, {1, 32}}}}));
  EXPECT_EQ(count(all, strided(256, 128), 4).cc12, (half_warps{{{{16, 512}, {16, 512}}}}));
  // 2-byte words have segments of 64 bytes: two of them, where 4-byte words need one of 128.
  EXPECT_EQ(count(all, strided(256, 8), 2).cc12.half[0], (transfers{2, 128}));
}

// float3 as one access of 12 bytes has no width that 1.0 coalesces: 16; as three arrays of float,
// three accesses of one transaction. As the compiler splits float3, three accesses of stride 12, it
// is three times 16.
TEST(coalescing, array_of_structs_against_struct_of_arrays) {
  EXPECT_EQ(count(all, strided(256, 12), 12).cc10.half[0].transactions, 16u);
  std::uint32_t soa = 0, aos = 0, aos_sectors = 0, soa_sectors = 0;
  for (address field = 0; field < 3; ++field) {
    soa += count(all, strided(256 + 4096 * field, 4), 4).cc10.half[0].transactions;
    aos += count(all, strided(256 + 4 * field, 12), 4).cc10.half[0].transactions;
    soa_sectors += count(all, strided(256 + 4096 * field, 4), 4).sectors;
    aos_sectors += count(all, strided(256 + 4 * field, 12), 4).sectors;
  }
  EXPECT_EQ(soa, 3u);
  EXPECT_EQ(aos, 48u);
  EXPECT_EQ(soa_sectors, 12u);
  EXPECT_EQ(aos_sectors, 36u);
  EXPECT_EQ(count(all, strided(256, 12), 12).sectors, 12u);
}

TEST(coalescing, ideal_counts_distinct_bytes) {
  EXPECT_EQ(count(all, strided(300, 0), 4).ideal_sectors, 1u);
  EXPECT_EQ(count(all, strided(0, 32), 4).ideal_sectors, 4u);
  EXPECT_EQ(count(all, strided(0, 32), 4).sectors, 32u);
  EXPECT_EQ(count(all, strided(0, 2), 4).distinct_bytes, 66u);
  EXPECT_EQ(count(0x7, strided(0, 4), 4).ideal_sectors, 1u);
}

TEST(coalescing, bad_input) {
  const lane_array at = strided(128, 4);
  EXPECT_EQ(transactions(0, at, 4), warp_transactions{});
  EXPECT_FALSE(transactions(all, at, 0));
  EXPECT_FALSE(transactions(all, at, line_bytes + 1));
  EXPECT_TRUE(transactions(all, at, line_bytes));
  EXPECT_FALSE(transactions_cc10(all, at, 0));
  EXPECT_EQ(transactions_cc10(0, at, 4), half_warps{});
  // A misaligned word touches both sectors, lines and segments.
  const warp_transactions t = count(1, strided(126, 0), 4);
  EXPECT_EQ(t.sectors, 2u);
  EXPECT_EQ(t.lines, 2u);
  EXPECT_EQ(t.ideal_sectors, 1u);
  EXPECT_EQ(t.cc12.half[0], (transfers{2, 64}));
  EXPECT_EQ(t.cc10.half[0], (transfers{1, 32}));
  // The end of the address space: no endless loop, and something is counted.
  EXPECT_EQ(count(all, strided(~address{0}, 0), 16).lines, 2u);
}

// ---- The guide's steps, read literally. ----

transfers literal_cc10(lane_mask mask, const lane_array& at, unsigned from, std::uint32_t bytes) {
  unsigned active = 0;
  std::set<address> bases;
  std::set<address> segments;
  for (unsigned k = 0; k < 16; ++k) {
    if ((mask >> (from + k) & 1) == 0) continue;
    ++active;
    bases.insert(at[from + k] - k * bytes);
    segments.insert(at[from + k] / 128);
  }
  if (active == 0) return {0, 0};
  const address alignment = bytes == 4 ? 64 : 128;
  const bool width = bytes == 4 || bytes == 8 || bytes == 16;
  if (!width || bases.size() != 1 || *bases.begin() % alignment != 0) return {active, active * 32};
  if (bytes == 4) return {1, 64};
  const auto n = static_cast<std::uint32_t>(segments.size());
  return {n, n * 128};
}

/// The lowest active thread's segment, its companions, reduction, repeat.
transfers literal_cc12(lane_mask mask, const lane_array& at, unsigned from, std::uint32_t bytes) {
  transfers r;
  std::vector<address> left;
  for (unsigned k = from; k < from + 16; ++k)
    if ((mask >> k & 1) != 0) left.push_back(at[k]);
  const address segment = bytes == 1 ? 32 : bytes == 2 ? 64 : 128;
  while (!left.empty()) {
    address start = left.front() / segment * segment, size = segment;
    std::vector<address> served, others;
    for (const address a : left) (a / segment * segment == start ? served : others).push_back(a);
    const auto lowest = *std::min_element(served.begin(), served.end());
    const auto end = *std::max_element(served.begin(), served.end()) + bytes;
    while (size > 32) {
      if (end <= start + size / 2) {
        size /= 2;
      } else if (lowest >= start + size / 2) {
        size /= 2;
        start += size;
      } else {
        break;
      }
    }
    ++r.transactions;
    r.bytes += static_cast<std::uint32_t>(size);
    left = others;
  }
  return r;
}

void compare_with_literal(lane_mask mask, const lane_array& at, std::uint32_t bytes) {
  const warp_transactions t = count(mask, at, bytes);
  for (unsigned h = 0; h < 2; ++h) {
    ASSERT_EQ(t.cc10.half[h], literal_cc10(mask, at, 16 * h, bytes)) << bytes << " bytes";
    ASSERT_EQ(t.cc12.half[h], literal_cc12(mask, at, 16 * h, bytes)) << bytes << " bytes";
  }
  std::set<address> touched, sectors, lines;
  for (unsigned i = 0; i < warp_lanes; ++i)
    for (std::uint32_t b = 0; (mask >> i & 1) != 0 && b < bytes; ++b) touched.insert(at[i] + b);
  for (const address b : touched) sectors.insert(b / 32), lines.insert(b / 128);
  ASSERT_EQ(t.sectors, sectors.size());
  ASSERT_EQ(t.lines, lines.size());
  ASSERT_EQ(t.distinct_bytes, touched.size());
  ASSERT_EQ(t.ideal_sectors, (touched.size() + 31) / 32);
}

TEST(coalescing, random_addresses_agree_with_the_steps_of_the_guide) {
  std::mt19937_64 random(20090601);
  for (int round = 0; round < 6000; ++round) {
    const std::uint32_t bytes = 1u << random() % 5;
    const address base = (random() % 64) * bytes, range = address{1} << random() % 16;
    lane_mask mask = static_cast<lane_mask>(random());
    if (round % 3 == 0) mask = all;
    lane_array at;
    const bool in_order = random() % 3 == 0;
    for (unsigned i = 0; i < warp_lanes; ++i)
      at[i] = in_order ? base + i * bytes : base + (random() % range) * bytes;
    ASSERT_NO_FATAL_FAILURE(compare_with_literal(mask, at, bytes)) << "round " << round;
  }
}

TEST(coalescing, misaligned_random_addresses_agree_by_bytes) {
  std::mt19937_64 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto bytes = static_cast<std::uint32_t>(1 + random() % line_bytes);
    const address range = 1 + (random() % 5000);
    const auto mask = static_cast<lane_mask>(random());
    lane_array at;
    for (address& a : at) a = 0x7f0000000000 + random() % range;
    std::set<address> touched, sectors, lines;
    for (unsigned i = 0; i < warp_lanes; ++i)
      for (std::uint32_t b = 0; (mask >> i & 1) != 0 && b < bytes; ++b) touched.insert(at[i] + b);
    for (const address b : touched) sectors.insert(b / 32), lines.insert(b / 128);
    const warp_transactions t = count(mask, at, bytes);
    ASSERT_EQ(t.sectors, sectors.size());
    ASSERT_EQ(t.lines, lines.size());
    ASSERT_EQ(t.distinct_bytes, touched.size());
  }
}

TEST(coalescing, lanes_on_one_address) {
  EXPECT_EQ(sharing(all, strided(64, 0)), (address_sharing{1, 32}));
  EXPECT_EQ(sharing(all, strided(64, 4)), (address_sharing{32, 1}));
  EXPECT_EQ(sharing(0, strided(64, 4)), (address_sharing{0, 0}));
  std::mt19937_64 random(3);
  for (int round = 0; round < 1000; ++round) {
    const auto mask = static_cast<lane_mask>(random());
    lane_array at;
    for (address& a : at) a = 4 * (random() % 9);
    std::map<address, std::uint32_t> lanes_on;
    for (unsigned i = 0; i < warp_lanes; ++i)
      if ((mask >> i & 1) != 0) ++lanes_on[at[i]];
    address_sharing expected{static_cast<std::uint32_t>(lanes_on.size()), 0};
    for (const auto& [a, n] : lanes_on) expected.degree = std::max(expected.degree, n);
    ASSERT_EQ(sharing(mask, at), expected);
  }
}

}  // namespace
}  // namespace ptxlab::machine
