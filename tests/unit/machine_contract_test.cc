// SPDX-License-Identifier: Apache-2.0
// Fusing products into sums: which ones, and that the machine then gives a fused operation's bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <vector>

#include "ptx/machine/contract.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

/// %f1 to %f3 and %d1 to %d3 are read from `in`, %f9 and %d9 are stored to `out`.
std::string kernel(const std::string& body) {
  return ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
         ".reg .f32 %f<12>;\n.reg .f64 %d<12>;\n.reg .b64 %rd<3>;\n.reg .pred %p<3>;\n"
         "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
         "ld.global.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\nld.global.f32 %f3, [%rd1+8];\n"
         "ld.global.f32 %f4, [%rd1+12];\nmov.f32 %f9, 0f00000000;\nmov.f64 %d9, "
         "0d0000000000000000;\n"
         "cvt.f64.f32 %d1, %f1;\ncvt.f64.f32 %d2, %f2;\ncvt.f64.f32 %d3, %f3;\n"
         "setp.gt.f32 %p1, %f1, 0f00000000;\n" +
         body + "\nst.global.f32 [%rd2], %f9;\nst.global.f64 [%rd2+8], %d9;\nret;\n}\n";
}

const std::string head = ".version 9.0\n.target sm_90\n.address_size 64\n";

contraction contracted(const std::string& body, fused_product p = fused_product::first) {
  return contract(ptx::parse(head + kernel(body), "test.ptx"), p);
}

struct values {
  float single = 0;
  double both = 0;
};

values run(const std::string& text, const std::vector<float>& in) {
  machine_fixture m(text.starts_with(head) ? text.substr(head.size()) : text);
  const address from = m.buffer(in), to = m.buffer(std::vector<float>(4));
  EXPECT_EQ(m.run("k", 1, 1, {from, to}).how, ending::finished);
  return {m.read<float>(to, 1)[0], m.read<double>(to + 8, 1)[0]};
}

// a * b needs 46 bits: the rounding of the product is seen in the sum.
const std::vector<float> in = {1.0F + 0x1p-23F, 1.0F - 0x1.8p-22F, -1.0F, 3.0F};

float fused_bits(const std::string& body, fused_product p = fused_product::first) {
  const contraction c = contracted(body, p);
  EXPECT_EQ(c.fused, 1u) << body;
  return run(c.ptx, in).single;
}

TEST(machine_contract, a_product_and_its_sum_are_rounded_once) {
  const std::string mul = "mul.f32 %f8, %f1, %f2;\n";
  const float fused = std::fma(in[0], in[1], in[2]), apart = in[0] * in[1] + in[2];
  ASSERT_NE(std::bit_cast<int>(fused), std::bit_cast<int>(apart));
  EXPECT_EQ(run(head + kernel(mul + "add.f32 %f9, %f8, %f3;"), in).single, apart);
  EXPECT_EQ(fused_bits(mul + "add.f32 %f9, %f8, %f3;"), fused);
  EXPECT_EQ(fused_bits(mul + "add.f32 %f9, %f3, %f8;"), fused);
}

TEST(machine_contract, a_difference_negates_what_it_subtracts) {
  const std::string mul = "mul.f32 %f8, %f1, %f2;\n";
  EXPECT_EQ(fused_bits(mul + "sub.f32 %f9, %f8, %f4;"), std::fma(in[0], in[1], -in[3]));
  EXPECT_EQ(fused_bits(mul + "sub.f32 %f9, %f4, %f8;"), std::fma(-in[0], in[1], in[3]));
  EXPECT_EQ(fused_bits(mul + "sub.f32 %f9, 0f3F800000, %f8;"), std::fma(-in[0], in[1], 1.0F));
}

TEST(machine_contract, of_two_products_one_is_chosen) {
  const std::string body = "mul.f32 %f7, %f1, %f2;\nmul.f32 %f8, %f1, %f1;\nadd.f32 %f9, %f7, %f8;";
  EXPECT_TRUE(contracted(body).two_ways);
  EXPECT_EQ(fused_bits(body), std::fma(in[0], in[1], in[0] * in[0]));
  EXPECT_EQ(fused_bits(body, fused_product::second), std::fma(in[0], in[0], in[0] * in[1]));
  EXPECT_FALSE(contracted("mul.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f3;").two_ways);
}

