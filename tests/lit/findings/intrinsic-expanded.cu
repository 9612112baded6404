// SPDX-License-Identifier: Apache-2.0
// intrinsic-expanded: __mul24, mul24 and a division; not the operator, and not a division by a constant.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel by_constant{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding
extern "C" __global__ void by_constant(unsigned* out, unsigned a) { *out = a / 10; }

// CHECK-LABEL: kernel by_variable{{$}}
// CHECK: finding intrinsic-expanded note sass line [[#@LINE+1]]: div.u32 is {{[0-9]+}} SASS instructions
extern "C" __global__ void by_variable(unsigned* out, unsigned a, unsigned b) { *out = a / b; }

// CHECK-LABEL: kernel instruction{{$}}
// CHECK: finding intrinsic-expanded note sass line [[#@LINE+2]]: mul24.lo.s32 is {{[34]}} SASS instructions
extern "C" __global__ void instruction(int* out, int a, int b) {
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(*out) : "r"(a), "r"(b));
}

// CHECK-LABEL: kernel intrinsic{{$}}
// CHECK: finding intrinsic-expanded note ptx line [[#@LINE+1]]: __mul24 is no mul24
extern "C" __global__ void intrinsic(int* out, int a, int b) { *out = __mul24(a, b); }

// CHECK-LABEL: kernel plain_operator{{$}}
// CHECK: ptx opcode mul.lo.s32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void plain_operator(int* out, int a, int b) { *out = a * b; }
