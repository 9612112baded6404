// SPDX-License-Identifier: Apache-2.0
// Differences that take another run of the machine to tell. The "GPU" is the machine with PTX in
// which the fused operations are written out, as ptxas may make them of the other.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "driver/run/judgement.hpp"
#include "driver/run/trial.hpp"
#include "ptx/text/parser.hpp"

namespace ptxlab::run {
namespace {

/// out[i] = body of x and y, which lie in %f1 and %f2; the result in %f9.
std::string module_of(const std::string& body) {
  return ".version 9.0\n.target sm_90\n.address_size 64\n"
         ".visible .entry k(.param .u64 x, .param .u64 y, .param .u64 out) {\n"
         ".reg .f32 %f<12>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<9>;\n.reg .pred %p<2>;\n"
         "ld.param.u64 %rd1, [x];\nld.param.u64 %rd2, [y];\nld.param.u64 %rd3, [out];\n"
         "mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd4, %r1, 4;\nadd.s64 %rd5, %rd1, %rd4;\n"
         "add.s64 %rd6, %rd2, %rd4;\nadd.s64 %rd7, %rd3, %rd4;\n"
         "ld.global.f32 %f1, [%rd5];\nld.global.f32 %f2, [%rd6];\n" +
         body + "\nst.global.f32 [%rd7], %f9;\nret;\n}\n";
}

plan plan_of(const std::string& body) {
  plan p;
  p.from.path = "test.ptx";
  p.from.code = {"test.ptx", module_of(body), {}};
  p.from.ptx = ptx::parse(p.from.code.ptx, "test.ptx");
  p.kernel = "k";
  p.shape.block[0] = 64;
  p.arguments = {read_argument("buf:f32:64:rand:1:name=x", 0),
                 read_argument("buf:f32:64:rand:2:name=y", 1),
                 read_argument("buf:f32:64:zero:name=out", 2)};
  return p;
}

/// The machine runs `written`, a "GPU" runs `compiled`.
result judged(const std::string& written, const std::string& compiled) {
  static plan p, other;
  p = plan_of(written);
  other = plan_of(compiled);
  result r;
  r.what = &p;
  r.run = run_on_machine(p, {}, {});
  r.gpu = run_on_machine(other, {}, {});
  judge(r, p, {});
  EXPECT_EQ(r.differences.size(), 3u);
  EXPECT_EQ(r.differences[0].is.what, difference_class::exact);
  return r;
}

const std::string product = "mul.f32 %f8, %f1, %f2;\n";

TEST(run_judgement, the_same_bits_are_exact) {
  const std::string body = product + "add.f32 %f9, %f8, %f1;";
  const result r = judged(body, body);
  EXPECT_EQ(r.differences[2].is.what, difference_class::exact);
  EXPECT_FALSE(r.run.races);
}

TEST(run_judgement, bits_of_a_fused_operation_prove_a_contraction) {
  const result r = judged(product + "add.f32 %f9, %f8, %f1;", "fma.rn.f32 %f9, %f1, %f2, %f1;");
  EXPECT_GT(r.differences[2].is.differing, 0u);
  EXPECT_EQ(r.differences[2].is.what, difference_class::contraction);
  EXPECT_NE(r.differences[2].is.why.find("with a pair of mul and add fused"), std::string::npos);
  EXPECT_TRUE(fine(r));
}

TEST(run_judgement, either_of_two_products_may_be_the_fused_one) {
  const std::string body = product + "mul.f32 %f7, %f1, %f1;\nsub.f32 %f9, %f8, %f7;";
  EXPECT_EQ(judged(body,
                   "mul.f32 %f7, %f1, %f1;\nneg.f32 %f7, %f7;\n"
                   "fma.rn.f32 %f9, %f1, %f2, %f7;")
                .differences[2]
                .is.what,
            difference_class::contraction);
  EXPECT_EQ(judged(body, "neg.f32 %f7, %f1;\n" + product + "fma.rn.f32 %f9, %f7, %f1, %f8;")
                .differences[2]
                .is.what,
            difference_class::contraction);
}

TEST(run_judgement, what_a_branch_makes_of_it_is_proven_too) {
  // Whether x * y - rounded(x * y) is 0: a flag, and large.
  const std::string rest = "setp.eq.f32 %p1, %f6, 0f00000000;\nselp.f32 %f9, %f1, 0f447A0000, %p1;";
  const result r =
      judged("mul.rn.f32 %f7, %f1, %f2;\n" + product + "sub.f32 %f6, %f8, %f7;\n" + rest,
             "mul.rn.f32 %f7, %f1, %f2;\nneg.f32 %f5, %f7;\n"
             "fma.rn.f32 %f6, %f1, %f2, %f5;\n" +
                 rest);
  EXPECT_EQ(r.differences[2].is.what, difference_class::contraction) << r.differences[2].is.why;
}

TEST(run_judgement, a_small_one_that_fusing_does_not_give_is_not_proven) {
  const std::string body = product + "add.f32 %f9, %f8, %f1;";
  const result other = judged(body, product + "add.rz.f32 %f9, %f8, %f1;");
  EXPECT_EQ(other.differences[2].is.what, difference_class::maybe_contraction);
  EXPECT_NE(difference_text(other.differences[2])
                .find("not proven: with the one pair fused the machine's bits are others again"),
            std::string::npos)
      << difference_text(other.differences[2]);
}

TEST(run_judgement, where_no_pair_can_be_fused_nothing_is_proven) {
  const std::string apart = product + "add.f32 %f7, %f8, %f1;\nadd.f32 %f9, %f8, %f7;";
  const result r = judged(apart, product + "add.rz.f32 %f7, %f8, %f1;\nadd.f32 %f9, %f8, %f7;");
  EXPECT_EQ(r.differences[2].is.what, difference_class::maybe_contraction);
  EXPECT_NE(r.differences[2].is.why.find("no mul has its one add"), std::string::npos);
  EXPECT_TRUE(fine(r));
}

TEST(run_judgement, a_large_one_or_one_without_freedom_is_wrong) {
  const std::string body = product + "add.f32 %f9, %f8, %f1;";
  EXPECT_EQ(judged(body, product + "sub.f32 %f9, %f8, %f1;").differences[2].is.what,
            difference_class::wrong);
  const result strict = judged("mul.rn.f32 %f8, %f1, %f2;\nadd.rn.f32 %f9, %f8, %f1;",
                               "fma.rn.f32 %f9, %f1, %f2, %f1;");
  EXPECT_EQ(strict.differences[2].is.what, difference_class::wrong);
  EXPECT_FALSE(fine(strict));
}

TEST(run_judgement, a_race_is_told_before_a_contraction) {
  // Two warps write one word.
  const std::string clash = "st.global.f32 [%rd3], %f1;\n";
  const result r = judged(product + "add.f32 %f9, %f8, %f1;\n" + clash,
                          "fma.rn.f32 %f9, %f1, %f2, %f1;\n" + clash);
  EXPECT_EQ(r.differences[2].is.what, difference_class::race);
  EXPECT_GT(r.run.race_count(), 0u);
}

}  // namespace
}  // namespace ptxlab::run
