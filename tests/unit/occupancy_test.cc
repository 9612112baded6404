// SPDX-License-Identifier: Apache-2.0
// Expected values are computed by hand from the CUDA programming guide's table and the allocation
// units: registers by 256 per warp, over four partitions of 16384; shared memory by 256 bytes on
// sm_75 and 128 from sm_80 on, plus 1024 reserved per block from sm_80 on.
#include "analysis/facts/occupancy.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ptxlab::facts {
namespace {

resources uses(std::int64_t registers, std::int64_t shared = 0, std::int64_t barriers = 1) {
  resources res;
  res.registers = registers;
  res.shared_bytes = shared;
  res.barriers = barriers;
  return res;
}

occupancy row(const occupancy_table& table, int block_threads) {
  for (const occupancy& r : table.rows) {
    if (r.block_threads == block_threads) return r;
  }
  ADD_FAILURE() << "no row for " << block_threads;
  return {};
}

void expect(const resources& res, std::string_view arch, int block_threads, int blocks,
            std::string_view limiter) {
  const occupancy r = row(compute_occupancy(res, arch), block_threads);
  EXPECT_EQ(r.blocks_per_sm, blocks) << arch << " " << block_threads;
  EXPECT_EQ(r.limiter, limiter) << arch << " " << block_threads;
}

TEST(occupancy, six_block_sizes_in_order) {
  const occupancy_table table = compute_occupancy(uses(16), "sm_90");
  ASSERT_EQ(table.rows.size(), 6u);
  EXPECT_TRUE(table.notes.empty());
  int size = 32;
  for (const occupancy& r : table.rows) {
    EXPECT_EQ(r.block_threads, size);
    size *= 2;
  }
  EXPECT_EQ(row(table, 256).warps_per_sm, 64);
  EXPECT_DOUBLE_EQ(row(table, 256).fraction, 1.0);
  EXPECT_EQ(row(table, 32).warps_per_sm, 32);  // 32 blocks of 1 warp, of 64 warps
  EXPECT_DOUBLE_EQ(row(table, 32).fraction, 0.5);
}

TEST(occupancy, registers_are_allocated_by_256_per_warp) {
  // 33 x 32 = 1056 -> 1280; 16384 / 1280 = 12 warps x 4 = 48; 48 / 8 = 6. (Unrounded: 7.)
  expect(uses(33), "sm_90", 256, 6, "registers");
  // 40 x 32 = 1280, the same.
  expect(uses(40), "sm_90", 256, 6, "registers");
  // 41 x 32 = 1312 -> 1536; 16384 / 1536 = 10 x 4 = 40; 40 / 8 = 5.
  expect(uses(41), "sm_90", 256, 5, "registers");
  // 32 x 32 = 1024; 16 x 4 = 64 = all warps: 8 blocks by both, and warps is named.
  expect(uses(32), "sm_90", 256, 8, "warps");
  // sm_86 has 48 warps: 40 registers (48 warps by registers) do not limit there; 41 (40 warps) do.
  expect(uses(40), "sm_86", 256, 6, "warps");
  expect(uses(41), "sm_86", 256, 5, "registers");
}

TEST(occupancy, more_registers_than_the_file_is_no_block) {
  // 255 x 32 = 8160 -> 8192; x 16 warps = 131072 > 65536.
  expect(uses(255), "sm_90", 512, 0, "registers");
  expect(uses(255), "sm_90", 1024, 0, "registers");
  // x 8 warps = 65536: just one block.
  expect(uses(255), "sm_90", 256, 1, "registers");
  // 65 x 32 = 2080 -> 2304 x 32 warps = 73728 > 65536; 64 x 32 x 32 = 65536.
  expect(uses(65), "sm_80", 1024, 0, "registers");
  expect(uses(64), "sm_80", 1024, 1, "registers");
}

TEST(occupancy, shared_memory_units_and_reserve) {
  // sm_80: 10166 + 1024 = 11190 -> 11264; 167936 / 11264 = 14.9. (Unrounded 15; no reserve 16.)
  expect(uses(16, 10166), "sm_80", 64, 14, "shared");
  // sm_75: 5000 -> 5120 by 256; 65536 / 5120 = 12.8. (Unrounded 13; by 128: 5120 as well.)
  expect(uses(16, 5000), "sm_75", 64, 12, "shared");
  // sm_75: 4736 = 37 x 128 -> 4864 by 256; 65536 / 4864 = 13.5. (By 128: 13.8.)
  expect(uses(16, 4736), "sm_75", 64, 13, "shared");
  // sm_86: 100 KiB = 102400; 9216 + 1024 = 10240; exactly 10 blocks. One byte more: 10368 -> 9.
  expect(uses(16, 9216), "sm_86", 64, 10, "shared");
  expect(uses(16, 9217), "sm_86", 64, 9, "shared");
  // sm_90: 228 KiB = 233472; 48 KiB + 1 KiB = 50176; 4.65.
  expect(uses(16, 49152), "sm_90", 64, 4, "shared");
  // The same on sm_87 (164 KiB) and sm_120 (100 KiB): 3.3 and 2.04.
  expect(uses(16, 49152), "sm_87", 64, 3, "shared");
  expect(uses(16, 49152), "sm_120", 64, 2, "shared");
}

TEST(occupancy, dynamic_shared_memory_up_to_the_opt_in_maximum) {
  const auto blocks = [](std::int64_t dynamic) {
    return row(compute_occupancy(uses(16), "sm_90", {}, dynamic), 128);
  };
  EXPECT_EQ(blocks(100 * 1024).blocks_per_sm, 2);  // 103424; 233472 / 103424 = 2.3
  EXPECT_EQ(blocks(227 * 1024).blocks_per_sm, 1);  // 227 + 1 = 228 KiB
  EXPECT_EQ(blocks(227 * 1024 + 1).blocks_per_sm, 0);
  EXPECT_EQ(blocks(227 * 1024 + 1).limiter, "shared");
}

TEST(occupancy, resident_blocks_and_threads_per_architecture) {
  const struct {
    std::string_view arch;
    int blocks_of_32, blocks_of_1024;
    double fraction_of_1024;
  } rows[] = {{"sm_75", 16, 1, 1.0},      {"sm_80", 32, 2, 1.0},      {"sm_86", 16, 1, 2.0 / 3},
              {"sm_87", 16, 1, 2.0 / 3},  {"sm_88", 16, 1, 2.0 / 3},  {"sm_89", 24, 1, 2.0 / 3},
              {"sm_90", 32, 2, 1.0},      {"sm_100", 32, 2, 1.0},     {"sm_103", 32, 2, 1.0},
              {"sm_110", 24, 1, 2.0 / 3}, {"sm_120", 24, 1, 2.0 / 3}, {"sm_121", 24, 1, 2.0 / 3},
              {"sm_90a", 32, 2, 1.0},     {"sm_100f", 32, 2, 1.0}};
  for (const auto& r : rows) {
    expect(uses(16), r.arch, 32, r.blocks_of_32, "blocks");
    expect(uses(16), r.arch, 1024, r.blocks_of_1024, "warps");
    EXPECT_DOUBLE_EQ(row(compute_occupancy(uses(16), r.arch), 1024).fraction, r.fraction_of_1024);
  }
}

TEST(occupancy, barriers_limit_from_sm_90_on) {
  // sm_90 has 2 x 32 barriers: 64 / 16 = 4 and 64 / 5 = 12.
  expect(uses(16, 0, 16), "sm_90", 32, 4, "barriers");
  expect(uses(16, 0, 5), "sm_90", 32, 12, "barriers");
  expect(uses(16, 0, 2), "sm_90", 32, 32, "blocks");
  expect(uses(16, 0, 2), "sm_120", 32, 12, "barriers");  // 24 barriers there
  expect(uses(16, 0, 16), "sm_80", 32, 32, "blocks");    // the header does not count them there
}

TEST(occupancy, unreported_barriers_leave_only_rows_that_no_count_changes) {
  resources res = uses(16);
  res.barriers = std::nullopt;
  const occupancy_table table = compute_occupancy(res, "sm_90");
  ASSERT_EQ(table.rows.size(), 2u);  // with 16 barriers 4 blocks fit: less than 8 of 256
  EXPECT_EQ(table.rows[0].block_threads, 512);
  EXPECT_EQ(table.rows[0].blocks_per_sm, 4);
  EXPECT_EQ(table.rows[1].block_threads, 1024);
  ASSERT_EQ(table.notes.size(), 1u);
  EXPECT_NE(table.notes[0].find("32 64 128 256 threads"), std::string::npos);
  EXPECT_EQ(compute_occupancy(res, "sm_80").rows.size(), 6u);
}

TEST(occupancy, larger_than_the_kernels_own_bound_is_no_block) {
  const occupancy_table table = compute_occupancy(uses(16), "sm_90", 256);
  EXPECT_EQ(row(table, 256).blocks_per_sm, 8);
  EXPECT_EQ(row(table, 512).blocks_per_sm, 0);
  EXPECT_EQ(row(table, 512).limiter, "warps");
}

TEST(occupancy, unknown_means_no_row_and_a_note) {
  resources none;
  resources no_shared = uses(16);
  no_shared.shared_bytes = std::nullopt;
  resources no_registers = uses(16);
  no_registers.registers = std::nullopt;
  const occupancy_table tables[] = {compute_occupancy(uses(16), "sm_70"),
                                    compute_occupancy(uses(16), "sm_130"),
                                    compute_occupancy(uses(16), ""),
                                    compute_occupancy(uses(16), "gfx90a"),
                                    compute_occupancy(none, "sm_90"),
                                    compute_occupancy(no_shared, "sm_90"),
                                    compute_occupancy(no_registers, "sm_90"),
                                    compute_occupancy(uses(-1), "sm_90"),
                                    compute_occupancy(uses(1000), "sm_90"),
                                    compute_occupancy(uses(16, -4), "sm_90"),
                                    compute_occupancy(uses(16, 1LL << 40), "sm_90"),
                                    compute_occupancy(uses(16, 0, 17), "sm_90")};
  for (const occupancy_table& table : tables) {
    EXPECT_TRUE(table.rows.empty());
    EXPECT_EQ(table.notes.size(), 1u);
  }
}

}  // namespace
}  // namespace ptxlab::facts
