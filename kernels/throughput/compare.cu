// SPDX-License-Identifier: Apache-2.0
// Question: how many comparison results does one SM deliver per cycle, and what does it take to
// get there?
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

extern "C" __global__ void __launch_bounds__(1024) setp_and_selp_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return setp_and_selp_s32(x, a, b, x); });
}

extern "C" __global__ void __launch_bounds__(1024) setp_selp_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in,
                          [](float x, float a, float b) { return setp_selp_f32(x, a, b, x); });
}

extern "C" __global__ void __launch_bounds__(1024) setp_selp_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return setp_selp_s32(x, a, b, x); });
}

extern "C" __global__ void __launch_bounds__(1024) slct_s32_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return slct_s32_s32(a, b, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "How many comparison results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "setp_and_selp_s32",
             .says = "setp.lt.s32, setp.lt.and.s32 and selp.s32; one copy is the three",
             .measure = {.how = throughput,
                         .sass = {"SEL", "ISETP*"},
                         .copies = 64,
                         .operands = {9, 3, 5}}},
            {.symbol = "setp_selp_f32",
             .says = "setp.lt.f32 and selp.f32; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"FSEL", "FSETP*"},
                         .copies = 64,
                         .operands = {bits(9.0F), bits(3.0F), bits(5.0F)}}},
            {.symbol = "setp_selp_s32",
             .says = "setp.lt.s32 and selp.s32; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"SEL", "ISETP*"},
                         .copies = 64,
                         .operands = {9, 3, 5}}},
            {.symbol = "slct_s32_s32",
             .says = "slct.s32.s32: a comparison with 0 and a selection",
             .measure = {.how = throughput,
                         .sass = {"SEL"},
                         .copies = 64,
                         .expands = true,
                         .operands = {9, 3, 5}}},
        },
});
#endif
