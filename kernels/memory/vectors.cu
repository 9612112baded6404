// SPDX-License-Identifier: Apache-2.0
// Question: what do the width and the layout of elements cost a kernel that reads memory: float3 against
// float4, aligned structures, arrays of structures against structures of arrays?
//
// Method: all SMs read a buffer of many times the L2, four elements in flight in each thread, and sum what
// they need of them. Two events around the launch. Counted are all bytes of the buffer.
//
// Expectation: an aligned structure of four floats is one LDG.E.128, a float3 and a structure that is
// not aligned are a load for each member. The L1 gives the later loads what the first one fetched, so
// that DRAM sees each byte once. Where one member of a structure is wanted, all of it is moved.
//
// Threats: how many bytes are in flight changes with the size of an element. Who passes the L1 by
// (ld.global.cg) reads from the L2 as often as there are loads.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static constexpr unsigned in_flight = 4;

struct loose {
  float x, y, z, w;
};
struct __align__(16) aligned {
  float x, y, z, w;
};

// Sums `get(elements, i)` over all elements of type T that the buffer has room for, in every round.
template <typename T, typename Get>
static __device__ __forceinline__ void sum_elements(sample* out, const word* in, const Get& get) {
  const T* const elements = reinterpret_cast<const T*>(operand<word>(in, 0));
  word const count = operand<word>(in, 1) / sizeof(T);
  unsigned const rounds = operand<unsigned>(in, rounds_operand);
  word const step = word{gridDim.x} * blockDim.x;
  word const first = word{blockIdx.x} * blockDim.x + threadIdx.x;
  float sum = 0;
#pragma unroll 1
  for (unsigned r = 0; r < rounds; ++r)
#pragma unroll 1
    for (word i = first; i < count; i += in_flight * step) {
      float held[in_flight];
#pragma unroll  // the loads side by side
      for (unsigned k = 0; k < in_flight; ++k) {
        held[k] = 0;
        if (i + k * step < count) held[k] = get(elements, i + k * step, count);
      }
#pragma unroll  // as above
      for (unsigned k = 0; k < in_flight; ++k) sum += held[k];
    }
  if (sum == 0.125F) out->region = 1;  // never; but the loads must be kept
}

// Beside the loads that are asked for, the operands are read by one of 4 bytes and two of 8.

template <typename T>
static __device__ __forceinline__ float all_four(const T* v, word i) {
  T const e = v[i];
  return e.x + e.y + e.z + e.w;
}

