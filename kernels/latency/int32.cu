// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use an int32 result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: four cycles for each instruction of a copy, two more where it crosses pipes. What
// would fold stands beside another instruction here, and alone in controls/folded.cu.
//
// Threats: operands that never change the value may hide data-dependent power, not latency. Where
// a copy is a pair, its parts are not told apart.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void abs_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return sub_s32(abs_s32(x), a); });
}

extern "C" __global__ void add_cc_addc_u32(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word a, word) { return add_cc_addc_u32(x, a); });
}

extern "C" __global__ void add_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return add_s32(add_s32(x, a), b); });
}

extern "C" __global__ void mad24_lo_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int b) { return mad24_lo_s32(x, x, b); });
}

extern "C" __global__ void mad_lo_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return mad_lo_s32(x, a, b); });
}

extern "C" __global__ void mad_wide_u32(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word, word b) {
    return mad_wide_u32(static_cast<unsigned>(x), static_cast<unsigned>(x >> 32), b);
  });
}

extern "C" __global__ void max_s32_xor(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return max_s32(x, a) ^ b; });
}

extern "C" __global__ void min_max_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return max_s32(min_s32(x, a), b); });
}

extern "C" __global__ void min_s32_xor(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return min_s32(x, a) ^ b; });
}

extern "C" __global__ void mul24_lo_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int) { return mul24_lo_s32(x, x); });
}

extern "C" __global__ void mul_hi_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return mul_hi_u32(x, a); });
}

extern "C" __global__ void mul_lo_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return mul_lo_s32(x, a); });
}

extern "C" __global__ void mul_wide_u32(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word, word) {
    return mul_wide_u32(static_cast<unsigned>(x), static_cast<unsigned>(x >> 32));
  });
}

extern "C" __global__ void sad_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned b) { return sad_u32(x, a, b); });
}

extern "C" __global__ void sub_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return sub_s32(sub_s32(x, a), b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use an int32 result?",
    .variants =
        {
            {.symbol = "abs_s32",
             .says = "abs.s32 and a subtraction: abs of abs would be one; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"IABS", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {1, 3}}},
            {.symbol = "add_cc_addc_u32",
             .says = "add.cc.u32 and addc.u32, the halves of 64 bits; ptxas adds the high halves "
                     "of two copies at once",
             .measure = {.how = latency,
                         .sass = {"IADD3"},
                         .expands = true,
                         .operands = {1, 0x300000005}}},
            {.symbol = "add_s32",
             .says = "two add.s32, which ptxas makes one addition of three",
             .measure = {.how = latency,
                         .sass = {"IADD3"},
                         .operands = {1, 3, 5},
                         .published = "int32 true (dependent) latency"}},
            {.symbol = "mad24_lo_s32",
             .says = "mad24.lo.s32 with both factors the same: there is no 24-bit multiplier",
             .measure = {.how = latency, .sass = {"IMAD", "SGXT"}, .operands = {3, 0, 5}}},
            {.symbol = "mad_lo_s32",
             .says = "mad.lo.s32",
             .measure = {.how = latency,
                         .sass = {"IMAD"},
                         .operands = {1, 3, 5},
                         .published = "int32 mad dependent latency"}},
            {.symbol = "mad_wide_u32",
             .says = "mad.wide.u32 of the halves of its last result",
             .measure = {.how = latency,
                         .sass = {"IMAD.WIDE.U32", "IADD3*", "IMAD.X", "IMAD.IADD"},
                         .operands = {0x300000005, 0, 0x500000007}}},
            {.symbol = "max_s32_xor",
             .says = "max.s32 and an xor against folding; one copy is the pair",
             .measure = {.how = latency, .sass = {"VIMNMX", "LOP3*"}, .operands = {9, 7, 3}}},
            {.symbol = "min_max_s32",
             .says = "min.s32 and max.s32 by turns, which do not fold; one copy is the pair",
             .measure = {.how = latency, .sass = {"VIMNMX"}, .per_copy = 2, .operands = {1, 7, 3}}},
            {.symbol = "min_s32_xor",
             .says = "min.s32 and an xor against folding; one copy is the pair",
             .measure = {.how = latency, .sass = {"VIMNMX", "LOP3*"}, .operands = {1, 7, 3}}},
            {.symbol = "mul24_lo_s32",
             .says = "mul24.lo.s32 of a value with itself: there is no 24-bit multiplier",
             .measure = {.how = latency, .sass = {"IMAD", "SGXT"}, .operands = {3}}},
            {.symbol = "mul_hi_u32",
             .says = "mul.hi.u32",
             .measure = {.how = latency,
                         .sass = {"IMAD.HI.U32"},
                         .operands = {0xffffffff, 0xffffffff}}},
            {.symbol = "mul_lo_s32",
             .says = "mul.lo.s32",
             .measure = {.how = latency, .sass = {"IMAD"}, .operands = {1, 3}}},
            {.symbol = "mul_wide_u32",
             .says = "mul.wide.u32 of the halves of its last result",
             .measure = {.how = latency, .sass = {"IMAD.WIDE.U32"}, .operands = {0x300000005}}},
            {.symbol = "sad_u32",
             .says = "sad.u32",
             .measure = {.how = latency, .sass = {"VABSDIFF.U32"}, .operands = {1, 3, 5}}},
            {.symbol = "sub_s32",
             .says = "two sub.s32, which ptxas makes one addition of three",
             .measure = {.how = latency, .sass = {"IADD3"}, .operands = {1, 3, 5}}},
        },
});
#endif
