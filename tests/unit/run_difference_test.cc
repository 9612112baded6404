// SPDX-License-Identifier: Apache-2.0
// Classes of differences between the machine and a GPU, without a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "driver/run/difference.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> out(values.size() * sizeof(T));
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

difference of_floats(const std::vector<float>& a, const std::vector<float>& b, const freedoms& k,
                     bool racy = false) {
  return classify(type::f32, bytes_of(a), bytes_of(b), k, racy);
}

freedoms freedoms_in(const std::string& body) {
  const ptx::module m = ptx::parse(
      ".version 9.0\n.target sm_90\n.address_size 64\n"
      ".func (.param .b32 r) helper(.param .b32 x) {\n.reg .b32 %f<3>;\n"
      "ld.param.f32 %f1, [x];\nex2.approx.f32 %f2, %f1;\nst.param.f32 [r], %f2;\nret;\n}\n"
      ".visible .entry k(.param .u64 p) {\n.reg .b32 %f<5>;\n.reg .b64 %rd<3>;\n" +
          body + "\nret;\n}\n",
      "test.ptx");
  return freedoms_of(m, "k");
}

const freedoms strict, contracts{false, true, false, false, false}, approximates{true};
const freedoms sums{false, false, true}, tickets{false, false, false, true};

TEST(run_difference, equal_bits_are_exact_whatever_the_kernel_has) {
  const difference d = of_floats({1, 2, NAN}, {1, 2, -NAN}, approximates, true);
  EXPECT_EQ(d.what, difference_class::exact);
  EXPECT_EQ(d.elements, 3u);
  EXPECT_EQ(d.differing, 0u);
}

TEST(run_difference, a_small_one_is_what_the_kernel_leaves_open) {
  const float next = std::nextafterf(1, 2);
  EXPECT_EQ(of_floats({1}, {next}, approximates).what, difference_class::approximate);
  EXPECT_EQ(of_floats({1}, {next}, contracts).what, difference_class::maybe_contraction);
  EXPECT_EQ(of_floats({1}, {next}, sums).what, difference_class::atomic_order);
  EXPECT_EQ(of_floats({1}, {next}, strict).what, difference_class::wrong);
  EXPECT_EQ(of_floats({1}, {next}, tickets).what, difference_class::wrong);
}

TEST(run_difference, says_where_and_how_far) {
  const difference d =
      of_floats({1, 5, 2}, {1, std::nextafterf(5, 9), std::nextafterf(2, 0)}, contracts);
  EXPECT_EQ(d.differing, 2u);
  EXPECT_EQ(d.first, 1u);
  EXPECT_EQ(d.largest_ulp, 1u);
  EXPECT_NE(d.why.find("ptxas may fuse"), std::string::npos);
}

TEST(run_difference, a_large_one_is_wrong) {
  EXPECT_EQ(of_floats({1}, {1.01f}, approximates).what, difference_class::wrong);
  EXPECT_EQ(of_floats({1}, {NAN}, contracts).what, difference_class::wrong);
  EXPECT_EQ(of_floats({1}, {INFINITY}, contracts).what, difference_class::wrong);
  EXPECT_EQ(of_floats({1, 7}, {7, 1}, contracts).what, difference_class::wrong);
}

TEST(run_difference, what_cancels_is_measured_against_the_largest) {
  EXPECT_EQ(of_floats({1000, 1e-5f}, {1000, 0}, contracts).what,
            difference_class::maybe_contraction);
  EXPECT_EQ(of_floats({1, 1e-3f}, {1, 0}, contracts).what, difference_class::wrong);
}

TEST(run_difference, sums_by_atomics_may_be_further_apart) {
  const float sum = -4.0598335f, other = -4.0596247f;  // 16384 summands, on a machine and an H200
  EXPECT_EQ(of_floats({sum}, {other}, sums).what, difference_class::atomic_order);
  EXPECT_EQ(of_floats({sum}, {other}, contracts).what, difference_class::wrong);
  EXPECT_EQ(of_floats({1}, {1.1f}, sums).what, difference_class::wrong);
}

