// SPDX-License-Identifier: Apache-2.0
// Question: how many lanes does one SM serve per cycle from constant memory?
//
// Method: every word holds its own place in the array, in bytes, and streams load theirs again and
// again: one word for all lanes, one for each lane, or a number between. The host writes the words.
//
// Expectation: one warp every few cycles where all lanes read one word; thirty-two accesses, one after
// the other, where each has its own.
//
// Threats: rows of 128 bytes, all in the nearest constant cache; how the rate falls beyond it is not
// asked here. Counted are the bytes that lanes get, not those that are read.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

__constant__ unsigned own_words[1024];

static __device__ __forceinline__ unsigned ld_const_u32(word address) {
  unsigned value;
  asm volatile("ld.const.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

static __device__ __forceinline__ void time_words(sample* out, const word* in, unsigned first) {
  word const base = __cvta_generic_to_constant(own_words);
  time_streams_from<64, unsigned>(
      out, in, [=](unsigned k) { return first + 128 * k; },
      [=](unsigned x, unsigned, unsigned) { return ld_const_u32(base + x); });
}

extern "C" __global__ void __launch_bounds__(1024) by_lane(sample* out, const word* in) {
  time_words(out, in, operand<unsigned>(in, 0) + 4 * (threadIdx.x % 32));
}

extern "C" __global__ void __launch_bounds__(1024) one_word(sample* out, const word* in) {
  time_words(out, in, operand<unsigned>(in, 0));
}
extern "C" __global__ void __launch_bounds__(1024) words_of_a_warp(sample* out, const word* in) {
  time_words(out, in, 4 * (threadIdx.x % operand<unsigned>(in, 1)));
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "How many lanes does one SM serve per cycle from constant memory?",
    .variants =
        {
            {.symbol = "by_lane",
             .says = "x = constant[x]: ld.const.u32, 32 lanes at 32 words",
             .measure = {.how = throughput,
                         .sass = {"LDC*"},
                         .copies = 64,
                         .operands = {0},
                         .ring = {.where = ring::memory::constant,
                                  .footprint_bytes = {4096},
                                  .symbol = "own_words"},
                         .traffic = 4}},
            {.symbol = "one_word",
             .says = "x = constant[x]: ld.const.u32, all lanes at one word",
             .measure = {.how = throughput,
                         .sass = {"LDC*"},
                         .copies = 64,
                         .operands = {0},
                         .ring = {.where = ring::memory::constant,
                                  .footprint_bytes = {4096},
                                  .symbol = "own_words"},
                         .traffic = 4}},
            {.symbol = "words_of_a_warp",
             .says = "x = constant[x]: ld.const.u32, the lanes at 1 to 32 words",
             .measure = {.how = throughput,
                         .sass = {"LDC*"},
                         .copies = 64,
                         .operands = {0},
                         .ring = {.where = ring::memory::constant,
                                  .footprint_bytes = {4096},
                                  .symbol = "own_words"},
                         .swept = {.axis = "words", .operand = 1, .values = {1, 2, 4, 8, 16, 32}}}},
        },
});
#endif
