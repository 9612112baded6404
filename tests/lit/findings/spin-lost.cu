// SPDX-License-Identifier: Apache-2.0
// spin-lost: waits on plain words; not a volatile wait, a search through a list, or a counted loop.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel bounded_by_memory{{$}}
// CHECK: loop line {{.*}} load-hoisted
// CHECK-NOT: finding spin-
extern "C" __global__ void bounded_by_memory(int* out, const int* n) {
  int sum = 0;
#pragma unroll 1  // so that the loop is left
  for (int i = 0; i < *n; ++i) sum ^= sum * 5 + i;
  out[0] = sum;
}

struct item {
  item* next;
  int key;
};

// The result is not used, so nvcc may delete it; but a search is no wait.
// CHECK-LABEL: kernel list_search{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding spin-
extern "C" __global__ void list_search(const item* p, int key) {
  while (p != nullptr && p->key != key) p = p->next;
}

// CHECK-LABEL: kernel plain_wait{{$}}
// CHECK: finding spin-lost error ptx line [[#@LINE+2]]: nvcc
extern "C" __global__ void plain_wait(int* flag, int* data) {
  while (*flag == 0) {
  }
  data[0] = 1;
}

// CHECK-LABEL: kernel ptx_wait{{$}}
// CHECK: finding spin-lost error sass {{.*}}: ptxas
extern "C" __global__ void ptx_wait(int* flag, int* data) {
  int seen;
  do {
    // volatile and "memory" speak to nvcc only; ptxas deletes the loop
    asm volatile("ld.global.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  } while (seen == 0);
  data[0] = 1;
}

// CHECK-LABEL: kernel volatile_wait{{$}}
// CHECK: loop line {{.*}} kept
// CHECK-NOT: finding
extern "C" __global__ void volatile_wait(volatile int* flag, int* data) {
  while (*flag == 0) {  // volatile: another thread sets the flag
  }
  data[0] = 1;
}
