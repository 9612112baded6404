// SPDX-License-Identifier: Apache-2.0
// Question: what does a load from local memory cost, where spilled and indexed variables live?
//
// Method: an array that the code indexes by what it has just read from it, so that it must lie in
// local memory; every element holds its own index.
//
// Expectation: the latency of L1 and the address arithmetic.
//
// Threats: 32 lanes read 32 different words, though in one line each.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ unsigned ld_local_u32(word address) {
  unsigned value;
  asm volatile("ld.local.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

extern "C" __global__ void index(sample* out, const word* in) {
  unsigned words[16];
  unsigned const own = operand<unsigned>(in, 0);
#pragma unroll 1  // filled by index, so that the array cannot live in registers
  for (unsigned i = 0; i < 16; ++i) words[(i + own) % 16] = (i + own) % 16;
  word const base = __cvta_generic_to_local(words);
  time_chain_from<64>(out, in, own, [=](unsigned x, unsigned, unsigned) {
    return ld_local_u32(base + 4 * word{x});
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does a load from local memory cost?",
    .variants =
        {
            {.symbol = "index",
             .says = "x = local[x]: ld.local.u32",
             .must = {"opcode(LDL*) >= 1"},
             .measure = {.how = latency,
                         .sass = {"LDL*", "IMAD*", "LEA*", "IADD3*"}, .copies = 64,
                         .operands = {5}}},
        },
});
#endif
