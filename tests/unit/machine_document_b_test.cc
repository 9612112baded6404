// SPDX-License-Identifier: Apache-2.0
// The access patterns of document B through all of the path, from CUDA C++ to the report: how many
// transactions and bank conflicts they cost then and now. The document's own numbers are 1, 1, 16
// and 16 transactions per half-warp for its figures 2 and 3, its conflict degrees for figures 4 to
// 6, and 16 against 3 for structures; the others follow from the rules by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "ptx/machine/observers/traffic_text.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;

class machine_document_b : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    const compiler c;
    if (c.problem().empty())
      text_ = c.texts({compiler::root() / "tests/unit/machine/document_b.cu"}).front();
  }
  void SetUp() override {
    if (text_.empty()) GTEST_SKIP() << compiler().problem();
    on.emplace(ptx::parse(text_, "document_b.cu"));
    on->how.observers = {&seen};
    out = on->buffer(std::vector<float>(64), "out");
    in = on->buffer(std::vector<float>(4096), "in");
  }
  /// What the loads of one kernel from one space add up to, one entry for each instruction.
  std::vector<traffic_counts> loads(const char* kernel, u32 threads,
                                    const std::vector<std::uint64_t>& arguments,
                                    const std::vector<unsigned>& bytes, flow::space space) {
    on->how.dynamic_shared = 8192;
    const run_report r = on->run(kernel, 1, threads, arguments, bytes);
    EXPECT_EQ(r.how, ending::finished) << r.reason;
    std::vector<traffic_counts> found;
    for (const traffic_row& row : seen.report().rows)
      if (row.what == flow::kind::load && row.space == space) found.push_back(row.counts);
    EXPECT_FALSE(found.empty()) << kernel;
    return found;
  }
  traffic_counts global_load(const char* kernel, address from, u32 threads = 16) {
    return loads(kernel, threads, {out, from}, {8, 8}, flow::space::global).at(0);
  }
  traffic_counts shared_load(const char* kernel, u32 threads, std::optional<u32> number = {}) {
    std::vector<std::uint64_t> arguments = {out};
    std::vector<unsigned> bytes = {8};
    if (number) {
      arguments.push_back(*number);
      bytes.push_back(4);
    }
    return loads(kernel, threads, arguments, bytes, flow::space::shared).at(0);
  }

  std::optional<workbench> on;
  traffic seen;
  address out = 0, in = 0;

 private:
  inline static std::string text_;
};

/// Transactions and bytes then, of 1.0 and of 1.2, and sectors of today.
struct cost {
  std::uint64_t cc10, cc10_bytes, cc12, cc12_bytes, sectors;
};
void expect_cost(const traffic_counts& c, const cost& wanted, const std::string& what) {
  EXPECT_EQ(c.requests, 1U) << what;
  EXPECT_EQ(c.cc10, wanted.cc10) << what;
  EXPECT_EQ(c.cc10_bytes, wanted.cc10_bytes) << what;
  EXPECT_EQ(c.cc12, wanted.cc12) << what;
  EXPECT_EQ(c.cc12_bytes, wanted.cc12_bytes) << what;
  EXPECT_EQ(c.sectors, wanted.sectors) << what;
}

TEST_F(machine_document_b, figures_2_and_3_of_one_half_warp) {
  expect_cost(global_load("sequential", in), {1, 64, 1, 64, 2}, "sequential");
  expect_cost(global_load("idle_lanes", in), {1, 64, 1, 64, 2}, "idle lanes");
  expect_cost(global_load("permuted", in), {16, 512, 1, 64, 2}, "permuted");
  // Bytes 132 to 195: both halves of the segment of 128 to 255, and three sectors.
  expect_cost(global_load("sequential", in + 132), {16, 512, 1, 128, 3}, "base 132");
}

TEST_F(machine_document_b, figures_2_and_3_of_a_whole_warp) {
  expect_cost(global_load("sequential", in, 32), {2, 128, 2, 128, 4}, "sequential");
  expect_cost(global_load("permuted", in, 32), {32, 1024, 2, 128, 4}, "permuted");
  // Bytes 132 to 259: the second half-warp reaches into the next segment.
  expect_cost(global_load("sequential", in + 132, 32), {32, 1024, 3, 224, 5}, "base 132");
}

TEST_F(machine_document_b, strides_of_global_memory) {
  for (u32 stride = 1; stride <= 64; ++stride) {
    const traffic_counts c =
        loads("strided_global", 16, {out, in, stride}, {8, 8, 4}, flow::space::global).at(0);
    std::set<u32> sectors, segments;
    for (u32 t = 0; t < 16; ++t) {
      sectors.insert(t * stride * 4 / 32);
      segments.insert(t * stride * 4 / 128);
    }
    EXPECT_EQ(c.cc10, stride == 1 ? 1U : 16U) << stride;
    EXPECT_EQ(c.cc12, segments.size()) << stride;
    EXPECT_EQ(c.sectors, sectors.size()) << stride;
  }
}