// CHECK-LABEL: kernel aligned_four{{$}}
// CHECK-DAG: ptx opcode ld.global.v4.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E.128 4{{$}}
extern "C" __global__ void __launch_bounds__(1024) aligned_four(sample* out, const word* in) {
  sum_elements<aligned>(out, in, [](const aligned* v, word i, word) { return all_four(v, i); });
}
// CHECK-LABEL: kernel aligned_one{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E 5{{$}}
extern "C" __global__ void __launch_bounds__(1024) aligned_one(sample* out, const word* in) {
  sum_elements<aligned>(out, in, [](const aligned* v, word i, word) { return v[i].x; });
}
// CHECK-LABEL: kernel arrays_four{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 16{{$}}
// CHECK-DAG: sass opcode LDG.E 17{{$}}
extern "C" __global__ void __launch_bounds__(1024) arrays_four(sample* out, const word* in) {
  sum_elements<aligned>(out, in, [](const aligned* v, word i, word n) {
    const float* const x = &v->x;
    return x[i] + x[n + i] + x[2 * n + i] + x[3 * n + i];
  });
}
// CHECK-LABEL: kernel arrays_one{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E 5{{$}}
extern "C" __global__ void __launch_bounds__(1024) arrays_one(sample* out, const word* in) {
  sum_elements<float>(out, in, [](const float* v, word i, word) { return v[i]; });
}
// CHECK-LABEL: kernel float2_all{{$}}
// CHECK-DAG: ptx opcode ld.global.v2.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E.64 6{{$}}
extern "C" __global__ void __launch_bounds__(1024) float2_all(sample* out, const word* in) {
  sum_elements<float2>(out, in, [](const float2* v, word i, word) {
    float2 const e = v[i];
    return e.x + e.y;
  });
}
// CHECK-LABEL: kernel float3_all{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 12{{$}}
// CHECK-DAG: sass opcode LDG.E 13{{$}}
extern "C" __global__ void __launch_bounds__(1024) float3_all(sample* out, const word* in) {
  sum_elements<float3>(out, in, [](const float3* v, word i, word) {
    float3 const e = v[i];
    return e.x + e.y + e.z;
  });
}
// CHECK-LABEL: kernel float3_past_l1{{$}}
// CHECK-DAG: ptx opcode ld.global.cg.f32 12{{$}}
// CHECK-DAG: sass opcode LDG.E.STRONG.GPU 12{{$}}
extern "C" __global__ void __launch_bounds__(1024) float3_past_l1(sample* out, const word* in) {
  sum_elements<float3>(out, in, [](const float3* v, word i, word) {
    const float3* const e = v + i;
    return __ldcg(&e->x) + __ldcg(&e->y) + __ldcg(&e->z);
  });
}
// CHECK-LABEL: kernel float4_three{{$}}
// CHECK-DAG: ptx opcode ld.global.v4.f32 4{{$}}
// CHECK-DAG: sass opcode LDG.E.128 4{{$}}
extern "C" __global__ void __launch_bounds__(1024) float4_three(sample* out, const word* in) {
  sum_elements<float4>(out, in, [](const float4* v, word i, word) {
    float4 const e = v[i];
    return e.x + e.y + e.z;
  });
}
// CHECK-LABEL: kernel loose_four{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 16{{$}}
// CHECK-DAG: sass opcode LDG.E 17{{$}}
extern "C" __global__ void __launch_bounds__(1024) loose_four(sample* out, const word* in) {
  sum_elements<loose>(out, in, [](const loose* v, word i, word) { return all_four(v, i); });
}
#else
#include "kernels/kernel.hpp"

namespace {

using namespace ptxlab::kernels;

// Beside the loads that are the question stand two of 8 bytes and one of 4 for the operands.
variant reading(std::string_view symbol, std::string_view says, std::vector<std::string_view> must) {
  return {.symbol = symbol, .says = says, .must = std::move(must),
          .measure = {.how = protocol::bandwidth, .bytes_l2 = {16}}};
}

}  // namespace

PTXLAB_KERNEL({
    .question = "What do the width and the layout of elements cost a kernel that reads memory?",
    .variants =
        {
            reading("aligned_four", "all of an aligned structure of four floats", {"opcode(LDG.E.128) == 4", "opcode(LDG.E) == 1"}),
            reading("aligned_one", "one member of an aligned structure of four floats", {"opcode(LDG.E.128) == 0", "opcode(LDG.E) == 5"}),
            reading("arrays_four", "an element of each of four arrays of floats", {"opcode(LDG.E.128) == 0", "opcode(LDG.E) == 17"}),
            reading("arrays_one", "an element of one array of floats", {"opcode(LDG.E) == 5"}),
            reading("float2_all", "a float2", {"opcode(LDG.E.64) == 6", "opcode(LDG.E) == 1"}),
            reading("float3_all", "a float3", {"opcode(LDG.E) == 13", "opcode(LDG.E.128) == 0"}),
            reading("float3_past_l1", "a float3, each member by ld.global.cg", {"opcode(LDG.E.STRONG.GPU) == 12"}),
            reading("float4_three", "three members of a float4", {"opcode(LDG.E.128) == 4", "opcode(LDG.E) == 1"}),
            reading("loose_four", "all of a structure of four floats that is not aligned", {"opcode(LDG.E) == 17", "opcode(LDG.E.128) == 0"}),
        },
});
#endif
