// SPDX-License-Identifier: Apache-2.0
// Question: what does a texture object read, by every way to make one and every way to ask?
//
// Method: a thread for each of a list of places: it fetches there and stores the four registers. The
// object is a parameter; the host makes it of linear memory, of rows that are a pitch apart, or of an
// array, with every address mode, filter, kind of coordinate and format, and holds each fetch against
// a reference of its own (driver/bench/texel_reference.hpp).
//
// Expectation: nvcc writes one tex for each fetch, with four results whatever the type asks for; ptxas
// makes TLD of those by texel number and TEX of the others, without a loop over the lanes' objects,
// since a parameter is the same in all lanes. `chosen_2d_f32` is there to show the loop.
//
// Threats: registers have to be of the type that the texels have: any other is undefined. The places
// are the host's choice: edges, beyond them, ties between weights, infinities and NaN are among them.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

using object = cudaTextureObject_t;

// Of each place: bits of x, y and z, or a texel number in x; and the layer.
template <typename Fetch>
static __device__ __forceinline__ void fetch_all(const uint4* at, uint4* out, unsigned n,
                                                 const Fetch& fetch) {
  unsigned const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uint4 const p = at[i];
  out[i] = fetch(__uint_as_float(p.x), __uint_as_float(p.y), __uint_as_float(p.z), p);
}

static __device__ __forceinline__ uint4 bits(float4 v) {
  return make_uint4(__float_as_uint(v.x), __float_as_uint(v.y), __float_as_uint(v.z),
                    __float_as_uint(v.w));
}
static __device__ __forceinline__ uint4 bits(uint4 v) {
  return v;
}
static __device__ __forceinline__ uint4 bits(int4 v) {
  return make_uint4(static_cast<unsigned>(v.x), static_cast<unsigned>(v.y),
                    static_cast<unsigned>(v.z), static_cast<unsigned>(v.w));
}

// One kernel: how it fetches at (x, y, z), texel number p.x, layer p.w.
#define PTXLAB_FETCH(name, ...)                                                         \
  extern "C" __global__ void name(object t, const uint4* at, uint4* out, unsigned n) {  \
    fetch_all(at, out, n, [=](float x, float y, float z, uint4 p) {                     \
      (void)x, (void)y, (void)z, (void)p;                                               \
      return bits(__VA_ARGS__);                                                         \
    });                                                                                 \
  }

// An array of one dimension is read as one of two (nvdisasm: TEX.LL ..., 2D), with 0 beside x.
// CHECK-LABEL: kernel array_1d_f32{{$}}
// CHECK: ptx opcode tex.1d.v4.f32.f32 1{{$}}
// CHECK: sass opcode TEX.LL{{.*}} 1{{$}}
PTXLAB_FETCH(array_1d_f32, tex1D<float4>(t, x))
PTXLAB_FETCH(array_2d_f32, tex2D<float4>(t, x, y))
PTXLAB_FETCH(array_2d_s32, tex2D<int4>(t, x, y))
PTXLAB_FETCH(array_2d_u32, tex2D<uint4>(t, x, y))
// CHECK-LABEL: kernel array_3d_f32{{$}}
// CHECK: ptx opcode tex.3d.v4.f32.f32 1{{$}}
// CHECK: sass opcode TEX.LL{{.*}} 1{{$}}
PTXLAB_FETCH(array_3d_f32, tex3D<float4>(t, x, y, z))

// The object comes from memory, and may be another one in each lane: a loop goes through them.
// CHECK-LABEL: kernel chosen_2d_f32{{$}}
// CHECK: ptx opcode tex.2d.v4.f32.f32 1{{$}}
// CHECK: sass opcode TEX.LL 1{{$}}
// CHECK: sass loop {{.*}} depth 1
extern "C" __global__ void chosen_2d_f32(const object* objects, const uint4* at, uint4* out,
                                         unsigned n) {
  fetch_all(at, out, n, [=](float x, float y, float, uint4 p) {
    return bits(tex2D<float4>(objects[p.w], x, y));
  });
}

