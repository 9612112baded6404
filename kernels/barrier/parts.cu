// SPDX-License-Identifier: Apache-2.0
// Question: what are the parts of a barrier over the grid that no other file measures?
//
// Method: in each round the first thread of every block adds eight times to one word and waits for what
// it was, all eight on their way together. With a block on every SM the word is always busy, so the
// round takes as long as its additions need one behind the other: an eighth of it is what the arrivals
// of one barrier need.
//
// Expectation: one and a half cycles for each, 200 for 132 blocks.
//
// Threats: with few blocks the word is not busy and the round is the latency of an atomic.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/exchange.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void drain(sample* out, const word* in) {
  word const count = scratch(in);
  time_exchange(out, in, [=](unsigned) {
    if (threadIdx.x != 0) return;
    unsigned seen = 0;
#pragma unroll  // all on their way before the first result is looked at
    for (unsigned i = 0; i < 8; ++i) seen |= atom_relaxed_gpu_global_add_u32(count, 1);
    if (seen == 0xFFFFFFFF) __trap();  // never: it waits for all eight
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What are the parts of a barrier over the grid that no other file measures?",
    .variants =
        {
            {.symbol = "drain",
             .says = "eight additions to one word by each block",
             .measure = {.how = grid,
                         .sass = {"ATOMG.E.ADD.STRONG.GPU"},
                         .per_copy = 8,
                         .expands = true,
                         .threads = {32},
                         .blocks = {2, 16, 64, 0}}},
        },
});
#endif
