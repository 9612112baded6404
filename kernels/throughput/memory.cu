// SPDX-License-Identifier: Apache-2.0
// Question: how many bytes does one SM load per cycle from shared memory and from its L1?
//
// Method: as in the other files here, with loads: every lane has words that hold their own address,
// one for each stream, and loads them again and again.
//
// Expectation: 128 bytes per cycle from either.
//
// Threats: lane k reads word k of a row: no bank conflict, two lines for each 64-bit load.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) ld_global_u64(sample* out, const word* in) {
  word const row = scratch(in) + 8 * (threadIdx.x % 32);
  for (unsigned k = 0; k < 8; ++k) *reinterpret_cast<word*>(row + 256 * k) = row + 256 * k;
  __threadfence();
  __syncthreads();
  time_streams_from<64, word>(
      out, in, [=](unsigned k) { return row + 256 * k; },
      [](word x, word, word) { return ptxlab::device::ld_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) ld_shared_u32(sample* out, const word* in) {
  __shared__ unsigned rows[8][32];
  auto const row = static_cast<unsigned>(__cvta_generic_to_shared(&rows[0][threadIdx.x % 32]));
  for (unsigned k = 0; k < 8; ++k) rows[k][threadIdx.x % 32] = row + 128 * k;
  __syncthreads();
  time_streams_from<64, unsigned>(
      out, in, [=](unsigned k) { return row + 128 * k; },
      [](unsigned x, unsigned, unsigned) { return ptxlab::device::ld_shared_u32(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many bytes does one SM load per cycle from shared memory and from its L1?",
    .variants =
        {
            {.symbol = "ld_global_u64",
             .says = "x = *x: ld.global.u64, in L1",
             .measure = {.how = throughput,
                         .sass = {"LDG.E.64"},
                         .copies = 64,
                         .operands = {0},
                         .traffic = 8,
                         .published = "L1 load bandwidth f64 stride 1"}},
            {.symbol = "ld_shared_u32",
             .says = "x = *x: ld.shared.u32",
             .measure = {.how = throughput,
                         .sass = {"LDS"},
                         .copies = 64,
                         .operands = {0},
                         .traffic = 4,
                         .published = "shared memory bandwidth"}},
        },
});
#endif