TEST(run_difference, a_race_explains_everything) {
  EXPECT_EQ(of_floats({1}, {100}, strict, true).what, difference_class::race);
}

TEST(run_difference, integers_in_another_order_are_the_order_of_atomics) {
  const auto a = bytes_of<int>({3, 1, 2}), b = bytes_of<int>({1, 2, 3}),
             c = bytes_of<int>({1, 2, 4});
  EXPECT_EQ(classify(type::s32, a, b, tickets, false).what, difference_class::atomic_order);
  EXPECT_EQ(classify(type::s32, a, b, strict, false).what, difference_class::wrong);
  EXPECT_EQ(classify(type::s32, a, c, tickets, false).what, difference_class::wrong);
  EXPECT_EQ(classify(type::s32, a, c, approximates, false).what, difference_class::wrong);
}

TEST(run_difference, half_types_are_allowed_fewer_units) {
  const auto a = bytes_of<std::uint16_t>({0x3c00}), near = bytes_of<std::uint16_t>({0x3c04});
  const auto far = bytes_of<std::uint16_t>({0x3c80});
  EXPECT_EQ(classify(type::f16, a, near, contracts, false).what,
            difference_class::maybe_contraction);
  EXPECT_EQ(classify(type::f16, a, far, contracts, false).what, difference_class::wrong);
}

TEST(run_difference, refuses_buffers_of_two_sizes) {
  EXPECT_THROW(classify(type::u8, bytes_of<char>({1}), {}, strict, false), error);
  const auto three = bytes_of<char>({1, 2, 3});
  EXPECT_THROW(classify(type::u32, three, three, strict, false), error);
}

TEST(run_freedoms, are_read_from_the_kernel) {
  const freedoms none = freedoms_in(
      "add.rn.f32 %f1, %f2, %f3;\nfma.rn.f32 %f1, %f2, %f3, %f4;\n"
      "add.s32 %f1, %f2, %f3;\nred.global.add.u32 [%rd1], 1;");
  EXPECT_FALSE(none.approximate || none.contraction || none.float_atomics || none.atomic_results);
  EXPECT_TRUE(freedoms_in("mul.f32 %f1, %f2, %f3;\nadd.f32 %f1, %f1, %f3;").contraction);
  EXPECT_TRUE(freedoms_in("sub.ftz.f32 %f1, %f2, %f3;\nmul.ftz.f32 %f1, %f2, %f3;").contraction);
  EXPECT_FALSE(freedoms_in("mul.f32 %f1, %f2, %f3;").contraction);
  EXPECT_FALSE(freedoms_in("add.f32 %f1, %f2, %f3;").contraction);
  EXPECT_FALSE(freedoms_in("mul.f32 %f1, %f2, %f3;\nadd.f16 %f1, %f1, %f3;").contraction);
  EXPECT_FALSE(freedoms_in("mul.f32 %f1, %f2, %f3;\nadd.rn.f32 %f1, %f1, %f3;").contraction);
  EXPECT_TRUE(freedoms_in("div.full.f32 %f1, %f2, %f3;").approximate);
  EXPECT_TRUE(freedoms_in("red.global.add.f32 [%rd1], %f2;").float_atomics);
  const freedoms both = freedoms_in("atom.global.add.f32 %f1, [%rd1], %f2;");
  EXPECT_TRUE(both.float_atomics && both.atomic_results);
  EXPECT_FALSE(freedoms_in("atom.global.add.u32 _, [%rd1], 1;").atomic_results);
}

TEST(run_freedoms, are_those_of_called_functions_too) {
  EXPECT_TRUE(freedoms_in("{\n.param .b32 a;\n.param .b32 b;\nst.param.b32 [a], %f1;\n"
                          "call.uni (b), helper, (a);\nld.param.b32 %f2, [b];\n}")
                  .approximate);
  EXPECT_FALSE(freedoms_in("mov.b32 %f1, %f2;").approximate);
}

}  // namespace
}  // namespace ptxlab::run
