// SPDX-License-Identifier: Apache-2.0
// Question: how many atomic operations does one SM complete per cycle?
//
// Method: as in the other files here, with atomics whose operand is what the last one returned; every
// lane has a word of its own.
//
// Expectation: shared memory does a warp in a few cycles; L2 does what the path to it lets through.
//
// Threats: all warps of the block and all streams use the same row of words.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) global_add_u32(sample* out, const word* in) {
  word const row = scratch(in) + 4 * (threadIdx.x % 32);
  time_streams_from<64, unsigned>(
      out, in, [](unsigned k) { return k; },
      [=](unsigned x, unsigned, unsigned) {
        return atom_relaxed_gpu_global_add_u32(row, x);
      });
}

extern "C" __global__ void __launch_bounds__(1024) shared_add_u32(sample* out, const word* in) {
  __shared__ unsigned words[32];
  words[threadIdx.x % 32] = 0;
  __syncthreads();
  auto const row = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x % 32]));
  time_streams_from<64, unsigned>(
      out, in, [](unsigned k) { return k; },
      [=](unsigned x, unsigned, unsigned) { return atom_shared_add_u32(row, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many atomic operations does one SM complete per cycle?",
    .variants =
        {
            {.symbol = "global_add_u32",
             .says = "atom.relaxed.gpu.global.add.u32",
             .measure = {.how = throughput,
                         .sass = {"ATOMG*"},
                         .copies = 64,
                         .operands = {0}}},
            {.symbol = "shared_add_u32",
             .says = "atom.shared.add.u32",
             .measure = {.how = throughput,
                         .sass = {"ATOMS*"},
                         .copies = 64,
                         .operands = {0}}},
        },
});
#endif
