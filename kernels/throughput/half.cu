// SPDX-License-Identifier: Apache-2.0
// Question: how many half-precision results does one SM deliver per cycle, and what does it take
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

extern "C" __global__ void __launch_bounds__(1024) add_rn_f16x2(sample* out, const word* in) {
  time_streams<256, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return add_rn_f16x2(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) ex2_approx_f16x2(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned, unsigned) { return ex2_approx_f16x2(x ^ 0x80008000U); });
}

extern "C" __global__ void __launch_bounds__(1024) fma_rn_bf16x2(sample* out, const word* in) {
  time_streams<256, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return fma_rn_bf16x2(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) fma_rn_f16x2(sample* out, const word* in) {
  time_streams<256, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return fma_rn_f16x2(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) min_max_f16x2(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return max_f16x2(min_f16x2(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_rn_f16x2(sample* out, const word* in) {
  time_streams<256, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return mul_rn_f16x2(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) tanh_approx_f16x2(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned, unsigned) { return tanh_approx_f16x2(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many half-precision results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "add_rn_f16x2",
             .says = "add.rn.f16x2: every other one goes to the fma pipe",
             .measure = {.how = throughput,
                         .sass = {"H*2*"},
                         .copies = 256,
                         .operands = {0x3c003c00, 0x14001400}}},
            {.symbol = "ex2_approx_f16x2",
             .says = "ex2.approx.f16x2 of the negated value: one MUFU for each half, and more",
             .measure = {.how = throughput,
                         .sass = {"MUFU.EX2.F16"},
                         .per_copy = 2,
                         .copies = 64,
                         .expands = true,
                         .operands = {0x3c003c00}}},
            {.symbol = "fma_rn_bf16x2",
             .says = "fma.rn.bf16x2: HFMA2 and HFMA2.MMA by turns",
             .measure = {.how = throughput,
                         .sass = {"HFMA2*"},
                         .copies = 256,
                         .operands = {0x3f803f80, 0x3f003f00, 0x40004000}}},
            {.symbol = "fma_rn_f16x2",
             .says = "fma.rn.f16x2: HFMA2 and HFMA2.MMA by turns",
             .measure = {.how = throughput,
                         .sass = {"HFMA2*"},
                         .copies = 256,
                         .operands = {0x3c003c00, 0x38003800, 0x40004000}}},
            {.symbol = "min_max_f16x2",
             .says = "min.f16x2 and max.f16x2 by turns, which do not fold; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"HMNMX2"},
                         .per_copy = 2,
                         .copies = 64,
                         .operands = {0x3c003c00, 0x44004400, 0x40004000}}},
            {.symbol = "mul_rn_f16x2",
             .says = "mul.rn.f16x2 by 1: every other one goes to the fma pipe",
             .measure = {.how = throughput,
                         .sass = {"H*2*"},
                         .copies = 256,
                         .operands = {0x3c003c00, 0x3c003c00}}},
            {.symbol = "tanh_approx_f16x2",
             .says = "tanh.approx.f16x2: one MUFU for each half",
             .measure = {.how = throughput,
                         .sass = {"MUFU.TANH.F16"},
                         .per_copy = 2,
                         .copies = 64,
                         .expands = true,
                         .operands = {0x3c003c00}}},
        },
});
#endif
