// SPDX-License-Identifier: Apache-2.0
// Question: which division does each spelling get, and at what price in instructions?
//
// Method: one quotient per thread: the operator, __fdividef, the two approximate PTX forms, and the
// operator with a constant divisor.
//
// Expectation: the operator is div.rn, a slow path in a callee included; __fdividef is div.approx,
// a reciprocal and a few multiplications; div.full scales both operands first. A constant divisor
// is not turned into a multiplication unless it is a power of two.
//
// Threats: the approximate forms are wrong for a very large divisor (div.approx gives 0 above
// 2^126), which no count shows. -use_fast_math changes the operator.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel by_constant{{$}}
// CHECK-DAG: ptx opcode div.rn.f32 1{{$}}
// CHECK-DAG: sass opcode FCHK 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
extern "C" __global__ void by_constant(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] / 3.0f;
}

// CHECK-LABEL: kernel by_power_of_two{{$}}
// CHECK-DAG: ptx opcode mul.f32 1{{$}}
// CHECK-DAG: sass opcode FMUL 1{{$}}
// CHECK-NOT: sass opcode MUFU
extern "C" __global__ void by_power_of_two(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] / 8.0f;
}

// CHECK-LABEL: kernel intrinsic_fdividef{{$}}
// CHECK-DAG: ptx opcode div.approx.f32 1{{$}}
// CHECK-NOT: sass opcode CALL
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
extern "C" __global__ void intrinsic_fdividef(float* out, const float* a, const float* b) {
  out[threadIdx.x] = __fdividef(a[threadIdx.x], b[threadIdx.x]);
}

// CHECK-LABEL: kernel operator_by_variable{{$}}
// CHECK-DAG: ptx opcode div.rn.f32 1{{$}}
// CHECK-DAG: sass opcode FCHK 1{{$}}
// CHECK-DAG: sass opcode CALL
extern "C" __global__ void operator_by_variable(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}

// CHECK-LABEL: kernel ptx_div_approx{{$}}
// CHECK-DAG: ptx opcode div.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
// CHECK-DAG: sass opcode FMUL 3{{$}}
extern "C" __global__ void ptx_div_approx(float* out, const float* a, const float* b) {
  out[threadIdx.x] = div_approx_f32(a[threadIdx.x], b[threadIdx.x]);
}

// CHECK-LABEL: kernel ptx_div_full{{$}}
// CHECK-DAG: ptx opcode div.full.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
// CHECK-DAG: sass opcode FMUL 5{{$}}
extern "C" __global__ void ptx_div_full(float* out, const float* a, const float* b) {
  out[threadIdx.x] = div_full_f32(a[threadIdx.x], b[threadIdx.x]);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Which division does each spelling get, and at what price in instructions?",
    .variants =
        {
            {.symbol = "by_constant",
             .says = "the operator / with divisor 3",
             .params = {pointer, pointer},
             .must = {"opcode(div.rn.f32) == 1; ptx", "opcode(FCHK) == 1",
                      "opcode(MUFU.RCP) == 1"}},
            {.symbol = "by_power_of_two",
             .says = "the operator / with divisor 8",
             .params = {pointer, pointer},
             .must = {"opcode(mul.f32) == 1; ptx", "opcode(FMUL) == 1", "opcode(MUFU*) == 0"}},
            {.symbol = "intrinsic_fdividef",
             .says = "__fdividef",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.approx.f32) == 1; ptx", "opcode(MUFU.RCP) == 1",
                      "opcode(FCHK) == 0", "opcode(CALL*) == 0"}},
            {.symbol = "operator_by_variable",
             .says = "the operator /",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.rn.f32) == 1; ptx", "opcode(FCHK) == 1", "opcode(CALL*) >= 1"}},
            {.symbol = "ptx_div_approx",
             .says = "inline div.approx.f32",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.approx.f32) == 1; ptx", "opcode(MUFU.RCP) == 1",
                      "opcode(FMUL) == 3"}},
            {.symbol = "ptx_div_full",
             .says = "inline div.full.f32",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.full.f32) == 1; ptx", "opcode(MUFU.RCP) == 1",
                      "opcode(FMUL) == 5"}},
        },
});
#endif
