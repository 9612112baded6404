// SPDX-License-Identifier: Apache-2.0
// local-array: an array indexed at run time; not one with constant indices, and not a spill.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel constant_index{{$}}
// CHECK: resource stack_bytes 0
// CHECK-NOT: finding
extern "C" __global__ void constant_index(int* out, const int* a) {
  int values[8];
#pragma unroll  // constant indices
  for (int i = 0; i < 8; ++i) values[i] = a[i];
  out[0] = values[1] + values[6];
}

// CHECK-LABEL: kernel run_time_index{{$}}
// CHECK: finding local-array warning sass line {{[0-9]+}}: an array of the thread lives in local memory
extern "C" __global__ void run_time_index(int* out, const int* a, int n) {
  int values[64] = {};
#pragma unroll 1  // one indexed access in the text
  for (int i = 0; i < n; ++i) values[a[i] & 63] += i;
  out[0] = values[n & 63];
}

// CHECK-LABEL: kernel spills{{$}}
// CHECK-NOT: finding local-array
// CHECK: finding spill
extern "C" __global__ void __launch_bounds__(1024, 2) spills(float* out, const float* a) {
  float values[48];
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) values[i] = a[i * 1024 + threadIdx.x];
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) values[i] = fmaf(values[i], values[(i + 7) % 48], values[(i * 5) % 48]);
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) out[i * 1024 + threadIdx.x] = values[i];
}
