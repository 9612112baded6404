// SPDX-License-Identifier: Apache-2.0
// spill: 48 live values in 32 registers; not in 64.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
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

// CHECK-LABEL: kernel room{{$}}
// CHECK: resource spill_store_bytes 0{{$}}
// CHECK-NOT: finding
extern "C" __global__ void __launch_bounds__(1024) room(float* out, const float* a) { mix(out, a); }

// CHECK-LABEL: kernel tight{{$}}
// CHECK: finding spill warning log line ?: spills {{[1-9][0-9]*}} bytes by stores
extern "C" __global__ void __launch_bounds__(1024, 2) tight(float* out, const float* a) {
  mix(out, a);
}
