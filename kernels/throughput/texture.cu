// SPDX-License-Identifier: Apache-2.0
// Question: how many texels does one SM fetch per cycle through a texture object?
//
// Method: every texel, an unfiltered 32-bit word of linear memory, holds its own index; each lane
// fetches its texel of each stream again and again (tex.1d.v4.u32.s32). The host binds the texture.
//
// Expectation: four lanes, 16 bytes, per cycle if each of an SM's four texture units (528 on 132 SMs,
// by NVIDIA's H100 white paper) gives one texel; more if unfiltered reads are served faster.
//
// Threats: 1 KiB of texels, all in L1; neighbouring lanes read neighbouring texels. Filtering and
// address modes are not touched. Beside the fetches stand waits for those that return in order
// (DEPBAR), one for several of them, and a load of the object's place in every round (ULDC).
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// In constant memory, so that ptxas knows that all lanes use the same one.
__constant__ word object;

static __device__ __forceinline__ unsigned tex_1d_u32(word texture, unsigned index) {
  unsigned x, y, z, w;
  asm volatile("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "l"(texture), "r"(index)
               : "memory");
  return x;
}

extern "C" __global__ void __launch_bounds__(1024) fetch_u32(sample* out, const word* in) {
  word const texture = object;
  unsigned const first = operand<unsigned>(in, 0) + threadIdx.x % 32;
  time_streams_from<64, unsigned>(
      out, in, [=](unsigned k) { return first + 32 * k; },
      [=](unsigned x, unsigned, unsigned) { return tex_1d_u32(texture, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "How many texels does one SM fetch per cycle through a texture object?",
    .variants =
        {
            {.symbol = "fetch_u32",
             .says = "x = tex1Dfetch(x): tex.1d.v4.u32.s32",
             .measure = {.how = throughput,
                         .sass = {"TLD*", "DEPBAR*", "ULDC*"},
                         .copies = 64,
                         .operands = {0},
                         .ring = {.where = ring::memory::texture,
                                  .what = ring::link::index,
                                  .footprint_bytes = {1024},
                                  .symbol = "object"},
                         .traffic = 4}},
        },
});
#endif
