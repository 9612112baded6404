// SPDX-License-Identifier: Apache-2.0
// Question: how wide are the loads when a thread sums several neighbouring values?
//
// Method: each thread sums 16 bytes, by 16 byte loads or one uint4; or 4 floats, by scalar loads or
// one float4; or one float3.
//
// Expectation: nvcc does not join neighbouring loads: it may not assume the alignment. The vector
// types are one LDG.E.128; a float3 is three loads, for its alignment is 4.
//
// Threats: the number of loads is not the number of transactions: the byte loads of one warp fall
// into the same sectors, again and again.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel bytes_scalar{{$}}
// CHECK-DAG: ptx opcode ld.global.u8 16{{$}}
// CHECK-DAG: sass opcode LDG.E.U8 16{{$}}
// CHECK: finding narrow-access
extern "C" __global__ void bytes_scalar(unsigned* out, const unsigned char* a) {
  unsigned sum = 0;
#pragma unroll  // the loads side by side, so that they could be joined
  for (int k = 0; k < 16; ++k) sum += a[16 * threadIdx.x + k];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel bytes_vector{{$}}
// CHECK-DAG: ptx opcode ld.global.v4.u32 1{{$}}
// CHECK-DAG: sass opcode LDG.E.128 1{{$}}
// CHECK-NOT: finding narrow-access
extern "C" __global__ void bytes_vector(unsigned* out, const uint4* a) {
  uint4 const v = a[threadIdx.x];
  unsigned const ones = 0x01010101;
  out[threadIdx.x] = __dp4a(v.x, ones, __dp4a(v.y, ones, __dp4a(v.z, ones, __dp4a(v.w, ones, 0u))));
}

// CHECK-LABEL: kernel floats_scalar{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E 4{{$}}
extern "C" __global__ void floats_scalar(float* out, const float* a) {
  const float* v = a + 4 * threadIdx.x;
  out[threadIdx.x] = v[0] + v[1] + v[2] + v[3];
}

// CHECK-LABEL: kernel floats_vector{{$}}
// CHECK-DAG: ptx opcode ld.global.v4.f32 1{{$}}
// CHECK-DAG: sass opcode LDG.E.128 1{{$}}
// CHECK-NOT: finding narrow-access
extern "C" __global__ void floats_vector(float* out, const float4* a) {
  float4 const v = a[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// CHECK-LABEL: kernel triple_scalar{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 3{{$}}
// CHECK-DAG: sass opcode LDG.E 3{{$}}
extern "C" __global__ void triple_scalar(float* out, const float3* a) {
  float3 const v = a[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "How wide are the loads when a thread sums several neighbouring values?",
    .variants =
        {
            {.symbol = "bytes_scalar",
             .says = "16 loads of one byte",
             .params = {pointer, pointer},
             .must = {"opcode(LDG.E.U8*) == 16", "finding narrow-access"}},
            {.symbol = "bytes_vector",
             .says = "one load of 16 bytes, summed by dp4a",
             .params = {pointer, pointer},
             .must = {"opcode(LDG.E.128*) == 1", "opcode(LDG*) == 1", "no finding narrow-access"}},
            {.symbol = "floats_scalar",
             .says = "4 loads of one float",
             .params = {pointer, pointer},
             .must = {"opcode(LDG*) == 4"}},
            {.symbol = "floats_vector",
             .says = "one load of a float4",
             .params = {pointer, pointer},
             .must = {"opcode(LDG.E.128*) == 1", "opcode(LDG*) == 1", "no finding narrow-access"}},
            {.symbol = "triple_scalar",
             .says = "one float3, whose alignment is 4",
             .params = {pointer, pointer},
             .must = {"opcode(LDG*) == 3"}},
        },
});
#endif
