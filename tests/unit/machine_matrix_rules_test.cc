// SPDX-License-Identifier: Apache-2.0
// What matrix instructions do beside multiplying: rounding, ends of the range, transposition, the
// lanes they need, and what is refused.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <vector>

#include "tests/unit/machine/matrix_kernel.hpp"

namespace ptxlab::machine {
namespace {

/// mma.m16n8k16 with one row of A, one column of B, and the same C everywhere; gives D[0][0].
std::uint32_t one_sum(const std::string& types, bool half_result,
                      const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                      std::uint32_t c) {
  const unsigned registers = half_result ? 2 : 4;
  words wa(4 * 32), wb(2 * 32), wc(registers * 32, half_result ? c | c << 16 : c), d;
  for (unsigned k = 0; k < a.size(); ++k) {
    // Element (0, k) of A is in lane k % 8 / 2, register 2 * (k / 8); (k, 0) of B in register k
    // / 8.
    wa[k / 8 * 64 + k % 8 / 2] |= a[k] << (k % 2 * 16);
    wb[k / 8 * 32 + k % 8 / 2] |= b[k] << (k % 2 * 16);
  }
  run_words(kernel_of("mma.sync.aligned.m16n8k16.row.col." + types, {registers, 4, 2, registers}),
            registers * 32, {wa, wb, wc}, d);
  return half_result ? d[0] & 0xffff : d[0];
}

TEST(machine_matrix, a_sum_is_rounded_once) {
  const std::string to_f32 = "f32.f16.f16.f32", to_f16 = "f16.f16.f16.f16";
  // 1 + 2^-24 + 2^-24: rounded after each addition, this would stay 1.
  EXPECT_EQ(one_sum(to_f32, false, {0x0c00, 0x0c00}, {0x0c00, 0x0c00}, 0x3f800000), 0x3f800001U);
  EXPECT_EQ(one_sum(to_f32, false, {0x0c00}, {0x0c00}, 0x3f800000), 0x3f800000U);
  EXPECT_EQ(one_sum(to_f32, false, {0x3c00, 0x0c00, 0x0c00}, {0x3c00, 0x0c00, 0x0c00}, 0),
            0x3f800001U);
  // 2048 + 1 + 1 in halves.
  EXPECT_EQ(one_sum(to_f16, true, {0x3c00, 0x3c00}, {0x3c00, 0x3c00}, 0x6800), 0x6801U);
  EXPECT_EQ(one_sum(to_f16, true, {0x3c00}, {0x3c00}, 0x6800), 0x6800U);
  // Beyond the largest half, infinity, and what has no value.
  EXPECT_EQ(one_sum(to_f16, true, {0x7bff}, {0x4000}, 0), 0x7c00U);
  EXPECT_EQ(one_sum(to_f32, false, {0x7bff}, {0x4000}, 0), 0x47ffe000U);
  EXPECT_EQ(one_sum(to_f32, false, {0x7c00, 0xfc00}, {0x3c00, 0x3c00}, 0), 0x7fffffffU);
  EXPECT_EQ(one_sum(to_f16, true, {0x7c00}, {0x0000}, 0), 0x7fffU);
  // The smallest half, squared, and a product of bf16 below f32's normal numbers.
  EXPECT_EQ(one_sum(to_f32, false, {0x0001}, {0x0001}, 0), (127U - 48) << 23);
  EXPECT_EQ(one_sum("f32.bf16.bf16.f32", false, {0x0080}, {0x3f00}, 0), 0x00400000U);
}

// The rules of math/dot.hpp, each with numbers that a neighbouring rule would give other bits for.
TEST(machine_matrix, sums_are_aligned_and_cut_as_on_an_h200) {
  const std::string to_f32 = "f32.f16.f16.f32", to_f16 = "f16.f16.f16.f16";
  using halves = std::vector<std::uint32_t>;
  // 1 + 1.5 * 2^-23 is cut, not rounded to even, on both sides of 0.
  EXPECT_EQ(one_sum(to_f32, false, {0x0e00}, {0x1000}, 0x3f800000), 0x3f800001U);
  EXPECT_EQ(one_sum(to_f32, false, {0x8e00}, {0x1000}, 0xbf800000), 0xbf800001U);
  // 1 + 16 * 2^-25 keeps all of it, 1 + 16 * 2^-26 nothing.
  EXPECT_EQ(one_sum(to_f32, false, halves(16, 0x0800), halves(16, 0x0c00), 0x3f800000),
            0x3f800004U);
  EXPECT_EQ(one_sum(to_f32, false, halves(16, 0x0800), halves(16, 0x0800), 0x3f800000),
            0x3f800000U);
  // 1.5 * 1.5 + 8 * 2^-25: the product is aligned by exponent 0, though it is above 2.
  halves a(9, 0x0800), b(9, 0x0c00);
  a[0] = b[0] = 0x3e00;
  EXPECT_EQ(one_sum(to_f32, false, a, b, 0), 0x40100001U);
  // A subnormal factor has exponent -14: 2^-24 * 2^15 is aligned by 2^1, which leaves nothing of
  // 2^-25.
  EXPECT_EQ(one_sum(to_f32, false, {0x0001, 0x0800}, {0x7800, 0x0c00}, 0), 0x3b000000U);
  EXPECT_EQ(one_sum(to_f32, false, {0x1800, 0x0800}, {0x3c00, 0x0c00}, 0), 0x3b000080U);
  // Zeros have no exponent, whatever they are multiplied with.
  EXPECT_EQ(one_sum(to_f32, false, {0x0000, 0x0800}, {0x7800, 0x0c00}, 0), 0x33000000U);
  // Nothing but negative zeros, and a negative sum that rounds to zero: both +0.
  EXPECT_EQ(one_sum(to_f32, false, halves(16, 0x8000), halves(16, 0x3c00), 0x80000000), 0U);
  EXPECT_EQ(one_sum(to_f16, true, {0x8001}, {0x3400}, 0), 0U);
}

TEST(machine_matrix, tf32_is_the_upper_19_bits) {
  words a(4 * 32, 0x3f801fff), b(2 * 32, 0x40001fff), c(4 * 32), d;
  run_words(kernel_of("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", {4, 4, 2, 4}), 128,
            {a, b, c}, d);
  EXPECT_EQ(d, words(128, std::bit_cast<std::uint32_t>(16.0F)));
}

TEST(machine_matrix, integers_wrap_or_stop_at_the_ends) {
  const words a(32, 0x7f7f7f7f), b(32, 0x01010101), low(32, 0x80808080), c(64, 0x7fffffff),
      lowest(64, 0x80000000);
  const std::string wraps = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32",
                    stops = "mma.sync.aligned.m8n8k16.row.col.satfinite.s32.s8.s8.s32";
  words d;
  run_words(kernel_of(wraps, {2, 1, 1, 2}), 64, {a, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffffU + 16 * 127));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {a, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffff));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {low, b, lowest}, d);
  EXPECT_EQ(d, words(64, 0x80000000));
  run_words(kernel_of(stops, {2, 1, 1, 2}), 64, {low, b, c}, d);
  EXPECT_EQ(d, words(64, 0x7fffffff - 16 * 128));
}