// CHECK-LABEL: kernel gather_2d_f32{{$}}
// CHECK: ptx opcode tld4.r.2d.v4.f32.f32 1{{$}}
// CHECK: sass opcode TLD4.R 1{{$}}
PTXLAB_FETCH(gather_2d_f32, tex2Dgather<float4>(t, x, y, 0))
PTXLAB_FETCH(layered_1d_f32, tex1DLayered<float4>(t, x, static_cast<int>(p.w)))
// CHECK-LABEL: kernel layered_2d_f32{{$}}
// CHECK: ptx opcode tex.a2d.v4.f32.f32 1{{$}}
// CHECK: sass opcode TEX.LL{{.*}} 1{{$}}
PTXLAB_FETCH(layered_2d_f32, tex2DLayered<float4>(t, x, y, static_cast<int>(p.w)))
// CHECK-LABEL: kernel linear_f32{{$}}
// CHECK: ptx opcode tex.1d.v4.f32.s32 1{{$}}
// CHECK: sass opcode STG.E.128 1{{$}}
// CHECK-NOT: sass opcode TEX
// CHECK: sass opcode TLD.LZ 1{{$}}
PTXLAB_FETCH(linear_f32, tex1Dfetch<float4>(t, static_cast<int>(p.x)))
PTXLAB_FETCH(linear_s32, tex1Dfetch<int4>(t, static_cast<int>(p.x)))
PTXLAB_FETCH(linear_u32, tex1Dfetch<uint4>(t, static_cast<int>(p.x)))
PTXLAB_FETCH(pitch_2d_f32, tex2D<float4>(t, x, y))
#else
#include "kernels/kernel.hpp"

using ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;
using ptxlab::kernels::texture;
using enum ptxlab::kernels::texture::format;
using enum ptxlab::kernels::texture::edge;

// A list of places at which to fetch.
#define PTXLAB_PLACES {param::u64, param::pointer, param::pointer, param::u32}
#define PTXLAB_EDGES {wrap, clamp, mirror, border}

PTXLAB_KERNEL({
    .question = "What does a texture object read, by every way to make one and to ask?",
    .variants =
        {
            {.symbol = "array_1d_f32",
             .says = "tex1D<float4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.dimensions = 1,
                                     .formats = {u8, f32},
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .as_float = true,
                                     .extent = {1, 13}}}},
            {.symbol = "array_2d_f32",
             .says = "tex2D<float4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.formats = {u8, s8, u16, s16, f16, f32},
                                     .channels = 2,
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .as_float = true,
                                     .extent = {13}}}},
            {.symbol = "array_2d_s32",
             .says = "tex2D<int4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.formats = {s8, s16, s32},
                                     .channels = 4,
                                     .edges = {clamp, border},
                                     .normalised = {false, true},
                                     .extent = {13}}}},
            {.symbol = "array_2d_u32",
             .says = "tex2D<uint4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.formats = {u8, u16, u32},
                                     .channels = 4,
                                     .edges = {clamp, border},
                                     .normalised = {false, true},
                                     .extent = {13}}}},
            {.symbol = "array_3d_f32",
             .says = "tex3D<float4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.dimensions = 3,
                                     .formats = {u8, f32},
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .as_float = true,
                                     .extent = {13}}}},
            {.symbol = "chosen_2d_f32",
             .says = "tex2D<float4> of an object that each lane reads from memory",
             .params = {param::pointer, param::pointer, param::pointer, param::u32},
             .must = {"opcode(TEX*) == 1", "loops == 1"}},
            {.symbol = "gather_2d_f32",
             .says = "tex2Dgather<float4>: one channel of the four texels that a filter would take",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TLD4*) == 1", "loops == 0"}},
            {.symbol = "layered_1d_f32",
             .says = "tex1DLayered<float4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.dimensions = 1,
                                     .layered = true,
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .extent = {13}}}},
            {.symbol = "layered_2d_f32",
             .says = "tex2DLayered<float4> of an array",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.layered = true,
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .extent = {13}}}},
            {.symbol = "linear_f32",
             .says = "tex1Dfetch<float4> of linear memory",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TLD*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.from = texture::source::linear,
                                     .dimensions = 1,
                                     .formats = {u8, s8, u16, s16, f16, f32},
                                     .channels = 2,
                                     .as_float = true,
                                     .extent = {1, 1000}}}},
            {.symbol = "linear_s32",
             .says = "tex1Dfetch<int4> of linear memory",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TLD*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.from = texture::source::linear,
                                     .dimensions = 1,
                                     .formats = {s8, s16, s32},
                                     .channels = 4,
                                     .extent = {1000}}}},
            {.symbol = "linear_u32",
             .says = "tex1Dfetch<uint4> of linear memory",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TLD*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.from = texture::source::linear,
                                     .dimensions = 1,
                                     .formats = {u8, u16, u32},
                                     .channels = 4,
                                     .extent = {1000}}}},
            {.symbol = "pitch_2d_f32",
             .says = "tex2D<float4> of rows that are a pitch apart",
             .params = PTXLAB_PLACES,
             .must = {"opcode(TEX*) == 1", "loops == 0"},
             .measure = {.how = texels,
                         .texture = {.from = texture::source::pitch,
                                     .formats = {u8, f16, f32},
                                     .edges = PTXLAB_EDGES,
                                     .filtered = {false, true},
                                     .normalised = {false, true},
                                     .as_float = true,
                                     .extent = {13}}}},
        },
});
#endif
