// SPDX-License-Identifier: Apache-2.0
// Question: what is a 24-bit multiply worth, now that the hardware multiplies 32 bits at once?
//
// Method: one product per thread, written as the operator, as the intrinsic of 2009 and as the PTX
// instruction; signed and unsigned.
//
// Expectation: the operator is one IMAD. The intrinsic is taken apart by nvcc, already in PTX:
// shifts or masks, then the 32-bit multiply. mul24.lo reaches ptxas, which does the same with fewer
// instructions; both cost more than the operator.
//
// Threats: an instruction count is not a time. With operands whose range the compiler knows, the
// masks may fold away.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel signed_intrinsic{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
// CHECK-DAG: ptx opcode shl.b32 2{{$}}
// CHECK-DAG: ptx opcode shr.s32 2{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-DAG: sass opcode SHF.L.U32 2{{$}}
// CHECK-DAG: sass opcode SHF.R.S32.HI 2{{$}}
// CHECK: finding intrinsic-expanded
extern "C" __global__ void signed_intrinsic(int* out, const int* a, const int* b) {
  out[threadIdx.x] = __mul24(a[threadIdx.x], b[threadIdx.x]);
}

// CHECK-LABEL: kernel signed_operator{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-NOT: sass opcode SHF
// CHECK-NOT: finding intrinsic-expanded
extern "C" __global__ void signed_operator(int* out, const int* a, const int* b) {
  out[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}

// CHECK-LABEL: kernel signed_ptx_mul24{{$}}
// CHECK-DAG: ptx opcode mul24.lo.s32 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-DAG: sass opcode SGXT 2{{$}}
extern "C" __global__ void signed_ptx_mul24(int* out, const int* a, const int* b) {
  out[threadIdx.x] = mul24_lo_s32(a[threadIdx.x], b[threadIdx.x]);
}

// CHECK-LABEL: kernel unsigned_intrinsic{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
// CHECK-DAG: ptx opcode and.b32 2{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-DAG: sass opcode LOP3.LUT 2{{$}}
// CHECK: finding intrinsic-expanded
extern "C" __global__ void unsigned_intrinsic(unsigned* out, const unsigned* a, const unsigned* b) {
  out[threadIdx.x] = __umul24(a[threadIdx.x], b[threadIdx.x]);
}

// CHECK-LABEL: kernel unsigned_operator{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-NOT: sass opcode LOP3
// CHECK-NOT: finding intrinsic-expanded
extern "C" __global__ void unsigned_operator(unsigned* out, const unsigned* a, const unsigned* b) {
  out[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}

// CHECK-LABEL: kernel unsigned_ptx_mul24{{$}}
// CHECK-DAG: ptx opcode mul24.lo.u32 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-DAG: sass opcode PRMT 2{{$}}
extern "C" __global__ void unsigned_ptx_mul24(unsigned* out, const unsigned* a, const unsigned* b) {
  out[threadIdx.x] = mul24_lo_u32(a[threadIdx.x], b[threadIdx.x]);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question =
        "What is a 24-bit multiply worth, now that the hardware multiplies 32 bits at once?",
    .variants =
        {
            {.symbol = "signed_intrinsic",
             .says = "__mul24",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(shl.b32) == 2; ptx",
                      "opcode(shr.s32) == 2; ptx", "opcode(IMAD) == 1", "opcode(SHF.L.U32) == 2",
                      "opcode(SHF.R.S32.HI) == 2", "finding intrinsic-expanded"}},
            {.symbol = "signed_operator",
             .says = "the operator * on int",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(IMAD) == 1", "opcode(SHF*) == 0",
                      "no finding intrinsic-expanded"}},
            {.symbol = "signed_ptx_mul24",
             .says = "inline mul24.lo.s32",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul24.lo.s32) == 1; ptx", "opcode(IMAD) == 1", "opcode(SGXT) == 2"}},
            {.symbol = "unsigned_intrinsic",
             .says = "__umul24",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(and.b32) == 2; ptx",
                      "opcode(IMAD) == 1", "opcode(LOP3.LUT) == 2", "finding intrinsic-expanded"}},
            {.symbol = "unsigned_operator",
             .says = "the operator * on unsigned",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(IMAD) == 1", "opcode(LOP3*) == 0",
                      "no finding intrinsic-expanded"}},
            {.symbol = "unsigned_ptx_mul24",
             .says = "inline mul24.lo.u32",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul24.lo.u32) == 1; ptx", "opcode(IMAD) == 1", "opcode(PRMT) == 2"}},
        },
});
#endif
