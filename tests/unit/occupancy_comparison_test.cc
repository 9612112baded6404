// SPDX-License-Identifier: Apache-2.0
// Occupancy by the facts against a driver that is made up: one that agrees, one that differs at
// single launches, one that knows nothing of the kernel; and the file that a comparison leaves.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analysis/facts/occupancy.hpp"
#include "driver/occupancy/comparison.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::occupancy {
namespace {

prepared_kernel kernel(const std::string& id, int registers) {
  prepared_kernel k;
  k.id = id;
  k.symbol = "s";
  k.registers = registers;
  k.shared_bytes = 0;
  k.barriers = 1;
  return k;
}

/// Of 32 registers on sm_90, from the programming guide's table: 64 warps, 32 blocks, 228 KiB of
/// which 1 KiB a block is the system's, in units of 128 bytes.
int by_hand(const shape& at) {
  const int warps = at.block_threads / 32;
  const std::int64_t shared = (at.dynamic_shared_bytes + 1024 + 127) / 128 * 128;
  return std::min({32, 64 / warps, static_cast<int>(228 * 1024 / shared)});
}

TEST(occupancy_comparison, shapes) {
  const auto all = usual_shapes();
  EXPECT_EQ(all.size(), 160u);
  EXPECT_EQ(all.front().block_threads, 32);
  EXPECT_EQ(all.back().block_threads, 1024);
  EXPECT_EQ(all.back().dynamic_shared_bytes, 200 * 1024);
}

TEST(occupancy_comparison, equal_to_one_by_hand) {
  const compared c = compare(kernel("a/b/c", 32), "sm_90", usual_shapes(), by_hand);
  EXPECT_EQ(c.points, 160u);
  EXPECT_TRUE(c.equal()) << c.lines().front();
  EXPECT_TRUE(c.lines().empty());
}

TEST(occupancy_comparison, every_difference_is_told) {
  const auto other = [](const shape& at) {
    return by_hand(at) + (at.block_threads == 64 || at.dynamic_shared_bytes > 102400 ? 1 : 0);
  };
  const compared c = compare(kernel("a/b/c", 32), "sm_90", usual_shapes(), other);
  EXPECT_FALSE(c.equal());
  EXPECT_EQ(c.differences.size(), 4u + 32);
  EXPECT_EQ(
      c.lines().front(),
      "a/b/c: blocks of 64 threads with 0 bytes of dynamic shared memory: 32 by the facts, 33 "
      "by the driver");
}

TEST(occupancy_comparison, what_the_facts_do_not_tell_is_no_agreement) {
  prepared_kernel k = kernel("a/b/c", 32);
  k.registers = std::nullopt;
  const compared c = compare(k, "sm_90", usual_shapes(), by_hand);
  EXPECT_EQ(c.points, 0u);
  EXPECT_FALSE(c.equal());
  ASSERT_EQ(c.lines().size(), 1u);
  EXPECT_NE(c.lines()[0].find("registers are not reported"), std::string::npos) << c.lines()[0];
  k = kernel("a/b/c", 32);
  k.barriers = std::nullopt;  // then only large blocks have an answer
  const compared few = compare(k, "sm_90", usual_shapes(), by_hand);
  EXPECT_GT(few.points, 0u);
  EXPECT_LT(few.points, 160u);
  EXPECT_FALSE(few.equal());
  EXPECT_FALSE(compare(k, "sm_60", usual_shapes(), by_hand).equal()) << "no such architecture";
}

TEST(occupancy_comparison, no_shape_is_no_agreement) {
  const compared none = compare(kernel("a/b/c", 32), "sm_90", {}, by_hand);
  EXPECT_FALSE(none.equal());
  EXPECT_EQ(none.lines(), std::vector<std::string>{"a/b/c: no shape was compared"});
}

TEST(occupancy_comparison, nothing_is_asked_beyond_the_launch_bounds) {
  prepared_kernel k = kernel("a/b/c", 32);
  k.max_threads = 256;
  const compared c = compare(k, "sm_90", usual_shapes(), [](const shape& at) {
    EXPECT_LE(at.block_threads, 256);
    return by_hand(at);
  });
  EXPECT_TRUE(c.equal());
  EXPECT_EQ(c.points, 5u * 8);
}

TEST(occupancy_comparison, file_and_back) {
  std::vector<compared> all(4);
  all[0] = compare(kernel("a/b/c", 32), "sm_90", usual_shapes(), by_hand);
  all[1] = compare(kernel("a/b/d", 40), "sm_90", usual_shapes(), by_hand);
  all[1].disagreements.emplace_back("registers: 40 by the facts, 32 by the driver");
  all[2].id = "a/b/e";  // nothing is known
  prepared_kernel untold = kernel("a/b/f", 32);
  untold.registers = std::nullopt;
  all[3] = compare(untold, "sm_90", usual_shapes(), by_hand);
  const std::string text = csv_of(all);
  EXPECT_TRUE(text.starts_with("kernel,registers,shared,points,differences\na/b/c,32,0,160,0\n"))
      << text;
  EXPECT_NE(text.find("\na/b/e,,,0,0\n"), std::string::npos) << text;
  const archived sums = read_csv(text, "f.csv");
  EXPECT_EQ(sums.kernels, 4u);
  EXPECT_EQ(sums.points, 320u);
  EXPECT_EQ(sums.differences, all[1].differences.size() + 2) << "what cannot be told is one";
  EXPECT_EQ(sums.differing, 2u);
  EXPECT_EQ(sums.least_registers, 32);
  EXPECT_EQ(sums.most_registers, 40);
}

std::string message_of(const std::string& text) {
  try {
    read_csv(text, "f.csv");
  } catch (const error& e) {
    return e.what();
  }
  return "no error";
}

TEST(occupancy_comparison, other_files_are_refused) {
  const std::string head = "kernel,registers,shared,points,differences\n";
  EXPECT_EQ(message_of(""), "f.csv: no kernel in it");
  EXPECT_EQ(message_of(head), "f.csv: no kernel in it");
  EXPECT_EQ(message_of("id,x\n"), "f.csv:1: expected 'kernel,registers,shared,points,differences'");
  EXPECT_EQ(message_of(head + "a,1,2,3\n"), "f.csv:2: expected 5 fields");
  EXPECT_EQ(message_of(head + "a,1,2,3,x\n"), "f.csv:2: 'x' is no count");
  EXPECT_EQ(message_of(head + "a,1,2,-3,0\n"), "f.csv:2: '-3' is no count");
  EXPECT_EQ(message_of(head + "a,1,2,,0\n"), "f.csv:2: a count is missing");
}

}  // namespace
}  // namespace ptxlab::occupancy
