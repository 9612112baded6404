// SPDX-License-Identifier: Apache-2.0
// Question: how fast does the whole device read a plane or a volume through each kind of texture, with
// and without a filter, and by plain loads?
//
// Method: all SMs read every texel of f32, in one channel or (`x4`) in four, once a round, in tiles: the lanes of a warp side by side in
// a row, each with eight texels below its own, or (`columns`) below each other, each with eight in its
// row. A filter reads a quarter of a texel further on in every direction. From round to round each
// block takes another one's tiles, so that an L1 holds nothing of use for long. What is read is folded
// into a word for each thread, which the host compares; time is taken from outside.
//
// Expectation: in rows all are alike, down to the rate of the texture units, four texels a cycle on
// each SM. In columns plain loads touch 32 rows at once, an array's blocks only a few lines. To filter
// by hand takes more loads than fetches.
//
// Threats: eight texels of a row could be read by two loads of 16 bytes; here they are not, in columns
// neither. Places are counted up in integers and floats, a few instructions for each fetch. Texels are
// multiples of 256, so that a filter's result is exact and can be compared.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

using object = cudaTextureObject_t;

static constexpr unsigned lanes = 32, own = 8;  // texels of a tile, across and along

static __device__ __forceinline__ unsigned bits(float v) {
  return __float_as_uint(v);
}
static __device__ __forceinline__ unsigned bits(float4 v) {
  return bits(v.x) ^ bits(v.y) ^ bits(v.z) ^ bits(v.w);
}

