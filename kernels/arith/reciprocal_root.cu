// SPDX-License-Identifier: Apache-2.0
// Question: when is a reciprocal or a root one MUFU, and when a routine?
//
// Method: one result per thread: the C++ function, the operator, and the approximate PTX forms with
// and without flush to zero.
//
// Expectation: only the .ftz approximate forms are a bare MUFU. Without .ftz a test and scaling for
// subnormal numbers stand around it; the rounded forms (operator, sqrtf) are routines with a slow
// path. rsqrtf is approximate, 1 / sqrtf is two routines and not rsqrt.
//
// Threats: -use_fast_math (-ftz=true, -prec-sqrt=false) changes the C++ spellings. MUFU counts
// include those of slow paths.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel one_over_sqrt{{$}}
// CHECK-DAG: ptx opcode sqrt.rn.f32 1{{$}}
// CHECK-DAG: ptx opcode rcp.rn.f32 1{{$}}
// CHECK-DAG: sass opcode CALL.REL.NOINC 2{{$}}
extern "C" __global__ void one_over_sqrt(float* out, const float* a) {
  out[threadIdx.x] = 1.0f / sqrtf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel reciprocal_approx{{$}}
// CHECK-DAG: ptx opcode rcp.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
// CHECK-DAG: sass opcode FSETP.GEU.AND 1{{$}}
extern "C" __global__ void reciprocal_approx(float* out, const float* a) {
  out[threadIdx.x] = rcp_approx_f32(a[threadIdx.x]);
}

// CHECK-LABEL: kernel reciprocal_flushed{{$}}
// CHECK-DAG: ptx opcode rcp.approx.ftz.f32 1{{$}}
// CHECK-NOT: sass opcode FSETP
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
extern "C" __global__ void reciprocal_flushed(float* out, const float* a) {
  out[threadIdx.x] = rcp_approx_ftz_f32(a[threadIdx.x]);
}

// CHECK-LABEL: kernel reciprocal_operator{{$}}
// CHECK-DAG: ptx opcode rcp.rn.f32 1{{$}}
// CHECK-DAG: sass opcode CALL.REL.NOINC 1{{$}}
extern "C" __global__ void reciprocal_operator(float* out, const float* a) {
  out[threadIdx.x] = 1.0f / a[threadIdx.x];
}

// CHECK-LABEL: kernel root_approx{{$}}
// CHECK-DAG: ptx opcode sqrt.approx.f32 1{{$}}
// CHECK-DAG: sass opcode FSETP.GEU.AND 1{{$}}
extern "C" __global__ void root_approx(float* out, const float* a) {
  out[threadIdx.x] = sqrt_approx_f32(a[threadIdx.x]);
}

// CHECK-LABEL: kernel root_flushed{{$}}
// CHECK-DAG: ptx opcode sqrt.approx.ftz.f32 1{{$}}
// CHECK: sass opcode MUFU.
extern "C" __global__ void root_flushed(float* out, const float* a) {
  out[threadIdx.x] = sqrt_approx_ftz_f32(a[threadIdx.x]);
}

// CHECK-LABEL: kernel root_function{{$}}
// CHECK-DAG: ptx opcode sqrt.rn.f32 1{{$}}
// CHECK-DAG: sass opcode CALL.REL.NOINC 1{{$}}
extern "C" __global__ void root_function(float* out, const float* a) {
  out[threadIdx.x] = sqrtf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel rsqrt_flushed{{$}}
// CHECK-DAG: ptx opcode rsqrt.approx.ftz.f32 1{{$}}
// CHECK-NOT: sass opcode FSETP
// CHECK-DAG: sass opcode MUFU.RSQ 1{{$}}
extern "C" __global__ void rsqrt_flushed(float* out, const float* a) {
  out[threadIdx.x] = rsqrt_approx_ftz_f32(a[threadIdx.x]);
}

// CHECK-LABEL: kernel rsqrt_function{{$}}
// CHECK-DAG: ptx opcode rsqrt.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RSQ 1{{$}}
// CHECK-DAG: sass opcode FSETP.GEU.AND 1{{$}}
extern "C" __global__ void rsqrt_function(float* out, const float* a) {
  out[threadIdx.x] = rsqrtf(a[threadIdx.x]);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "When is a reciprocal or a root one MUFU, and when a routine?",
    .variants =
        {
            {.symbol = "one_over_sqrt",
             .says = "1.0f / sqrtf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(sqrt.rn.f32) == 1; ptx", "opcode(rcp.rn.f32) == 1; ptx",
                      "opcode(CALL*) == 2", "opcode(rsqrt*) == 0; ptx"}},
            {.symbol = "reciprocal_approx",
             .says = "inline rcp.approx.f32",
             .params = {pointer, pointer},
             .must = {"opcode(rcp.approx.f32) == 1; ptx", "opcode(MUFU.RCP) == 1",
                      "opcode(FSETP.GEU.AND) == 1"}},
            {.symbol = "reciprocal_flushed",
             .says = "inline rcp.approx.ftz.f32",
             .params = {pointer, pointer},
             .must = {"opcode(rcp.approx.ftz.f32) == 1; ptx", "opcode(MUFU.RCP) == 1",
                      "opcode(FSETP*) == 0"}},
            {.symbol = "reciprocal_operator",
             .says = "1.0f / x",
             .params = {pointer, pointer},
             .must = {"opcode(rcp.rn.f32) == 1; ptx", "opcode(CALL*) == 1",
                      "opcode(MUFU.RCP) >= 1"}},
            {.symbol = "root_approx",
             .says = "inline sqrt.approx.f32",
             .params = {pointer, pointer},
             .must = {"opcode(sqrt.approx.f32) == 1; ptx", "opcode(FSETP.GEU.AND) == 1",
                      "opcode(MUFU*) == 1"}},
            {.symbol = "root_flushed",
             .says = "inline sqrt.approx.ftz.f32",
             .params = {pointer, pointer},
             .must = {"opcode(sqrt.approx.ftz.f32) == 1; ptx", "opcode(MUFU*) == 1",
                      "opcode(CALL*) == 0"}},
            {.symbol = "root_function",
             .says = "sqrtf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(sqrt.rn.f32) == 1; ptx", "opcode(CALL*) == 1",
                      "opcode(MUFU.RSQ) >= 1"}},
            {.symbol = "rsqrt_flushed",
             .says = "inline rsqrt.approx.ftz.f32",
             .params = {pointer, pointer},
             .must = {"opcode(rsqrt.approx.ftz.f32) == 1; ptx", "opcode(MUFU.RSQ) == 1",
                      "opcode(FSETP*) == 0"}},
            {.symbol = "rsqrt_function",
             .says = "rsqrtf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(rsqrt.approx.f32) == 1; ptx", "opcode(MUFU.RSQ) == 1",
                      "opcode(FSETP.GEU.AND) == 1"}},
        },
});
#endif
