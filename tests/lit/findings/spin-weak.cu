// SPDX-License-Identifier: Apache-2.0
// spin-weak: waits kept with a weak load; not searches, and not a loop that changes the word itself.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel drains_itself{{$}}
// CHECK: sass loop
// CHECK-NOT: finding
extern "C" __global__ void drains_itself(int* count, int* out) {
  while (*count > 0) {
    __threadfence();  // so that the load stays in the loop
    *count -= 1;
  }
  out[0] = 1;
}

struct item {
  item* next;
  int key;
};

// CHECK-LABEL: kernel list_search{{$}}
// CHECK: sass loop {{.*}} exit load
// CHECK-NOT: finding
extern "C" __global__ void list_search(const item** out, const item* p, int key) {
  while (p->key != key) p = p->next;
  *out = p;
}

// CHECK-LABEL: kernel shared_wait{{$}}
// CHECK: finding spin-weak warning ptx line [[#@LINE+6]]: the wait polls shared memory
extern "C" __global__ void shared_wait(int* out) {
  __shared__ int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) flag = 1;
  while (flag == 0) __nanosleep(20);
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel sleeping_wait{{$}}
// CHECK: finding spin-weak warning sass line [[#@LINE+2]]: the wait polls global memory with LDG.E:
extern "C" __global__ void sleeping_wait(int* flag, int* data) {
  while (*flag == 0) __nanosleep(20);
  data[0] = 1;
}

// CHECK-LABEL: kernel string_scan{{$}}
// CHECK: sass loop
// CHECK-NOT: finding spin-
extern "C" __global__ void string_scan(int* length, const char* text) {
  int n = 0;
  while (text[n] != 0) ++n;
  *length = n;
}

// CHECK-LABEL: kernel volatile_wait{{$}}
// CHECK: sass loop
// CHECK-NOT: finding
extern "C" __global__ void volatile_wait(volatile int* flag, int* data) {
  while (*flag == 0) __nanosleep(20);  // volatile: another thread sets the flag
  data[0] = 1;
}
