// SPDX-License-Identifier: Apache-2.0
// Question: what does a constant-memory load cost at each level of its caches?
//
// Method: one warp follows a ring of word indices through a 64 KiB __constant__ array, over
// footprints from 256 bytes to all of it, one link every 64 bytes. index_at_offset walks a ring that the
// host wrote, and read back, at an offset into the array. words_of_a_warp has the lanes read 1 to 32 words.
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
// The links count from the offset on, not from the array's start.
extern "C" __global__ void index_at_offset(sample* out, const word* in) {
  word const base = __cvta_generic_to_constant(ring_words) + operand<word>(in, ring_operand::base);
  time_ring<16>(out, in, 0U, [=](unsigned x) { return ld_const_u32(base + 4 * word{x}); });
}
// Every lane starts at a link of its own.
extern "C" __global__ void index_by_lane(sample* out, const word* in) {
  word const base = __cvta_generic_to_constant(ring_words);
  time_ring<16>(out, in, 16 * (threadIdx.x % 32),
                [=](unsigned x) { return ld_const_u32(base + 4 * word{x}); });
}
// The array holds zeros here, which are added to the offset.
extern "C" __global__ void words_of_a_warp(sample* out, const word* in) {
  word const base = __cvta_generic_to_constant(ring_words);
  time_chain_from<16>(out, in, 4 * (threadIdx.x % operand<unsigned>(in, 1)),
                      [=](unsigned x, unsigned, unsigned) { return x + ld_const_u32(base + x); });
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
            {.symbol = "index_at_offset",
             .says = "x = constant[offset + x]: ld.const.u32",
             .measure = {.how = chase,
                         .sass = {"LDC*", "IMAD*", "LEA*", "SHF*", "IADD3*"}, .copies = 16,
                         .ring = {.where = ring::memory::constant,
                                  .what = ring::link::index,
                                  .stride_bytes = {64},
                                  .footprint_bytes = {1024, 16384},
                                  .offset_bytes = {16640},
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
            {.symbol = "words_of_a_warp",
             .says = "x += constant[x], the lanes at 1 to 32 words",
             .measure = {.how = latency,
                         .sass = {"LDC*", "IADD3*", "IMAD*", "VIADD*"},
                         .copies = 16,
                         .swept = {.axis = "words", .operand = 1, .values = {1, 2, 4, 8, 16, 32}}}},
        },
});
#endif