TEST(machine_contract, doubles_and_modifiers_are_kept) {
  const contraction c = contracted(
      "mul.f64 %d8, %d1, %d1;\nmul.f64 %d7, %d8, %d8;\n"
      "sub.f64 %d9, %d7, %d2;");
  EXPECT_EQ(c.fused, 1u);
  const double square = static_cast<double>(in[0]) * static_cast<double>(in[0]);
  EXPECT_EQ(run(c.ptx, in).both, std::fma(square, square, -static_cast<double>(in[1])));
  const contraction s = contracted("mul.ftz.f32 %f8, %f1, %f2;\nadd.sat.ftz.f32 %f9, %f8, %f3;");
  EXPECT_EQ(s.fused, 1u);
  EXPECT_NE(s.ptx.find("fma.rn.ftz.sat.f32 %f9, %f1, %f2, %f3;"), std::string::npos);
}

TEST(machine_contract, fuses_nothing_that_may_not_be) {
  for (const char* body :
       {"mul.rn.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f3;",   // says how to round
        "mul.f32 %f8, %f1, %f2;\nadd.rn.f32 %f9, %f8, %f3;",   //
        "mul.sat.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f3;",  // the product is clamped
        "mul.ftz.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f3;",  // flushed, and not
        "mul.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f8;",      // read twice
        "mul.f32 %f8, %f1, %f2;\nadd.f32 %f7, %f8, %f3;\nadd.f32 %f9, %f8, %f7;",
        "mul.f32 %f8, %f1, %f2;\nmov.f32 %f1, %f3;\nadd.f32 %f9, %f8, %f3;",  // other factor
        "mul.f32 %f1, %f1, %f2;\nadd.f32 %f9, %f1, %f3;",
        "mul.f32 %f8, %f1, %f2;\n@%p1 mov.f32 %f8, %f3;\nadd.f32 %f9, %f8, %f3;",
        "@%p1 mul.f32 %f8, %f1, %f2;\nadd.f32 %f9, %f8, %f3;",
        "mul.f32 %f8, %f1, %f2;\n@%p1 add.f32 %f9, %f8, %f3;",
        "mul.f32 %f8, %f1, %f2;\n@%p1 bra L;\nadd.f32 %f9, %f8, %f3;\nL:",  // another block
        "add.f32 %f9, %f1, %f2;", "mul.f32 %f9, %f1, %f2;"}) {
    const contraction c = contracted(body);
    EXPECT_EQ(c.fused, 0u) << body;
    EXPECT_EQ(c.ptx, head + kernel(body));
  }
}

TEST(machine_contract, many_of_them_stay_on_their_lines) {
  const std::string body =
      "mul.f32 %f5, %f1, %f2;  sub.f32 %f6, %f3, %f5;  // two on a line; with a comment\n"
      "mul.f32 %f7, %f6, %f2;\nsub.f32 %f8, %f7, %f4;\nadd.f32 %f9, %f8, 0f3F800000;";
  const contraction c = contracted(body);
  EXPECT_EQ(c.fused, 2u);
  const std::string before = head + kernel(body);
  EXPECT_EQ(std::count(c.ptx.begin(), c.ptx.end(), '\n'),
            std::count(before.begin(), before.end(), '\n'));
  const float first = std::fma(-in[0], in[1], in[2]);
  EXPECT_EQ(run(c.ptx, in).single, std::fma(first, in[1], -in[3]) + 1.0F);
}

TEST(machine_contract, half_precision_is_fused_too) {
  const contraction c = contract(ptx::parse(
      head + ".visible .entry k(.param .u64 in, .param .u64 out) {\n.reg .b32 %r<9>;\n"
             ".reg .b64 %rd<3>;\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
             "ld.global.b32 %r1, [%rd1];\nmul.f16x2 %r2, %r1, %r1;\nsub.f16x2 %r3, %r2, %r1;\n"
             "st.global.b32 [%rd2], %r3;\nret;\n}\n",
      "test.ptx"));
  EXPECT_EQ(c.fused, 1u);
  EXPECT_NE(c.ptx.find("neg.f16x2"), std::string::npos);
  // 1 + 2^-10 squared and less itself: 2^-10 + 2^-20, of which a rounded square loses the last bit.
  EXPECT_EQ(std::bit_cast<std::uint32_t>(run(c.ptx, {std::bit_cast<float>(0x3c013c01U)}).single),
            0x14011401U);
}

}  // namespace
}  // namespace ptxlab::machine
