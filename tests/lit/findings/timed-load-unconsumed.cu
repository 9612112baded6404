// SPDX-License-Identifier: Apache-2.0
// timed-load-unconsumed: a load used too late; not one that is tested within the region.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel tested{{$}}
// CHECK: sass opcode CS2R 2{{$}}
// CHECK-NOT: finding {{.*}} warning
extern "C" __global__ void tested(long long* out, const volatile int* a) {
  if (a[0] == 7) __trap();  // volatile: the address is ready before the clock is read
  long long const begin = clock64();
  int const x = a[32];
  if (x == 7) __trap();
  long long const end = clock64();
  out[0] = end - begin;
}

// CHECK-LABEL: kernel too_late{{$}}
// CHECK: finding timed-load-unconsumed warning sass line [[#@LINE+3]]: 1 of 1
extern "C" __global__ void too_late(long long* out, int* values, const volatile int* a) {
  if (a[0] == 7) __trap();  // volatile: as above, and so that the load stays in its place
  long long const begin = clock64();
  int const x = a[32];
  long long const end = clock64();
  out[0] = end - begin;
  values[0] = x;  // no conversion: that would be a use, and might stand in the region
}
