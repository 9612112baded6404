// SPDX-License-Identifier: Apache-2.0
// Question: how many results of what the cost table of 2009 is about does one SM deliver per cycle?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: the width of the narrowest unit that a copy needs: MUFU, or that of doubles and
// conversions for a double literal. 24-bit products are slower than products.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) literal_double(sample* out, const word* in) {
  time_streams<32, float>(out, in,
                          [](float x, float, float) { return static_cast<float>(x * 1.00000012); });
}

extern "C" __global__ void __launch_bounds__(1024) literal_float(sample* out, const word* in) {
  time_streams<256, float>(out, in, [](float x, float, float) { return x * 1.00000012f; });
}

extern "C" __global__ void __launch_bounds__(1024) mul24_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return __mul24(x, a) >> 1; });
}

extern "C" __global__ void __launch_bounds__(1024) mul_s16(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return static_cast<short>(x * a); });
}

extern "C" __global__ void __launch_bounds__(1024) powf_call(sample* out, const word* in) {
  time_streams<8, float>(out, in, [](float x, float a, float) { return powf(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) powf_fast(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return __powf(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) rsqrtf_call(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return rsqrtf(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sqrt_approx_f32(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return sqrt_approx_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) umul24_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return __umul24(x, a) >> 1; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question =
        "How many results of what the cost table of 2009 is about does an SM deliver a cycle?",
    .variants =
        {
            {.symbol = "literal_double",
             .says = "float times a double literal: converted to double and back",
             .measure =
                 {.how = throughput, .sass = {"DMUL"}, .expands = true, .operands = {bits(1.0F)}}},
            {.symbol = "literal_float",
             .says = "float times a float literal",
             .measure =
                 {.how = throughput, .sass = {"FMUL"}, .copies = 256, .operands = {bits(1.0F)}}},
            {.symbol = "mul24_s32",
             .says = "__mul24, and a shift without which the chain needs 24 bits only",
             .measure = {.how = throughput,
                         .sass = {"IMAD"},
                         .copies = 64,
                         .expands = true,
                         .operands = {3, 5}}},
            {.symbol = "mul_s16",
             .says = "a product of short",
             .measure = {.how = throughput,
                         .sass = {"IMAD"},
                         .copies = 64,
                         .expands = true,
                         .operands = {3, 5}}},
            {.symbol = "powf_call",
             .says = "powf",
             .measure = {.how = throughput,
                         .sass = {"MUFU.RCP"},
                         .copies = 8,
                         .expands = true,
                         .operands = {bits(1.5F), bits(0.75F)}}},
            {.symbol = "powf_fast",
             .says = "__powf: by lg2 and ex2",
             .measure = {.how = throughput,
                         .sass = {"MUFU.LG2"},
                         .copies = 64,
                         .expands = true,
                         .operands = {bits(1.5F), bits(0.75F)}}},
            {.symbol = "rsqrtf_call",
             .says = "rsqrtf: scaled where the value is subnormal",
             .measure = {.how = throughput,
                         .sass = {"MUFU.RSQ"},
                         .expands = true,
                         .operands = {bits(3.0F)}}},
            {.symbol = "sqrt_approx_f32",
             .says = "sqrt.approx.f32: scaled where the value is subnormal",
             .measure = {.how = throughput,
                         .sass = {"MUFU.*"},
                         .expands = true,
                         .operands = {bits(3.0F)}}},
            {.symbol = "umul24_u32",
             .says = "__umul24, and a shift without which the chain needs 24 bits only",
             .measure = {.how = throughput,
                         .sass = {"IMAD"},
                         .copies = 64,
                         .expands = true,
                         .operands = {3, 5}}},
        },
});
#endif
