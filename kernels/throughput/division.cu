// SPDX-License-Identifier: Apache-2.0
// Question: how many integer division results does one SM deliver per cycle, and what does it take
// to get there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: the width of the unit that the counted instruction runs on, or of the narrowest one
// that its copy needs.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) div_s32(sample* out, const word* in) {
  time_streams<16, int>(out, in, [](int x, int a, int) { return div_s32(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) div_u32(sample* out, const word* in) {
  time_streams<16, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return div_u32(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) div_u64(sample* out, const word* in) {
  time_streams<16, word>(out, in, [](word x, word a, word) { return div_u64(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) rem_s32(sample* out, const word* in) {
  time_streams<16, int>(out, in, [](int x, int a, int b) { return rem_s32(a, x) + b; });
}

extern "C" __global__ void __launch_bounds__(1024) rem_u32(sample* out, const word* in) {
  time_streams<16, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned b) { return rem_u32(a, x) + b; });
}

extern "C" __global__ void __launch_bounds__(1024) rem_u32_64(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return add_s32(x % 64, a); });
}

extern "C" __global__ void __launch_bounds__(1024) rem_u32_64_in_asm(sample* out, const word* in) {
  time_streams<16, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return rem_u32(x, 64) + a; });
}

extern "C" __global__ void __launch_bounds__(1024) rem_u32_same(sample* out, const word* in) {
  time_streams<16, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned b) { return rem_u32(x, a) + b; });
}

extern "C" __global__ void __launch_bounds__(1024) rem_u64(sample* out, const word* in) {
  time_streams<16, word>(out, in, [](word x, word a, word b) { return rem_u64(a, x) + b; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many integer division results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "div_s32",
             .says = "div.s32 of one number by its last quotient",
             .measure = {.how = throughput,
                         .sass = {"I2F.RP"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 1000000}}},
            {.symbol = "div_u32",
             .says = "div.u32 of one number by its last quotient",
             .measure = {.how = throughput,
                         .sass = {"I2F.U32.RP"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 1000000}}},
            {.symbol = "div_u64",
             .says = "div.u64: a call",
             .measure = {.how = throughput,
                         .sass = {"CALL.REL.NOINC"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 0x1000000000000}}},
            {.symbol = "rem_s32",
             .says = "rem.s32 by a variable, and an addition",
             .measure = {.how = throughput,
                         .sass = {"I2F.RP"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 1000000, 1000}}},
            {.symbol = "rem_u32",
             .says = "rem.u32 by a variable, and an addition",
             .measure = {.how = throughput,
                         .sass = {"I2F.U32.RP"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 1000000, 1000}}},
            {.symbol = "rem_u32_64",
             .says = "rem.u32 by 64, and an addition: nvcc makes it a mask",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .operands = {1000, 1000}}},
            {.symbol = "rem_u32_64_in_asm",
             .says = "rem.u32 by 64 written in PTX, and an addition: ptxas divides",
             .measure = {.how = throughput,
                         .sass = {"ISETP.GE.U32.AND"},
                         .per_copy = 2,
                         .copies = 16,
                         .expands = true,
                         .operands = {1000, 1000}}},
            {.symbol = "rem_u32_same",
             .says = "rem.u32 by one and the same register, and an addition: its reciprocal is "
                     "computed once",
             .measure = {.how = throughput,
                         .sass = {"ISETP.GE.U32.AND"},
                         .per_copy = 2,
                         .copies = 16,
                         .expands = true,
                         .operands = {1000000, 7, 1000}}},
            {.symbol = "rem_u64",
             .says = "rem.u64 and an addition: a call",
             .measure = {.how = throughput,
                         .sass = {"CALL.REL.NOINC"},
                         .copies = 16,
                         .expands = true,
                         .operands = {7, 0x1000000000000, 0x100000000}}},
        },
});
#endif
