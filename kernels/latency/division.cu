// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use an integer division result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: there is no divider: one reciprocal in fp32 and some integer steps, and for 64 bits
// a call.
//
// Threats: the quotients repeat; a divider whose time depends on them would not show it. Code in a
// call is outside what the gate reads.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void div_s32(sample* out, const word* in) {
  time_chain<8, int>(out, in, [](int x, int a, int) { return div_s32(a, x); });
}

extern "C" __global__ void div_u32(sample* out, const word* in) {
  time_chain<8, unsigned>(out, in, [](unsigned x, unsigned a, unsigned) { return div_u32(a, x); });
}

extern "C" __global__ void div_u64(sample* out, const word* in) {
  time_chain<8, word>(out, in, [](word x, word a, word) { return div_u64(a, x); });
}

extern "C" __global__ void rem_s32(sample* out, const word* in) {
  time_chain<8, int>(out, in, [](int x, int a, int b) { return rem_s32(a, x) + b; });
}

extern "C" __global__ void rem_u32(sample* out, const word* in) {
  time_chain<8, unsigned>(out, in,
                          [](unsigned x, unsigned a, unsigned b) { return rem_u32(a, x) + b; });
}

extern "C" __global__ void rem_u32_64(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return add_s32(x % 64, a); });
}

extern "C" __global__ void rem_u32_64_in_asm(sample* out, const word* in) {
  time_chain<8, unsigned>(out, in,
                          [](unsigned x, unsigned a, unsigned) { return rem_u32(x, 64) + a; });
}

extern "C" __global__ void rem_u32_same(sample* out, const word* in) {
  time_chain<8, unsigned>(out, in,
                          [](unsigned x, unsigned a, unsigned b) { return rem_u32(x, a) + b; });
}

extern "C" __global__ void rem_u64(sample* out, const word* in) {
  time_chain<8, word>(out, in, [](word x, word a, word b) { return rem_u64(a, x) + b; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use an integer division result?",
    .variants =
        {
            {.symbol = "div_s32",
             .says = "div.s32 of one number by its last quotient",
             .measure = {.how = latency,
                         .sass = {"I2F.RP"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 1000000}}},
            {.symbol = "div_u32",
             .says = "div.u32 of one number by its last quotient",
             .measure = {.how = latency,
                         .sass = {"I2F.U32.RP"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 1000000}}},
            {.symbol = "div_u64",
             .says = "div.u64: a call",
             .measure = {.how = latency,
                         .sass = {"CALL.REL.NOINC"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 0x1000000000000}}},
            {.symbol = "rem_s32",
             .says = "rem.s32 by a variable, and an addition",
             .measure = {.how = latency,
                         .sass = {"I2F.RP"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 1000000, 1000}}},
            {.symbol = "rem_u32",
             .says = "rem.u32 by a variable, and an addition",
             .measure = {.how = latency,
                         .sass = {"I2F.U32.RP"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 1000000, 1000}}},
            {.symbol = "rem_u32_64",
             .says = "rem.u32 by 64, and an addition: nvcc makes it a mask",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {1000, 1000}}},
            {.symbol = "rem_u32_64_in_asm",
             .says = "rem.u32 by 64 written in PTX, and an addition: ptxas divides",
             .measure = {.how = latency,
                         .sass = {"ISETP.GE.U32.AND"},
                         .per_copy = 2,
                         .copies = 8,
                         .expands = true,
                         .operands = {1000, 1000}}},
            {.symbol = "rem_u32_same",
             .says = "rem.u32 by one and the same register, and an addition: its reciprocal is "
                     "computed once",
             .measure = {.how = latency,
                         .sass = {"ISETP.GE.U32.AND"},
                         .per_copy = 2,
                         .copies = 8,
                         .expands = true,
                         .operands = {1000000, 7, 1000}}},
            {.symbol = "rem_u64",
             .says = "rem.u64 and an addition: a call",
             .measure = {.how = latency,
                         .sass = {"CALL.REL.NOINC"},
                         .copies = 8,
                         .expands = true,
                         .operands = {7, 0x1000000000000, 0x100000000}}},
        },
});
#endif
