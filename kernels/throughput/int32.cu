// SPDX-License-Identifier: Apache-2.0
// Question: how many int32 results does one SM deliver per cycle, and what does it take to get
// there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: 64 per cycle and SM for each instruction of a copy. What would fold stands beside
// another instruction here, and alone in controls/folded.cu.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) abs_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return sub_s32(abs_s32(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) add_cc_addc_u32(sample* out, const word* in) {
  time_streams<64, word>(out, in, [](word x, word a, word) { return add_cc_addc_u32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) add_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return add_s32(add_s32(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) mad24_lo_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int, int b) { return mad24_lo_s32(x, x, b); });
}

extern "C" __global__ void __launch_bounds__(1024) mad_lo_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return mad_lo_s32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) mad_wide_u32(sample* out, const word* in) {
  time_streams<64, word>(out, in, [](word x, word, word b) {
    return mad_wide_u32(static_cast<unsigned>(x), static_cast<unsigned>(x >> 32), b);
  });
}

extern "C" __global__ void __launch_bounds__(1024) max_s32_xor(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return max_s32(x, a) ^ b; });
}

extern "C" __global__ void __launch_bounds__(1024) min_max_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return max_s32(min_s32(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) min_s32_xor(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return min_s32(x, a) ^ b; });
}

extern "C" __global__ void __launch_bounds__(1024) mul24_lo_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int, int) { return mul24_lo_s32(x, x); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_hi_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return mul_hi_u32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_lo_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return mul_lo_s32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_wide_u32(sample* out, const word* in) {
  time_streams<64, word>(out, in, [](word x, word, word) {
    return mul_wide_u32(static_cast<unsigned>(x), static_cast<unsigned>(x >> 32));
  });
}

extern "C" __global__ void __launch_bounds__(1024) sad_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned b) { return sad_u32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) sub_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return sub_s32(sub_s32(x, a), b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many int32 results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "abs_s32",
             .says = "abs.s32 and a subtraction: abs of abs would be one; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"IABS", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .expands = true,
                         .operands = {1, 3}}},
            {.symbol = "add_cc_addc_u32",
             .says = "add.cc.u32 and addc.u32, the halves of 64 bits; ptxas adds the high halves "
                     "of two copies at once",
             .measure = {.how = throughput,
                         .sass = {"IADD3"},
                         .copies = 64,
                         .expands = true,
                         .operands = {1, 0x300000005}}},
            {.symbol = "add_s32",
             .says = "two add.s32, which ptxas makes one addition of three",
             .measure = {.how = throughput,
                         .sass = {"IADD3"},
                         .copies = 64,
                         .operands = {1, 3, 5},
                         .published = "int32 lanes nominal"}},
            {.symbol = "mad24_lo_s32",
             .says = "mad24.lo.s32 with both factors the same: there is no 24-bit multiplier",
             .measure = {.how = throughput,
                         .sass = {"IMAD", "SGXT"},
                         .copies = 64,
                         .operands = {3, 0, 5}}},
            {.symbol = "mad_lo_s32",
             .says = "mad.lo.s32",
             .measure = {.how = throughput,
                         .sass = {"IMAD"},
                         .copies = 64,
                         .operands = {1, 3, 5},
                         .published = "int32 multiply/mad throughput nominal"}},
            {.symbol = "mad_wide_u32",
             .says = "mad.wide.u32 of the halves of its last result",
             .measure = {.how = throughput,
                         .sass = {"IMAD.WIDE.U32", "IADD3*", "IMAD.X", "IMAD.IADD"},
                         .copies = 64,
                         .expands = true,
                         .operands = {0x300000005, 0, 0x500000007}}},
            {.symbol = "max_s32_xor",
             .says = "max.s32 and an xor against folding; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"VIMNMX", "LOP3*"},
                         .copies = 64,
                         .operands = {9, 7, 3}}},
            {.symbol = "min_max_s32",
             .says = "min.s32 and max.s32 by turns, which do not fold; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"VIMNMX"},
                         .per_copy = 2,
                         .copies = 64,
                         .operands = {1, 7, 3}}},
            {.symbol = "min_s32_xor",
             .says = "min.s32 and an xor against folding; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"VIMNMX", "LOP3*"},
                         .copies = 64,
                         .operands = {1, 7, 3}}},
            {.symbol = "mul24_lo_s32",
             .says = "mul24.lo.s32 of a value with itself: there is no 24-bit multiplier",
             .measure =
                 {.how = throughput, .sass = {"IMAD", "SGXT"}, .copies = 64, .operands = {3}}},
            {.symbol = "mul_hi_u32",
             .says = "mul.hi.u32",
             .measure = {.how = throughput,
                         .sass = {"IMAD.HI.U32"},
                         .copies = 64,
                         .operands = {0xffffffff, 0xffffffff}}},
            {.symbol = "mul_lo_s32",
             .says = "mul.lo.s32",
             .measure = {.how = throughput, .sass = {"IMAD"}, .copies = 64, .operands = {1, 3}}},
            {.symbol = "mul_wide_u32",
             .says = "mul.wide.u32 of the halves of its last result",
             .measure = {.how = throughput,
                         .sass = {"IMAD.WIDE.U32"},
                         .copies = 64,
                         .operands = {0x300000005}}},
            {.symbol = "sad_u32",
             .says = "sad.u32",
             .measure = {.how = throughput,
                         .sass = {"VABSDIFF.U32"},
                         .copies = 64,
                         .operands = {1, 3, 5}}},
            {.symbol = "sub_s32",
             .says = "two sub.s32, which ptxas makes one addition of three",
             .measure =
                 {.how = throughput, .sass = {"IADD3"}, .copies = 64, .operands = {1, 3, 5}}},
        },
});
#endif
