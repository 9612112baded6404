// SPDX-License-Identifier: Apache-2.0
// Question: how many fp32 results does one SM deliver per cycle, and what does it take to get there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: fma reaches 128 per cycle and SM, at one stream from 16 warps on.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) fma_rn_f32(sample* out, const word* in) {
  time_streams<128, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "How many fp32 results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "fma_rn_f32",
             .says = "fma.rn.f32",
             .measure = {.how = throughput,
                         .sass = {"FFMA"},
                         .copies = 128,
                         .operands = {bits(1.0F), bits(0.5F), bits(2.0F)},
                         .published = "fp32 FMA lanes nominal"}},
        },
});
#endif
