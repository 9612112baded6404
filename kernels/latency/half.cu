// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a half-precision result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: one instruction for two values, as fast as fp32; ptxas spreads them over two pipes.
// A MUFU works on one half at a time.
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

extern "C" __global__ void add_rn_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return add_rn_f16x2(x, a); });
}

extern "C" __global__ void ex2_approx_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned, unsigned) { return ex2_approx_f16x2(x ^ 0x80008000U); });
}

extern "C" __global__ void fma_rn_bf16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return fma_rn_bf16x2(x, a, b); });
}

extern "C" __global__ void fma_rn_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return fma_rn_f16x2(x, a, b); });
}

extern "C" __global__ void min_max_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return max_f16x2(min_f16x2(x, a), b); });
}

extern "C" __global__ void mul_rn_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return mul_rn_f16x2(x, a); });
}

extern "C" __global__ void tanh_approx_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return tanh_approx_f16x2(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a half-precision result?",
    .variants =
        {
            {.symbol = "add_rn_f16x2",
             .says = "add.rn.f16x2: every other one goes to the fma pipe",
             .measure = {.how = latency, .sass = {"H*2*"}, .operands = {0x3c003c00, 0x14001400}}},
            {.symbol = "ex2_approx_f16x2",
             .says = "ex2.approx.f16x2 of the negated value: one MUFU for each half, and more",
             .measure = {.how = latency,
                         .sass = {"MUFU.EX2.F16"},
                         .per_copy = 2, .chained = 1,
                         .expands = true,
                         .operands = {0x3c003c00}}},
            {.symbol = "fma_rn_bf16x2",
             .says = "fma.rn.bf16x2: HFMA2 and HFMA2.MMA by turns",
             .measure = {.how = latency,
                         .sass = {"HFMA2*"},
                         .operands = {0x3f803f80, 0x3f003f00, 0x40004000}}},
            {.symbol = "fma_rn_f16x2",
             .says = "fma.rn.f16x2: HFMA2 and HFMA2.MMA by turns",
             .measure = {.how = latency,
                         .sass = {"HFMA2*"},
                         .operands = {0x3c003c00, 0x38003800, 0x40004000},
                         .published = "fp16x2 mul-add expression dependent latency"}},
            {.symbol = "min_max_f16x2",
             .says = "min.f16x2 and max.f16x2 by turns, which do not fold; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"HMNMX2"},
                         .per_copy = 2,
                         .operands = {0x3c003c00, 0x44004400, 0x40004000}}},
            {.symbol = "mul_rn_f16x2",
             .says = "mul.rn.f16x2 by 1: every other one goes to the fma pipe",
             .measure = {.how = latency, .sass = {"H*2*"}, .operands = {0x3c003c00, 0x3c003c00}}},
            {.symbol = "tanh_approx_f16x2",
             .says = "tanh.approx.f16x2: one MUFU for each half",
             .measure = {.how = latency,
                         .sass = {"MUFU.TANH.F16"},
                         .per_copy = 2, .chained = 1,
                         .operands = {0x3c003c00}}},
        },
});
#endif
