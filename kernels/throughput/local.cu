// SPDX-License-Identifier: Apache-2.0
// Question: how many bytes does one SM load per cycle from local memory, where spilled variables live?
//
// Method: every thread has eight words of local memory that hold their own address, one for each
// stream, and loads them again and again. They fit into L1.
//
// Expectation: the rate of L1, as for global loads: 128 bytes per cycle.
//
// Threats: local memory interleaves the threads, so that the 32 lanes of a warp read one line, as they
// do where a compiler spills. Lanes that index differently would read several.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The address fits 32 bits: the local window is smaller than that.
static __device__ __forceinline__ unsigned ld_local_u32(unsigned address) {
  unsigned value;
  asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "l"(word{address}) : "memory");
  return value;
}

extern "C" __global__ void __launch_bounds__(1024) ld_u32(sample* out, const word* in) {
  unsigned words[8];
  auto const base = static_cast<unsigned>(__cvta_generic_to_local(words));
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) words[k] = base + 4 * k;
  time_streams_from<64, unsigned>(
      out, in, [=](unsigned k) { return base + 4 * k; },
      [](unsigned x, unsigned, unsigned) { return ld_local_u32(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many bytes does one SM load per cycle from local memory?",
    .variants =
        {
            {.symbol = "ld_u32",
             .says = "x = *x: ld.local.u32, in L1",
             .must = {"opcode(LDL*) >= 1"},
             .measure = {.how = throughput,
                         .sass = {"LDL*"},
                         .copies = 64,
                         .operands = {0},
                         .traffic = 4}},
        },
});
#endif
