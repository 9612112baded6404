// SPDX-License-Identifier: Apache-2.0
// Question: what do the fast forms of sine, cosine, exponential and logarithm replace?
//
// Method: one result per thread, the fast intrinsic beside the function of the library.
//
// Expectation: the fast forms are one MUFU with a scaling; expf uses the same MUFU behind an exact
// reduction; logf is a polynomial without MUFU; sinf and cosf carry the loop of the large-argument
// reduction and its local array, whatever argument they get.
//
// Threats: the fast forms are wrong by much for large arguments. How often the slow path runs
// depends on the data, which is not seen here.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel cosine_fast{{$}}
// CHECK-DAG: ptx opcode cos.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.COS 1{{$}}
extern "C" __global__ void cosine_fast(float* out, const float* a) {
  out[threadIdx.x] = __cosf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel cosine_slow{{$}}
// CHECK-DAG: ptx opcode st.local.u32 2{{$}}
// CHECK-DAG: ptx loop L1
// CHECK-NOT: sass opcode MUFU
extern "C" __global__ void cosine_slow(float* out, const float* a) {
  out[threadIdx.x] = cosf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel exponential_fast{{$}}
// CHECK-DAG: ptx opcode ex2.approx.f32 1{{$}}
// CHECK-DAG: ptx opcode mul.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.EX2 1{{$}}
extern "C" __global__ void exponential_fast(float* out, const float* a) {
  out[threadIdx.x] = __expf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel exponential_slow{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.EX2 1{{$}}
extern "C" __global__ void exponential_slow(float* out, const float* a) {
  out[threadIdx.x] = expf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel logarithm_fast{{$}}
// CHECK-DAG: ptx opcode lg2.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.LG2 1{{$}}
extern "C" __global__ void logarithm_fast(float* out, const float* a) {
  out[threadIdx.x] = __logf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel logarithm_slow{{$}}
// CHECK-DAG: ptx opcode fma.rn.f32 12{{$}}
// CHECK-DAG: sass opcode FFMA 12{{$}}
// CHECK-NOT: sass opcode MUFU
extern "C" __global__ void logarithm_slow(float* out, const float* a) {
  out[threadIdx.x] = logf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel sine_fast{{$}}
// CHECK-DAG: ptx opcode sin.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.SIN 1{{$}}
extern "C" __global__ void sine_fast(float* out, const float* a) {
  out[threadIdx.x] = __sinf(a[threadIdx.x]);
}

// CHECK-LABEL: kernel sine_slow{{$}}
// CHECK-DAG: ptx opcode st.local.u32 2{{$}}
// CHECK-DAG: ptx loop L1
// CHECK-NOT: sass opcode MUFU
extern "C" __global__ void sine_slow(float* out, const float* a) {
  out[threadIdx.x] = sinf(a[threadIdx.x]);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "What do the fast forms of sine, cosine, exponential and logarithm replace?",
    .variants =
        {
            {.symbol = "cosine_fast",
             .says = "__cosf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(cos.approx.f32) == 1; ptx", "opcode(MUFU.COS) == 1",
                      "no loop; both"}},
            {.symbol = "cosine_slow",
             .says = "cosf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(st.local.u32) == 2; ptx", "opcode(cos.approx.f32) == 0; ptx",
                      "opcode(MUFU.SIN) == 0", "opcode(MUFU.COS) == 0", "loops >= 1; ptx"}},
            {.symbol = "exponential_fast",
             .says = "__expf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(ex2.approx.f32) == 1; ptx", "opcode(mul.f32) == 1; ptx",
                      "opcode(MUFU.EX2) == 1", "opcode(FFMA*) == 0"}},
            {.symbol = "exponential_slow",
             .says = "expf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(ex2.approx.ftz.f32) == 1; ptx", "opcode(MUFU.EX2) == 1",
                      "opcode(FFMA*) >= 3"}},
            {.symbol = "logarithm_fast",
             .says = "__logf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(lg2.approx.f32) == 1; ptx", "opcode(MUFU.LG2) == 1",
                      "opcode(FFMA*) == 0"}},
            {.symbol = "logarithm_slow",
             .says = "logf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(fma.rn.f32) == 12; ptx", "opcode(FFMA) == 12", "opcode(MUFU*) == 0"}},
            {.symbol = "sine_fast",
             .says = "__sinf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(sin.approx.f32) == 1; ptx", "opcode(MUFU.SIN) == 1",
                      "no loop; both"}},
            {.symbol = "sine_slow",
             .says = "sinf(x)",
             .params = {pointer, pointer},
             .must = {"opcode(st.local.u32) == 2; ptx", "opcode(sin.approx.f32) == 0; ptx",
                      "opcode(MUFU.SIN) == 0", "opcode(MUFU.COS) == 0", "loops >= 1; ptx"}},
        },
});
#endif
