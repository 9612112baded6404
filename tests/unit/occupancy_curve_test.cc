// SPDX-License-Identifier: Apache-2.0
// Curves of occupancy, and the table of architectures; expected values by hand from the CUDA
// programming guide's table (see occupancy_test.cc).
#include "analysis/facts/occupancy_curve.hpp"

#include <gtest/gtest.h>

#include <string>

namespace ptxlab::facts {
namespace {

const occupancy_point& at(const occupancy_curve& c, std::int64_t where) {
  for (const occupancy_point& p : c.points)
    if (p.at == where) return p;
  ADD_FAILURE() << "no point at " << where;
  static const occupancy_point none;
  return none;
}

void expect(const occupancy_curve& c, std::int64_t where, int warps, const std::string& limiter) {
  EXPECT_EQ(at(c, where).what.warps_per_sm, warps) << where;
  EXPECT_EQ(at(c, where).what.limiter, limiter) << where;
}

TEST(occupancy_curve, over_blocks) {
  const occupancy_curve c = curve_of({"sm_90", uses_of(32), {}, 0, 0}, occupancy_axis::block);
  ASSERT_EQ(c.points.size(), 32u);
  expect(c, 32, 32, "blocks");
  expect(c, 64, 64, "warps");
  expect(c, 96, 63, "warps");  // 21 blocks of 3 warps
  expect(c, 704, 44, "warps");
  expect(c, 1024, 64, "warps");
  EXPECT_TRUE(c.notes.empty());
  // 1024 threads of a multiprocessor, blocks of 16 at most.
  const occupancy_curve turing = curve_of({"sm_75", uses_of(32), {}, 0, 0}, occupancy_axis::block);
  expect(turing, 32, 16, "blocks");
  expect(turing, 768, 24, "warps");
}

TEST(occupancy_curve, over_registers) {
  const occupancy_curve c = curve_of({"sm_90", uses_of(1), {}, 256, 0}, occupancy_axis::registers);
  EXPECT_EQ(c.points.front().at, 8);
  EXPECT_EQ(c.points.back().at, 256);
  expect(c, 32, 64, "warps");
  expect(c, 40, 48, "registers");  // 12 warps in a quarter of the file, in blocks of 8 warps
  expect(c, 128, 16, "registers");
  expect(c, 256, 8, "registers");
}

TEST(occupancy_curve, over_shared_memory) {
  const occupancy_curve c = curve_of({"sm_90", uses_of(32), {}, 256, 0}, occupancy_axis::shared);
  EXPECT_EQ(c.points.front().at, 0);
  EXPECT_EQ(c.points.back().at, 224 * 1024);  // the last multiple of 4 KiB below 227
  expect(c, 0, 64, "warps");
  expect(c, 28 * 1024, 56, "shared");  // 29 KiB with the reserve: 7 blocks of 228
  expect(c, 224 * 1024, 8, "shared");
  // What is static is where it begins.
  const occupancy_curve more =
      curve_of({"sm_90", uses_of(32, 1000), {}, 256, 0}, occupancy_axis::shared);
  EXPECT_EQ(more.points.front().at, 1000);
  EXPECT_EQ(more.points[1].at, 5096);
}

TEST(occupancy_curve, single_points_lie_on_it) {
  occupancy_question q{"sm_80", uses_of(48, 2048), {}, 0, 8192};
  for (const occupancy_point& p : curve_of(q, occupancy_axis::block).points) {
    q.block_threads = static_cast<int>(p.at);
    const auto one = occupancy_at(q);
    ASSERT_TRUE(one);
    EXPECT_EQ(one->warps_per_sm, p.what.warps_per_sm);
  }
}

TEST(occupancy_curve, unknown_is_a_note) {
  for (const auto over :
       {occupancy_axis::block, occupancy_axis::registers, occupancy_axis::shared}) {
    const occupancy_curve c = curve_of({"sm_60", uses_of(32), {}, 256, 0}, over);
    EXPECT_TRUE(c.points.empty());
    ASSERT_EQ(c.notes.size(), 1u);
    EXPECT_NE(c.notes[0].find("sm_60"), std::string::npos);
  }
  EXPECT_FALSE(occupancy_at({"volta", uses_of(32), {}, 256, 0}));
}

TEST(occupancy_architectures, by_the_programming_guide) {
  const auto all = architectures();
  ASSERT_EQ(all.size(), 12u) << "one that the header does not know is left out";
  const auto named = [&](const std::string& name) {
    for (const architecture& a : all)
      if (a.name == name) return a;
    ADD_FAILURE() << name;
    return architecture();
  };
  const architecture h = named("sm_90");
  EXPECT_EQ(h.warps(), 64);
  EXPECT_EQ(h.blocks, 32);
  EXPECT_EQ(h.block_threads, 1024);
  EXPECT_EQ(h.registers, 65536);
  EXPECT_EQ(h.register_unit, 256);
  EXPECT_EQ(h.partitions, 4);
  EXPECT_EQ(h.shared_bytes, 228 * 1024);
  EXPECT_EQ(h.block_shared_bytes, 227 * 1024);
  EXPECT_EQ(h.reserved_shared_bytes, 1024);
  EXPECT_EQ(h.shared_unit, 128);
  const architecture t = named("sm_75");
  EXPECT_EQ(t.warps(), 32);
  EXPECT_EQ(t.blocks, 16);
  EXPECT_EQ(t.reserved_shared_bytes, 0);
  EXPECT_EQ(t.shared_unit, 256);
}

}  // namespace
}  // namespace ptxlab::facts
