// SPDX-License-Identifier: Apache-2.0
// Question: what does a texture read cost beside a plain load, at each level of the caches?
//
// Method: one warp follows a ring of word indices through linear memory bound to a texture object
// (tex.1d.v4.u32.s32, unfiltered), over footprints from 4 KiB to 16 MiB, one link every 128 bytes.
//
// Expectation: the steps of L1 and L2, each later than a load's by the length of the texture path.
//
// Threats: filtering and address modes are not touched; they come with another issue.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/ring.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The texture object, written by the host. From constant memory ptxas knows that all lanes read the
// same one; from anywhere else it adds a loop over the lanes' different ones.
__constant__ word object;

static __device__ __forceinline__ unsigned tex_1d_u32(word texture, unsigned index) {
  unsigned x, y, z, w;
  asm volatile("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
               : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
               : "l"(texture), "r"(index)
               : "memory");
  return x;
}

extern "C" __global__ void index(sample* out, const word* in) {
  word const texture = object;
  time_ring<48>(out, in, 0U, [=](unsigned x) { return tex_1d_u32(texture, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "What does a texture read cost at each level of the caches?",
    .variants =
        {
            {.symbol = "index",
             .says = "x = tex1Dfetch(x): tex.1d.v4.u32.s32",
             .measure = {.how = chase,
                         .sass = {"TLD*"},
                         .copies = 48,
                         .ring = {.where = ring::memory::texture,
                                  .what = ring::link::index,
                                  .footprint_bytes = {4096, 16384, 65536, 131072, 196608, 262144,
                                                      524288, 1048576, 4194304, 16777216},
                                  .symbol = "object"}}},
        },
});
#endif
