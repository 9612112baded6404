// SPDX-License-Identifier: Apache-2.0
// Question: how many texels does one SM fetch per cycle through a texture object?
//
// Method: every texel holds its own place; each lane fetches its texel of each stream again and again:
// unfiltered 32-bit words of linear memory, which hold their index, or the centres of texels in an
// array, in two channels of f32 (tex.level), with a filter or without. The host binds the texture.
//
// Expectation: four lanes per cycle if each of an SM's four texture units (528 on 132 SMs, by NVIDIA's
// H100 white paper) gives one texel; more if unfiltered reads are served faster, fewer where a filter
// blends texels of 8 bytes.
//
// Threats: up to 4 KiB of texels, all in L1; the lanes of a warp read neighbouring texels, in a plane
// 8 by 4 of them. A lane counts as 4 bytes in one channel, 8 in two. Beside the fetches stand waits for
// those that return in order (DEPBAR), one for several of them, and a load of the object's place in
// every round (ULDC).
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/streams.cuh"
#include "ptx/device/texture.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// In constant memory, so that ptxas knows that all lanes use the same one.
__constant__ word object;

// Lanes 8 by 4, streams 4 by 2 of these.
static __device__ __forceinline__ void stream_2d(sample* out, const word* in) {
  word const texture = object;
  float const zero = operand<float>(in, 0);
  float const x = zero + static_cast<float>(threadIdx.x % 8) + 0.5F;
  float const y = static_cast<float>(threadIdx.x % 32 / 8) + 0.5F;
  time_streams_from<64, word>(
      out, in,
      [=](unsigned k) {
        return pair_of(x + static_cast<float>(k % 4 * 8), y + static_cast<float>(k / 4 * 4));
      },
      [=](word at, word, word) { return tex_level_2d_f32_f32(texture, at, zero); });
}

extern "C" __global__ void __launch_bounds__(1024) array_2d(sample* out, const word* in) {
  stream_2d(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) array_2d_filtered(sample* out, const word* in) {
  stream_2d(out, in);
}
extern "C" __global__ void __launch_bounds__(1024) fetch_u32(sample* out, const word* in) {
  word const texture = object;
  unsigned const first = operand<unsigned>(in, 0) + threadIdx.x % 32;
  time_streams_from<64, unsigned>(
      out, in, [=](unsigned k) { return first + 32 * k; },
      [=](unsigned x, unsigned, unsigned) { return tex_1d_u32_s32(texture, x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::measurement;
using ptxlab::kernels::ring;
using ptxlab::kernels::texture;

static measurement through(bool filtered) {
  return {.how = throughput,
          .sass = {"TEX*", "DEPBAR*", "ULDC*"},
          .copies = 64,
          .operands = {0},
          .ring = {.where = ring::memory::texture,
                   .what = ring::link::index,
                   .footprint_bytes = {4096},
                   .symbol = "object"},
          .traffic = 8,
          .texture = {.channels = 2, .filtered = {filtered}}};
}

PTXLAB_KERNEL({
    .question = "How many texels does one SM fetch per cycle through a texture object?",
    .variants =
        {
            {.symbol = "array_2d",
             .says = "(x, y) = tex2DLod(x, y): tex.level.2d.v4.f32.f32 of an array",
             .measure = through(false)},
            {.symbol = "array_2d_filtered",
             .says = "the same with a linear filter",
             .measure = through(true)},
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
                         .traffic = 4,
                         .texture = {.from = texture::source::linear, .dimensions = 1}}},
        },
});
#endif
