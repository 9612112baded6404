// SPDX-License-Identifier: Apache-2.0
// limit-without-effect: launch bounds win over -maxrregcount; a kernel without bounds obeys.
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

// CHECK-LABEL: kernel obeys{{$}}
// CHECK: resource registers 32{{$}}
// CHECK-NOT: finding limit-without-effect
extern "C" __global__ void obeys(float* out, const float* a) { mix(out, a); }

// CHECK-LABEL: kernel overrules{{$}}
// CHECK: finding limit-without-effect note log line ?: -maxrregcount=32 asks for at most 32 registers
extern "C" __global__ void __launch_bounds__(1024) overrules(float* out, const float* a) {
  mix(out, a);
}
