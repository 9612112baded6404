// SPDX-License-Identifier: Apache-2.0
// Question: when does a variable of a thread live in memory, and which number tells it?
//
// Method: an array with constant and with run-time indices, read or written; a kernel with more
// live values than its launch bounds leave registers; a recursive function that spills and one that
// does not call itself.
//
// Expectation: constant indices leave no array. An array that is only read by a run-time index is
// local in PTX, and ptxas turns it into selects: no frame. One that is written so has a frame and
// no spill. The spill of a callee is not in the numbers of the entry.
//
// Threats: a frame of so many bytes may be an array or a spill; only the log of ptxas tells them
// apart. Bytes are static: how often they are moved is not in them.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
// Needs at least 48 registers at once: every value is read again by others before it is stored.
static __device__ __forceinline__ void mix(float* out, const float* a) {
  float values[48];
#pragma unroll  // constant indices, so that the array lives in registers
  for (int i = 0; i < 48; ++i) values[i] = a[i * 1024 + threadIdx.x];
#pragma unroll  // as above
  for (int k = 0; k < 3; ++k) {
#pragma unroll  // as above
    for (int i = 0; i < 48; ++i) {
      values[i] = fmaf(values[i], values[(i + k + 1) % 48], values[(i * 7 + k) % 48]);
    }
  }
#pragma unroll  // as above
  for (int i = 0; i < 48; ++i) out[i * 1024 + threadIdx.x] = values[i];
}

// Holds 24 values across its own call. The two functions have C names, so that their names in the
// facts do not depend on where the file lies.
extern "C" __device__ __noinline__ float descend(const float* a, int n) {
  float values[24];
#pragma unroll  // constant indices, so that the array lives in registers
  for (int i = 0; i < 24; ++i) values[i] = a[i * n];
  float sum = n > 0 ? descend(a + 1, n - 1) : 1.0f;
#pragma unroll  // as above
  for (int i = 0; i < 24; ++i) sum = fmaf(sum, values[i], values[(i * 5 + 3) % 24]);
  return sum;
}

extern "C" __device__ __noinline__ float add_up(const float* a, int n) {
  float sum = 0;
#pragma unroll  // as above
  for (int i = 0; i < 24; ++i) sum += a[i * n];
  return sum;
}

// CHECK-LABEL: kernel array_constant_index{{$}}
// CHECK-DAG: resource stack_bytes 0
// CHECK-NOT: ptx opcode ld.local
// CHECK-NOT: sass opcode LDL
// CHECK-NOT: finding local-array
extern "C" __global__ void array_constant_index(int* out, const int* a) {
  int values[32];
#pragma unroll  // constant indices
  for (int i = 0; i < 32; ++i) values[i] = a[i * 32 + threadIdx.x];
  int sum = 0;
#pragma unroll  // constant indices
  for (int i = 0; i < 32; ++i) sum += values[i] * values[31 - i];
  out[threadIdx.x] = sum;
}

// Local in the PTX, and not in the cubin: ptxas selects among 32 registers.
// CHECK-LABEL: kernel array_indexed_read{{$}}
// CHECK-DAG: resource stack_bytes 0
// CHECK-DAG: ptx opcode ld.local.u32 1{{$}}
// CHECK-NOT: sass opcode LDL
extern "C" __global__ void array_indexed_read(int* out, const int* a, int n) {
  int values[32];
#pragma unroll  // constant indices while it is filled
  for (int i = 0; i < 32; ++i) values[i] = a[i * 32 + threadIdx.x];
  out[threadIdx.x] = values[n & 31];
}

// CHECK-LABEL: kernel array_indexed_write{{$}}
// CHECK-DAG: resource spill_load_bytes 0
// CHECK-DAG: resource spill_store_bytes 0
// CHECK-DAG: resource stack_bytes 128{{$}}
// CHECK-DAG: sass opcode LDL
// CHECK-DAG: sass opcode STL
// CHECK: finding local-array
extern "C" __global__ void array_indexed_write(int* out, const int* a) {
  int values[32];
#pragma unroll  // constant indices while it is cleared
  for (int i = 0; i < 32; ++i) values[i] = 0;
#pragma unroll 1  // one indexed access in the text
  for (int i = 0; i < 64; ++i) values[a[i] & 31] += i;
  int sum = 0;
#pragma unroll  // constant indices while it is read
  for (int i = 0; i < 32; ++i) sum += values[i] * i;
  out[threadIdx.x] = sum;
}

