// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a dot-product result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: as an integer multiply-add.
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

extern "C" __global__ void dp2a_lo_s32_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return dp2a_lo_s32_s32(x, a, b); });
}

extern "C" __global__ void dp4a_s32_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return dp4a_s32_s32(x, a, b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a dot-product result?",
    .variants =
        {
            {.symbol = "dp2a_lo_s32_s32",
             .says = "dp2a.lo.s32.s32",
             .measure = {.how = latency,
                         .sass = {"IDP.2A.LO.S16.S8"},
                         .operands = {1, 0x01020304, 5}}},
            {.symbol = "dp4a_s32_s32",
             .says = "dp4a.s32.s32",
             .measure = {.how = latency, .sass = {"IDP.4A.S8.S8"}, .operands = {1, 0x01020304, 5}}},
        },
});
#endif
