// SPDX-License-Identifier: Apache-2.0
// timed-region-empty: unused arithmetic between clock reads; not used one, and not a delay.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel delay{{$}}
// CHECK: sass loop
// CHECK-NOT: finding
extern "C" __global__ void delay(long long* out, long long cycles) {
  long long const start = clock64();
  while (clock64() - start < cycles) {
  }
  out[0] = 1;
}

// CHECK-LABEL: kernel stored{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding timed-region-empty
extern "C" __global__ void stored(long long* out, float* values, float x) {
  long long const begin = clock64();
  float y = x;
#pragma unroll  // no loop in the timed region
  for (int i = 0; i < 16; ++i) y = y * y + 1.0f;
  long long const end = clock64();
  out[0] = end - begin;
  values[0] = y;
}

// CHECK-LABEL: kernel two_regions{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding timed-region-empty
extern "C" __global__ void two_regions(long long* out, float* values, float x) {
  long long const begin = clock64();
  __syncthreads();
  long long const end = clock64();
  long long const again = clock64();
  __syncthreads();
  long long const last = clock64();
  out[0] = end - begin;
  out[1] = last - again;
}

// CHECK-LABEL: kernel unused{{$}}
// CHECK: finding timed-region-empty warning sass line [[#@LINE+2]]: nothing stands between
extern "C" __global__ void unused(long long* out, float x) {
  long long const begin = clock64();
  float y = x;
#pragma unroll  // no loop in the timed region
  for (int i = 0; i < 16; ++i) y = y * y + 1.0f;
  long long const end = clock64();
  out[0] = end - begin;
}