// Only where a multiprocessor holds 2048 threads; elsewhere the second bound cannot be met and is
// dropped.
// EXPECT[sm_90](bounds_too_tight): registers <= 32; stack_bytes > 0
// EXPECT[sm_90](bounds_too_tight): spill_store_bytes > 0; spill_load_bytes > 0
// EXPECT[sm_90](bounds_too_tight): finding spill
// CHECK-LABEL: kernel bounds_too_tight{{$}}
// CHECK-DAG: resource registers 32{{$}}
// CHECK-NOT: resource spill_store_bytes 0{{$}}
// CHECK-DAG: sass opcode STL
// CHECK: finding spill
extern "C" __global__ void __launch_bounds__(1024, 2) bounds_too_tight(float* out, const float* a) {
  mix(out, a);
}

// CHECK-LABEL: kernel bounds_with_room{{$}}
// CHECK-DAG: resource spill_load_bytes 0
// CHECK-DAG: resource spill_store_bytes 0
// CHECK-NOT: sass opcode {{LDL|STL}}
// CHECK-NOT: finding spill
extern "C" __global__ void __launch_bounds__(1024) bounds_with_room(float* out, const float* a) {
  mix(out, a);
}

// CHECK-LABEL: kernel calls_plain{{$}}
// CHECK-DAG: resource spill_load_bytes 0
// CHECK-DAG: resource spill_store_bytes 0
// CHECK-DAG: ptx opcode call.uni 1{{$}}
// CHECK-NOT: finding spill
extern "C" __global__ void calls_plain(float* out, const float* a, int n) {
  out[threadIdx.x] = add_up(a + threadIdx.x, n);
}

// The log says 0 bytes for the entry; the 24 values are spilled in the block of the callee.
// CHECK-LABEL: kernel calls_recursive{{$}}
// CHECK-NOT: resource spill_store_bytes 0{{$}}
// CHECK-DAG: ptx opcode call.uni 2{{$}}
// CHECK: finding spill
extern "C" __global__ void calls_recursive(float* out, const float* a, int n) {
  out[threadIdx.x] = descend(a + threadIdx.x, n);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "When does a variable of a thread live in memory, and which number tells it?",
    .variants =
        {
            {.symbol = "array_constant_index",
             .says = "array of 32 with constant indices",
             .params = {pointer, pointer},
             .must = {"stack_bytes == 0", "opcode(*.local*) == 0; ptx", "opcode(LDL*) == 0",
                      "no finding local-array"}},
            {.symbol = "array_indexed_read",
             .says = "array of 32 read by a run-time index",
             .params = {pointer, pointer, u32},
             .must = {"stack_bytes == 0", "opcode(ld.local*) == 1; ptx", "opcode(LDL*) == 0",
                      "opcode(ISETP*) >= 31"}},
            {.symbol = "array_indexed_write",
             .says = "array of 32 written by a run-time index",
             .params = {pointer, pointer},
             .must = {"stack_bytes == 128", "spill_store_bytes == 0", "spill_load_bytes == 0",
                      "opcode(STL*) >= 1", "finding local-array", "no finding spill"}},
            {.symbol = "bounds_too_tight",
             .says = "48 live values, launch bounds that leave 32 registers",
             .params = {pointer, pointer},
             .must = {}},
            {.symbol = "bounds_with_room",
             .says = "48 live values, launch bounds that leave 64 registers",
             .params = {pointer, pointer},
             .must = {"registers <= 64", "spill_store_bytes == 0", "stack_bytes == 0",
                      "no finding spill"}},
            {.symbol = "calls_plain",
             .says = "calls a function that does not spill",
             .params = {pointer, pointer, u32},
             .must = {"spill_store_bytes == 0", "opcode(call*) == 1; ptx", "no finding spill"}},
            {.symbol = "calls_recursive",
             .says = "calls a function that calls itself and spills",
             .params = {pointer, pointer, u32},
             .must = {"spill_store_bytes > 0", "opcode(call*) == 2; ptx", "finding spill"}},
        },
});
#endif
