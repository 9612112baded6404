// SPDX-License-Identifier: Apache-2.0
// Question: how many dot-product results does one SM deliver per cycle, and what does it take to
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

extern "C" __global__ void __launch_bounds__(1024) dp2a_lo_s32_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return dp2a_lo_s32_s32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) dp4a_s32_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int b) { return dp4a_s32_s32(x, a, b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many dot-product results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "dp2a_lo_s32_s32",
             .says = "dp2a.lo.s32.s32",
             .measure = {.how = throughput,
                         .sass = {"IDP.2A.LO.S16.S8"},
                         .copies = 64,
                         .operands = {1, 0x01020304, 5}}},
            {.symbol = "dp4a_s32_s32",
             .says = "dp4a.s32.s32",
             .measure = {.how = throughput,
                         .sass = {"IDP.4A.S8.S8"},
                         .copies = 64,
                         .operands = {1, 0x01020304, 5}}},
        },
});
#endif
