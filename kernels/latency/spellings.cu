// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles is the result there of what the cost table of 2009 is about?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
// What has a file of its own (fp32, int32, division, convert) is not here again.
//
// Expectation: 24-bit products and short operands cost more than 32-bit ones; a double literal
// costs two conversions and a double product.
//
// Threats: operands that never change the value may hide data-dependent power, not latency.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void literal_double(sample* out, const word* in) {
  time_chain<16, float>(out, in,
                        [](float x, float, float) { return static_cast<float>(x * 1.00000012); });
}

extern "C" __global__ void literal_float(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float, float) { return x * 1.00000012f; });
}

extern "C" __global__ void mul24_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return __mul24(x, a) >> 1; });
}

extern "C" __global__ void mul_s16(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return static_cast<short>(x * a); });
}

extern "C" __global__ void powf_call(sample* out, const word* in) {
  time_chain<4, float>(out, in, [](float x, float a, float) { return powf(x, a); });
}

extern "C" __global__ void powf_fast(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) { return __powf(x, a); });
}

extern "C" __global__ void rsqrtf_call(sample* out, const word* in) {
  time_chain<16, float>(out, in, [](float x, float, float) { return rsqrtf(x); });
}

extern "C" __global__ void sqrt_approx_f32(sample* out, const word* in) {
  time_chain<16, float>(out, in, [](float x, float, float) { return sqrt_approx_f32(x); });
}

extern "C" __global__ void umul24_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return __umul24(x, a) >> 1; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "After how many cycles is the result of what the cost table of 2009 is about there?",
    .variants =
        {
            {.symbol = "literal_double",
             .says = "float times a double literal: converted to double and back",
             .measure = {.how = latency,
                         .sass = {"DMUL"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(1.0F)}}},
            {.symbol = "literal_float",
             .says = "float times a float literal",
             .measure = {.how = latency, .sass = {"FMUL"}, .operands = {bits(1.0F)}}},
            {.symbol = "mul24_s32",
             .says = "__mul24, and a shift without which the chain needs 24 bits only",
             .measure = {.how = latency, .sass = {"IMAD"}, .expands = true, .operands = {3, 5}}},
            {.symbol = "mul_s16",
             .says = "a product of short",
             .measure = {.how = latency, .sass = {"IMAD"}, .expands = true, .operands = {3, 5}}},
            {.symbol = "powf_call",
             .says = "powf",
             .measure = {.how = latency,
                         .sass = {"MUFU.RCP"},
                         .copies = 4,
                         .expands = true,
                         .operands = {bits(1.5F), bits(0.75F)}}},
            {.symbol = "powf_fast",
             .says = "__powf: by lg2 and ex2",
             .measure = {.how = latency,
                         .sass = {"MUFU.LG2"},
                         .expands = true,
                         .operands = {bits(1.5F), bits(0.75F)}}},
            {.symbol = "rsqrtf_call",
             .says = "rsqrtf: scaled where the value is subnormal",
             .measure = {.how = latency,
                         .sass = {"MUFU.RSQ"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(3.0F)}}},
            {.symbol = "sqrt_approx_f32",
             .says = "sqrt.approx.f32: scaled where the value is subnormal",
             .measure = {.how = latency,
                         .sass = {"MUFU.*"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(3.0F)}}},
            {.symbol = "umul24_u32",
             .says = "__umul24, and a shift without which the chain needs 24 bits only",
             .measure = {.how = latency, .sass = {"IMAD"}, .expands = true, .operands = {3, 5}}},
        },
});
#endif
