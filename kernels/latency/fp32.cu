// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use the result of an fp32 one?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: add, multiply and fma are one instruction of four cycles.
//
// Threats: operands that never change the value may hide data-dependent power, not latency; a
// second operand in a register bank of its own may hide a bank conflict.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void add_rn_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) { return __fadd_rn(x, a); });
}

extern "C" __global__ void fma_rn_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}

extern "C" __global__ void mul_rn_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) { return __fmul_rn(x, a); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use an fp32 result?",
    .variants =
        {
            {.symbol = "add_rn_f32",
             .says = "add.rn.f32",
             .measure = {.how = latency,
                         .sass = {"FADD"},
                         .operands = {bits(1.0F), bits(0.5F)},
                         .published = "fp32 fma dependent latency"}},
            {.symbol = "fma_rn_f32",
             .says = "fma.rn.f32",
             .measure = {.how = latency,
                         .sass = {"FFMA"},
                         .operands = {bits(1.0F), bits(0.5F), bits(2.0F)},
                         .published = "fp32 fma dependent latency"}},
            {.symbol = "mul_rn_f32",
             .says = "mul.rn.f32",
             .measure = {.how = latency, .sass = {"FMUL"}, .operands = {bits(1.0F), bits(0.5F)}}},
        },
});
#endif
