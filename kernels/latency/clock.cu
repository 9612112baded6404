// SPDX-License-Identifier: Apache-2.0
// Question: what does it cost to read a clock?
//
// Method: N, 2N and 4N reads one behind the other, in one warp; the slope is what one costs.
//
// Expectation: the SM clock is read in a few cycles, the global timer far slower.
//
// Threats: a read that nobody waits for may be issued before the last one is done: then this is a
// throughput.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ unsigned clock_now() {
  unsigned t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

extern "C" __global__ void read_clock(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return clock_now() ^ x; });
}

extern "C" __global__ void read_clock64(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word, word) { return clock64_now() ^ x; });
}

extern "C" __global__ void read_globaltimer(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word, word) { return globaltimer_now() ^ x; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does it cost to read a clock?",
    .variants =
        {
            {.symbol = "read_clock",
             .says = "mov of %clock, kept alive by an xor that takes two of them; every other one "
                     "is read by S2UR",
             .measure = {.how = rounds, .sass = {"*S2*R*"}, .expands = true, .operands = {1}}},
            {.symbol = "read_clock64",
             .says = "mov of %clock64, kept alive by two xor that take two of them",
             .measure = {.how = rounds,
                         .sass = {"CS2R*"},
                         .expands = true,
                         .operands = {1}}},
            {.symbol = "read_globaltimer",
             .says = "mov of %globaltimer, kept alive by two xor that take two of them",
             .measure = {.how = rounds, .sass = {"CS2R*"}, .expands = true, .operands = {1}}},
        },
});
#endif