TEST_F(machine_document_b, strides_of_shared_memory_have_the_degrees_of_figures_4_and_5) {
  for (u32 stride = 1; stride <= 64; ++stride) {
    const traffic_counts c = shared_load("strided_shared", 32, stride);
    EXPECT_EQ(c.banks16.degree, std::gcd(stride, 16U)) << stride;
    EXPECT_EQ(c.banks32.degree, std::gcd(stride, 32U)) << stride;
    EXPECT_EQ(c.banks16.requests, 2U) << stride;
    EXPECT_EQ(c.banks16.passes, 2 * std::gcd(stride, 16U)) << stride;
    EXPECT_EQ(c.banks32.requests, 1U) << stride;
  }
}

TEST_F(machine_document_b, chars_broadcasts_and_tiles_of_shared_memory) {
  const auto degrees = [&](const char* kernel, std::optional<u32> number = {}) {
    const traffic_counts c = shared_load(kernel, 32, number);
    return std::pair{c.banks16.degree, c.banks32.degree};
  };
  EXPECT_EQ(degrees("chars_shared"), (std::pair{4U, 1U}));
  EXPECT_EQ(degrees("broadcast_shared"), (std::pair{1U, 1U}));
  EXPECT_EQ(degrees("one_word_shared", 33), (std::pair{1U, 1U}));
  // 16 banks: a half-warp reads one column. 32 banks: a warp reads two, and of 16 columns each bank
  // has eight rows; of 17 columns the last row of the second column meets the first of the first.
  EXPECT_EQ(degrees("column_of_tile"), (std::pair{16U, 8U}));
  EXPECT_EQ(degrees("column_of_padded_tile"), (std::pair{1U, 2U}));
}

TEST_F(machine_document_b, structures_in_arrays_and_arrays_in_structures) {
  const std::vector<traffic_counts> structs =
      loads("array_of_structs", 16, {out, in}, {8, 8}, flow::space::global);
  const std::vector<traffic_counts> arrays =
      loads("struct_of_arrays", 16, {out, in}, {8, 8}, flow::space::global);
  ASSERT_EQ(structs.size(), 3U);
  ASSERT_EQ(arrays.size(), 3U);
  std::uint64_t of_arrays = 0, then = 0, now = 0, now_of_arrays = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    // One instruction for each member: nobody loads 12 bytes at once.
    EXPECT_EQ(structs[i].cc10, 16U) << i;
    EXPECT_EQ(structs[i].sectors, 6U) << i;
    then += structs[i].cc12;
    now += structs[i].sectors;
    of_arrays += arrays[i].cc10;
    now_of_arrays += arrays[i].sectors;
  }
  EXPECT_EQ(of_arrays, 3U);
  EXPECT_EQ(then, 6U);
  EXPECT_EQ(now, 18U);
  EXPECT_EQ(now_of_arrays, 6U);
}

/// The heading says which launch it was; the lines behind it.
std::string without_heading(const std::string& text) {
  EXPECT_TRUE(text.starts_with("PTX-level traffic of ")) << text;
  return text.substr(text.find('\n') + 1);
}

TEST_F(machine_document_b, the_report_says_all_that_in_lines) {
  global_load("permuted", in, 32);
  EXPECT_EQ(without_heading(traffic_lines(seen.report())),
            "document_b.cu:14 ld.global.f32: requests 1 lanes 32 bytes 128 sectors 4 ideal 4 "
            "lines 1 cc1.0 32 cc1.0-bytes 1024 cc1.2 2 cc1.2-bytes 128\n"
            "document_b.cu:14 st.global.f32: requests 1 lanes 32 bytes 128 sectors 4 ideal 4 "
            "lines 1 cc1.0 32 cc1.0-bytes 1024 cc1.2 2 cc1.2-bytes 128\n");
  shared_load("strided_shared", 32, 6);
  EXPECT_EQ(without_heading(traffic_lines(seen.report())),
            "document_b.cu:23 ld.volatile.shared.u32: requests 1 lanes 32 bytes 128 passes32 2 "
            "ideal32 1 degree32 2 passes16 4 ideal16 2 degree16 2\n"
            "document_b.cu:23 st.global.u32: requests 1 lanes 32 bytes 128 sectors 4 ideal 4 "
            "lines 1 cc1.0 2 cc1.0-bytes 128 cc1.2 2 cc1.2-bytes 128\n");
}

}  // namespace
}  // namespace ptxlab::machine
