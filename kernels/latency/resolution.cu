// SPDX-License-Identifier: Apache-2.0
// Question: how finely does %globaltimer count?
//
// Method: one thread reads it 2048 times and hands out every reading; the smallest step between two
// that differ, over eight launches.
//
// Expectation: a power of two of nanoseconds, far more than one. latency/clock says what a reading
// costs; %clock64 counts single cycles, as the odd differences in every raw sample show.
//
// Threats: the step is set by the driver and may be another one elsewhere, or under a profiler.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void globaltimer(sample* out, const word* in) {
#pragma unroll 1
  for (unsigned i = 0; i < resolution_samples; ++i) out[i].time_ns = globaltimer_now();
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How finely does %globaltimer count?",
    .variants =
        {
            {.symbol = "globaltimer",
             .says = "mov.u64 from %globaltimer",
             .must = {"opcode(CS2R*) >= 1"},
             .measure = {.how = resolution}},
        },
});
#endif
