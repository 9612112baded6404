// SPDX-License-Identifier: Apache-2.0
// Question: what does a constant-memory load cost at each level of its caches?
//
// Method: one warp follows a ring of word indices through a 64 KiB __constant__ array, over
// footprints from 256 bytes to all of it, one link every 64 bytes.
//
// Expectation: a small constant cache next to the SM, a second level near the instruction cache,
// then L2. Each shows as a step.
//
// Threats: the chain holds the address arithmetic beside the load. Where all lanes read one word, one
// access serves them; index_by_lane has them read 32 different ones.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/ring.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

__constant__ unsigned ring_words[16384];

// Through the address, so that the load is one ld.const and nothing is known of the index.
static __device__ __forceinline__ unsigned ld_const_u32(word address) {
  unsigned value;
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

extern "C" __global__ void index(sample* out, const word* in) {
  word const base = __cvta_generic_to_constant(ring_words);
  time_ring<128>(out, in, 0U, [=](unsigned x) { return ld_const_u32(base + 4 * word{x}); });
}
// Every lane starts at a link of its own.
extern "C" __global__ void index_by_lane(sample* out, const word* in) {
  word const base = __cvta_generic_to_constant(ring_words);
  time_ring<16>(out, in, 16 * (threadIdx.x % 32),
                [=](unsigned x) { return ld_const_u32(base + 4 * word{x}); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "What does a constant-memory load cost at each level of its caches?",
    .variants =
        {
            {.symbol = "index",
             .says = "x = constant[x]: ld.const.u32",
             .measure = {.how = chase,
                         .sass = {"LDC*", "IMAD*", "LEA*", "SHF*", "IADD3*"}, .copies = 128,
                         .ring = {.where = ring::memory::constant,
                                  .what = ring::link::index,
                                  .stride_bytes = {64},
                                  .footprint_bytes = {256, 512, 1024, 1536, 2048, 3072, 4096, 8192,
                                                      16384, 24576, 32768, 49152, 65536},
                                  .symbol = "ring_words"}}},
            {.symbol = "index_by_lane",
             .says = "x = constant[x], 32 lanes at 32 links",
             .measure = {.how = chase,
                         .sass = {"LDC*", "IMAD*", "LEA*", "SHF*", "IADD3*"},
                         .copies = 16,
                         .ring = {.where = ring::memory::constant,
                                  .what = ring::link::index,
                                  .stride_bytes = {64},
                                  .footprint_bytes = {2048, 65536},
                                  .symbol = "ring_words"}}},
        },
});
#endif