TEST(machine_matrix, movmatrix_transposes) {
  words a(32), expected(32), d;
  for (unsigned row = 0; row < 8; ++row)
    for (unsigned column = 0; column < 8; ++column) {
      a[row * 4 + column / 2] |= (row * 16 + column) << (column % 2 * 16);
      expected[column * 4 + row / 2] |= (row * 16 + column) << (row % 2 * 16);
    }
  std::string text = kernel_of("movmatrix.sync.aligned.m8n8.trans.b16", {1, 1});
  const std::size_t at = text.find("{%d0}, {%a0}");
  text.replace(at, 12, "%d0, %a0");
  run_words(text, 32, {a}, d);
  EXPECT_EQ(d, expected);
}

TEST(machine_matrix, lanes_come_one_after_the_other) {
  const std::string text = R"(
.visible .entry go(.param .u64 d) {
  .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [d];
  mov.u32 %r1, %tid.x;
  mad.wide.u32 %rd1, %r1, 4, %rd1;
  mov.u32 %r2, 0;
again:
  setp.eq.u32 %p1, %r2, %r1;
  @%p1 bra out;
  add.u32 %r2, %r2, 1;
  bra again;
out:
  movmatrix.sync.aligned.m8n8.trans.b16 %r3, %r2;
  st.global.b32 [%rd1], %r3;
  ret;
})";
  for (const char* token : {"its", "lockstep", "random:3", "adversarial:5"}) {
    machine_fixture m(text);
    read_token(token, m.how);
    const address d = m.buffer(words(32));
    const run_report r = m.run("go", 1, 32, {d});
    ASSERT_EQ(r.how, ending::finished) << token << ": " << r.reason;
    const words v = m.read<std::uint32_t>(d, 32);
    // Column l / 4 of a matrix whose lane i has i in its low halves: even columns are all there is.
    for (unsigned l = 0; l < 32; ++l) {
      const std::uint32_t low = l % 4 * 2 * 4 + l / 8, high = low + 4;
      EXPECT_EQ(v[l], l / 4 % 2 != 0 ? 0 : low | high << 16) << token << " lane " << l;
    }
  }
}

TEST(machine_matrix, a_warp_with_missing_lanes_is_a_fault) {
  const std::string text =
      kernel_of("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", {2, 1, 1, 2});
  machine_fixture m(text);
  const address at = m.buffer(words(256));
  EXPECT_EQ(m.run("go", 1, 64, {at, at, at, at}).how, ending::finished);
  const run_report r = m.run("go", 1, 48, {at, at, at, at});
  EXPECT_EQ(r.how, ending::fault);
  EXPECT_NE(r.reason.find("needs all 32 lanes of the warp, and there are 16"), std::string::npos)
      << r.reason;
}

TEST(machine_matrix, what_ptx_does_not_have_is_refused) {
  struct bad {
    std::string opcode;
    std::vector<unsigned> registers;
    std::string reason;
  };
  for (const bad& x : std::vector<bad>{
           {"mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32", {4, 4, 2, 4}, "no .row here"},
           {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f16", {4, 4, 2, 2}, "no .f"},
           {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
            {4, 3, 2, 4},
            "3 registers, where 4"},
           {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", {8, 2, 2, 8}, "no .m8n8k4 here"},
           {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", {4, 4, 2, 4}, "no ."},
           {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.u8.s32", {8, 2, 2, 8}, "no ."},
           {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32",
            {8, 4, 8, 8},
            "4 registers, where 8"},
           {"mma.sync.m16n8k16.row.col.f32.f16.f16.f32",
            {4, 4, 2, 4},
            "the machine's mma has no"}}) {
    machine_fixture m(kernel_of(x.opcode, x.registers));
    const decoded& code = m.module.kernel("go");
    ASSERT_EQ(code.missing.size(), 1U) << x.opcode;
    EXPECT_EQ(code.missing[0].where.opcode, x.opcode);
    EXPECT_NE(code.missing[0].reason.find(x.reason), std::string::npos) << code.missing[0].reason;
  }
}

}  // namespace
}  // namespace ptxlab::machine
