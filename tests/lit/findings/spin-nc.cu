// SPDX-License-Identifier: Apache-2.0
// spin-nc: a wait through the read-only path; not a search through it.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel read_only_search{{$}}
// CHECK: sass loop
// CHECK-NOT: finding spin-
extern "C" __global__ void read_only_search(int* out, const int* __restrict__ next) {
  int at = 0;
  while (__ldg(next + at) != 0) at = __ldg(next + at);
  *out = at;
}

// CHECK-LABEL: kernel read_only_wait{{$}}
// CHECK: finding spin-nc warning sass
extern "C" __global__ void read_only_wait(const int* flag, int* data) {
  while (__ldg(flag) == 0) __threadfence();  // keeps the loop
  data[0] = 1;
}
