// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a comparison result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: a comparison writes a predicate, which the selection waits for longer than for a
// register.
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

extern "C" __global__ void setp_and_selp_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return setp_and_selp_s32(x, a, b, x); });
}

extern "C" __global__ void setp_selp_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in,
                        [](float x, float a, float b) { return setp_selp_f32(x, a, b, x); });
}

extern "C" __global__ void setp_selp_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return setp_selp_s32(x, a, b, x); });
}

extern "C" __global__ void slct_s32_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return slct_s32_s32(a, b, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a comparison result?",
    .variants =
        {
            {.symbol = "setp_and_selp_s32",
             .says = "setp.lt.s32, setp.lt.and.s32 and selp.s32; one copy is the three",
             .measure = {.how = latency, .sass = {"SEL", "ISETP*"}, .operands = {9, 3, 5}}},
            {.symbol = "setp_selp_f32",
             .says = "setp.lt.f32 and selp.f32; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"FSEL", "FSETP*"},
                         .operands = {bits(9.0F), bits(3.0F), bits(5.0F)}}},
            {.symbol = "setp_selp_s32",
             .says = "setp.lt.s32 and selp.s32; one copy is the pair",
             .measure = {.how = latency, .sass = {"SEL", "ISETP*"}, .operands = {9, 3, 5}}},
            {.symbol = "slct_s32_s32",
             .says = "slct.s32.s32: a comparison with 0 and a selection",
             .measure = {.how = latency, .sass = {"SEL"}, .expands = true, .operands = {9, 3, 5}}},
        },
});
#endif