// Folds the bits of `read(x, y, z)` of this thread's texels into one word. `columns`: lanes differ in
// y and not in x.
template <typename Read>
static __device__ __forceinline__ void walk(unsigned* out, unsigned width, unsigned height,
                                            unsigned depth, unsigned columns, unsigned rounds,
                                            const Read& read) {
  unsigned const warps = blockDim.x / lanes, lane = threadIdx.x % lanes;
  unsigned const across = (columns ? height : width) / lanes;
  unsigned const along = (columns ? width : height) / own;
  unsigned const tiles = across * along * depth;
  unsigned folded = 0;
#pragma unroll 1  // a round is what is timed
  for (unsigned round = 0; round < rounds; ++round) {
    unsigned const block = (blockIdx.x + round * 37) % gridDim.x;
#pragma unroll 1  // eight fetches in flight are enough
    for (unsigned tile = block * warps + threadIdx.x / lanes; tile < tiles;
         tile += gridDim.x * warps) {
      unsigned const a = tile % across * lanes + lane;
      unsigned const b = tile / across % along * own;
      unsigned const z = tile / across / along;
      decltype(read(a, b, z)) seen[own];
#pragma unroll  // side by side
      for (unsigned k = 0; k < own; ++k)
        seen[k] = columns ? read(b + k, a, z) : read(a, b + k, z);
#pragma unroll
      for (unsigned k = 0; k < own; ++k) folded ^= bits(seen[k]);
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = folded;
}

// A kernel: how it reads at texel (x, y, z), `offset` of a texel behind its edge.
#define PTXLAB_WALK(name, ...)                                                                  \
  extern "C" __global__ void __launch_bounds__(1024)                                            \
      name(object t, const float* texels, unsigned* out, unsigned width, unsigned height,       \
           unsigned depth, unsigned columns, unsigned rounds, float offset) {                   \
    walk(out, width, height, depth, columns, rounds, [=](unsigned x, unsigned y, unsigned z) {  \
      (void)t, (void)texels, (void)z;                                                           \
      return __VA_ARGS__;                                                                       \
    });                                                                                         \
  }

static __device__ __forceinline__ float at(unsigned i, float offset) {
  return static_cast<float>(i) + offset;
}

// By hand: the four texels around, and two subtractions and three fma.
static __device__ __forceinline__ float blended(const float* texels, unsigned width, unsigned height,
                                                unsigned x, unsigned y, float weight) {
  unsigned const right = min(x + 1, width - 1), below = min(y + 1, height - 1);
  float const a = __ldg(texels + y * width + x), b = __ldg(texels + y * width + right);
  float const c = __ldg(texels + below * width + x), d = __ldg(texels + below * width + right);
  float const upper = __fmaf_rn(weight, b - a, a), lower = __fmaf_rn(weight, d - c, c);
  return __fmaf_rn(weight, lower - upper, upper);
}

PTXLAB_WALK(array_2d, tex2D<float>(t, at(x, offset), at(y, offset)))
PTXLAB_WALK(array_2d_x4, tex2D<float4>(t, at(x, offset), at(y, offset)))
PTXLAB_WALK(array_3d, tex3D<float>(t, at(x, offset), at(y, offset), at(z, offset)))
PTXLAB_WALK(linear, tex1Dfetch<float>(t, static_cast<int>(y * width + x)))
PTXLAB_WALK(load, __ldg(texels + (z * height + y) * width + x))
PTXLAB_WALK(load_x4, __ldg(reinterpret_cast<const float4*>(texels) + y * width + x))
PTXLAB_WALK(load_filtered, blended(texels, width, height, x, y, offset - 0.5F))
PTXLAB_WALK(pitch_2d, tex2D<float>(t, at(x, offset), at(y, offset)))
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;
using ptxlab::kernels::swept;
using ptxlab::kernels::texture;

#define PTXLAB_WHOLE {u64, pointer, pointer, u32, u32, u32, u32, u32, f32}

// In the L2, and far beyond it. Kernels with four channels need more registers: one block on an SM.
static const std::vector<unsigned> planes = {2048, 8192}, volumes = {160, 416},
                                   wide_planes = {1024, 4096};
static const swept both_ways = {.axis = "columns", .values = {0, 1}};

PTXLAB_KERNEL({
    .question = "How fast does the whole device read through each kind of texture?",
    .variants =
        {
            {.symbol = "array_2d",
             .says = "tex2D of an array",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(TEX*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.filtered = {false, true}, .extent = planes}}},
            {.symbol = "array_2d_x4",
             .says = "tex2D of an array, four channels",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(TEX*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {1},
                         .swept = both_ways,
                         .texture = {.channels = 4,
                                     .filtered = {false, true},
                                     .extent = wide_planes}}},
            {.symbol = "array_3d",
             .says = "tex3D of an array",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(TEX*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.dimensions = 3,
                                     .filtered = {false, true},
                                     .extent = volumes}}},
            {.symbol = "linear",
             .says = "tex1Dfetch of linear memory",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(TLD*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.from = texture::source::linear,
                                     .dimensions = 1,
                                     .extent = planes}}},
            {.symbol = "load",
             .says = "a plain load, read-only",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(LDG*) == 16", "opcode(T*) == 0", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.from = texture::source::pitch, .extent = planes}}},
            {.symbol = "load_filtered",
             .says = "plain loads of the texels around, blended by hand",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(T*) == 0", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.from = texture::source::pitch,
                                     .filtered = {true},
                                     .extent = planes}}},
            {.symbol = "load_x4",
             .says = "a plain load of 16 bytes",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(LDG*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {1},
                         .swept = both_ways,
                         .texture = {.from = texture::source::pitch,
                                     .channels = 4,
                                     .extent = wide_planes}}},
            {.symbol = "pitch_2d",
             .says = "tex2D of rows that are a pitch apart",
             .params = PTXLAB_WHOLE,
             .must = {"opcode(TEX*) == 16", "spill_store_bytes == 0"},
             .measure = {.how = texels,
                         .threads = {1024},
                         .blocks_per_sm = {2},
                         .swept = both_ways,
                         .texture = {.from = texture::source::pitch,
                                     .filtered = {false, true},
                                     .extent = planes}}},
        },
});
#endif
