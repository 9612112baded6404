// SPDX-License-Identifier: Apache-2.0
// asm-dropped: an unused asm; not a used one, and not one that only a comment or a string holds.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel unused{{$}}
// CHECK: finding asm-dropped warning ptx line [[#@LINE+3]]: nvcc left out this asm (brev.b32 ...)
extern "C" __global__ void unused(int* out, int x) {
  [[maybe_unused]] int y;
  asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x));
  *out = x;
}

// CHECK-LABEL: kernel used{{$}}
// CHECK: ptx opcode brev.b32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void used(int* out, int x) {
  // asm("brev.b32 %0, %1;" in a comment
  int y;
  asm("brev.b32 %0, %1;" : "=r"(y) : "r"(x));
  *out = y;
}

// CHECK-LABEL: kernel volatile_unused{{$}}
// CHECK: ptx opcode brev.b32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void volatile_unused(int* out, int x) {
  [[maybe_unused]] int y;
  asm volatile("brev.b32 %0, %1;" : "=r"(y) : "r"(x));  // volatile: the form under test
  *out = x;
}
