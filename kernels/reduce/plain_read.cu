// SPDX-License-Identifier: Apache-2.0
// Question: how fast could a sum be, if adding cost nothing?
//
// Method: the loads of one_launch.cu, tile by tile, and next to nothing done with what they read:
// all words are or-ed, and one result, which no numbers of the protocol have, would be stored. No
// sums of blocks, no sum of the grid.
//
// Expectation: the memory's own speed, which a sum reaches too: four additions for 16 bytes are far
// from what an SM can do in that time.
//
// Threats: or-ing is an instruction for two words; without one the loads would go.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/reduction.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

struct any_bits {
  unsigned seen = 0;
  __device__ __forceinline__ void take(const group<4>& g) {
    seen |= g.at[0] | g.at[1] | g.at[2] | g.at[3];
  }
  __device__ __forceinline__ void take_one(float x) { seen |= bits_of(x); }
};

extern "C" __global__ void __launch_bounds__(128, 5)
    every_word(float* out, const float* in, word n, unsigned*) {
  any_bits bits;
  for_share<4, 128, 16>(in, n, bits);
  if (bits.seen == 0x12345678) *out = number_of<float>(bits.seen);
}
#else
#include "kernels/reduce/family.hpp"

using namespace ptxlab::kernels;

PTXLAB_KERNEL({
    .question = "How fast could a sum be, if adding cost nothing?",
    .variants = {{.symbol = "every_word",
                  .says = "sixteen loads of 16 bytes in flight, blocks of 128",
                  .params = reduction_family::one_launch(),
                  .must = {"opcode(LDG.*128*) == 32"},
                  .measure = {.how = protocol::reduction,
                              .threads = {128},
                              .blocks_per_sm = {4},
                              .sum = {.by = summation::leaves::nothing,
                                      .tile = 128 * 16 * 4,
                                      .elements = reduction_family::powers(10, 31)}}}},
});
#endif
