// SPDX-License-Identifier: Apache-2.0
// Question: what does a texture read cost beside a plain load, at each level of the caches?
//
// Method: one warp follows a ring through a texture. In linear memory a link is a word's number
// (tex.1d.v4.u32.s32), one every 128 bytes. In arrays it is the place of the next texel's centre, in
// two channels of f32 (tex.level at level 0): a filter, whose other texels have no weight there, gives
// it exactly. Texels of an array lie in blocks: 4 by 4 of 8 bytes are taken for 128 bytes, and one of
// them is a link. An array of one dimension is missing: ptxas makes the same fetch of it. A ring of
// addresses, read by loads, stands beside.
//
// Expectation: the steps of L1 and L2, each later than a load's by the length of the texture path; a
// filter a little later still.
//
// Threats: how an array lies in memory is not documented, so that a footprint may be a part of what
// it says. A filter whose other texels have no weight might not read them.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/texture.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The texture object, written by the host. From constant memory ptxas knows that all lanes read the
// same one; from anywhere else it adds a loop over the lanes' different ones.
__constant__ word object;

static __device__ __forceinline__ void time_2d(sample* out, const word* in) {
  word const texture = object;
  float const zero = operand<float>(in, ring_operand::base);
  time_ring<48>(out, in, pair_of(0.5F, 0.5F),
                [=](word x) { return tex_level_2d_f32_f32(texture, x, zero); });
}

extern "C" __global__ void array_2d(sample* out, const word* in) {
  time_2d(out, in);
}
extern "C" __global__ void array_2d_filtered(sample* out, const word* in) {
  time_2d(out, in);
}
extern "C" __global__ void index(sample* out, const word* in) {
  word const texture = object;
  time_ring<48>(out, in, 0U, [=](unsigned x) { return tex_1d_u32_s32(texture, x); });
}

// Beside them: nothing but the load stands between two loads.
extern "C" __global__ void __launch_bounds__(1024) load(sample* out, const word* in) {
  time_ring<48>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::measurement;
using ptxlab::kernels::ring;
using ptxlab::kernels::texture;

static measurement through(bool filtered) {
  return {.how = chase,
          .sass = {"TEX*"},
          .copies = 48,
          .ring = {.where = ring::memory::texture,
                   .what = ring::link::index,
                   .footprint_bytes = {4096, 16384, 65536, 131072, 262144, 524288, 1048576,
                                       4194304, 16777216},
                   .symbol = "object"},
          .texture = {.channels = 2, .filtered = {filtered}}};
}

PTXLAB_KERNEL({
    .question = "What does a texture read cost at each level of the caches?",
    .variants =
        {
            {.symbol = "array_2d",
             .says = "(x, y) = tex2DLod(x, y): tex.level.2d.v4.f32.f32 of an array",
             .measure = through(false)},
            {.symbol = "array_2d_filtered",
             .says = "the same with a linear filter",
             .measure = through(true)},
            {.symbol = "index",
             .says = "x = tex1Dfetch(x): tex.1d.v4.u32.s32",
             .measure = {.how = chase,
                         .sass = {"TLD*"},
                         .copies = 48,
                         .ring = {.where = ring::memory::texture,
                                  .what = ring::link::index,
                                  .footprint_bytes = {4096, 16384, 65536, 131072, 196608, 262144,
                                                      524288, 1048576, 4194304, 16777216},
                                  .symbol = "object"},
                         .texture = {.from = texture::source::linear, .dimensions = 1}}},
            {.symbol = "load",
             .says = "x = *x: ld.global.u64",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 48,
                         .ring = {.footprint_bytes = {4096, 16384, 65536, 131072, 196608, 262144,
                                                      524288, 1048576, 4194304, 16777216}}}},
        },
});
#endif
