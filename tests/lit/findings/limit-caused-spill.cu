// SPDX-License-Identifier: Apache-2.0
// limit-caused-spill: the kernel without bounds spills; one with bounds has room, one needs little.
//
// RUN: %ptxlab inspect %s --arch sm_90 --nvcc-flags="-maxrregcount=32" --format facts > %t
// RUN: %FileCheck %s --input-file %t

static __device__ __forceinline__ void mix(float* out, const float* a) {
  float values[48];
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) values[i] = a[i * 1024 + threadIdx.x];
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) values[i] = fmaf(values[i], values[(i + 7) % 48], values[(i * 5) % 48]);
#pragma unroll  // constant indices
  for (int i = 0; i < 48; ++i) out[i * 1024 + threadIdx.x] = values[i];
}

// CHECK-LABEL: kernel has_room{{$}}
// CHECK: resource spill_store_bytes 0{{$}}
// CHECK-NOT: finding limit-caused-spill
extern "C" __global__ void __launch_bounds__(1024) has_room(float* out, const float* a) {
  mix(out, a);
}

// CHECK-LABEL: kernel needs_little{{$}}
// CHECK: resource spill_store_bytes 0{{$}}
// CHECK-NOT: finding
extern "C" __global__ void needs_little(float* out, const float* a) { out[0] = a[0] + a[1]; }

// CHECK-LABEL: kernel squeezed{{$}}
// CHECK: finding limit-caused-spill warning log line ?: -maxrregcount=32 leaves 32 registers
extern "C" __global__ void squeezed(float* out, const float* a) { mix(out, a); }
