// SPDX-License-Identifier: Apache-2.0
// Question: what does a literal without f cost, and what do char and short operands?
//
// Method: the same expression with a float and with a double literal; the same sum and product in
// int, short and signed char.
//
// Expectation: a double literal draws the whole expression into double arithmetic, conversions
// included, also when its value is exact in float; only a lone product by 2.0 is narrowed again.
// Sums of narrow operands take no conversion; a shift right of one sign-extends.
//
// Threats: the 16-bit opcodes in the PTX are not what runs: SASS computes them in 32 bits. Byte
// addresses cost more integer instructions than word addresses do, which is not the price of the
// operands.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel add_char{{$}}
// CHECK-DAG: ptx opcode add.s16 1{{$}}
extern "C" __global__ void add_char(signed char* out, const signed char* a, const signed char* b) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

// CHECK-LABEL: kernel add_int{{$}}
// CHECK-DAG: ptx opcode add.s32 1{{$}}
// CHECK-NOT: sass opcode PRMT
extern "C" __global__ void add_int(int* out, const int* a, const int* b) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

// CHECK-LABEL: kernel add_short{{$}}
// CHECK-DAG: ptx opcode add.s16 1{{$}}
extern "C" __global__ void add_short(short* out, const short* a, const short* b) {
  out[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

// CHECK-LABEL: kernel compare_double{{$}}
// CHECK-DAG: ptx opcode setp.lt.f64 1{{$}}
// CHECK-DAG: sass opcode DSETP.GEU.AND 1{{$}}
// CHECK-DAG: sass opcode F2F.F64.F32 1{{$}}
// CHECK: finding double-arithmetic
extern "C" __global__ void compare_double(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] < 1.1 ? a[threadIdx.x] : b[threadIdx.x];
}

// CHECK-LABEL: kernel compare_float{{$}}
// CHECK-DAG: ptx opcode setp.lt.f32 1{{$}}
// CHECK-NOT: finding double-arithmetic
extern "C" __global__ void compare_float(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] < 1.1f ? a[threadIdx.x] : b[threadIdx.x];
}

// CHECK-LABEL: kernel exact_double{{$}}
// CHECK-DAG: ptx opcode fma.rn.f64 1{{$}}
// CHECK-DAG: ptx opcode cvt.f64.f32 2{{$}}
// CHECK-DAG: sass opcode DFMA 1{{$}}
// CHECK: finding double-arithmetic
extern "C" __global__ void exact_double(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] * 2.0 + b[threadIdx.x];
}

// CHECK-LABEL: kernel lone_double{{$}}
// CHECK-DAG: ptx opcode add.f32 1{{$}}
// CHECK-DAG: sass opcode FADD 1{{$}}
// CHECK-NOT: finding double-arithmetic
extern "C" __global__ void lone_double(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] * 2.0;
}

// CHECK-LABEL: kernel multiply_add_double{{$}}
// CHECK-DAG: ptx opcode fma.rn.f64 1{{$}}
// CHECK-DAG: ptx opcode cvt.f64.f32 2{{$}}
// CHECK-DAG: ptx opcode cvt.rn.f32.f64 1{{$}}
// CHECK-DAG: sass opcode DFMA 1{{$}}
// CHECK-DAG: sass opcode F2F.F64.F32 2{{$}}
// CHECK-DAG: sass opcode F2F.F32.F64 1{{$}}
// CHECK: finding double-arithmetic
extern "C" __global__ void multiply_add_double(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] * 1.1 + b[threadIdx.x];
}

// CHECK-LABEL: kernel multiply_add_float{{$}}
// CHECK-DAG: ptx opcode fma.rn.f32 1{{$}}
// CHECK-DAG: sass opcode FFMA 1{{$}}
// CHECK-NOT: finding double-arithmetic
extern "C" __global__ void multiply_add_float(float* out, const float* a, const float* b) {
  out[threadIdx.x] = a[threadIdx.x] * 1.1f + b[threadIdx.x];
}

// CHECK-LABEL: kernel multiply_int{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
extern "C" __global__ void multiply_int(int* out, const int* a, const int* b) {
  out[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}

// CHECK-LABEL: kernel multiply_short{{$}}
// CHECK-DAG: ptx opcode mul.lo.s16 1{{$}}
// CHECK-DAG: sass opcode IMAD 1{{$}}
// CHECK-DAG: sass opcode PRMT 2{{$}}
extern "C" __global__ void multiply_short(short* out, const short* a, const short* b) {
  out[threadIdx.x] = a[threadIdx.x] * b[threadIdx.x];
}

// CHECK-LABEL: kernel shift_char{{$}}
// CHECK-DAG: ptx opcode cvt.s16.s8 1{{$}}
// CHECK-DAG: sass opcode PRMT
extern "C" __global__ void shift_char(signed char* out, const signed char* a,
                                      const signed char* b) {
  out[threadIdx.x] = static_cast<signed char>(a[threadIdx.x] + b[threadIdx.x]) >> 1;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "What does a literal without f cost, and what do char and short operands?",
    .variants =
        {
            {.symbol = "add_char",
             .says = "x + y on signed char",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(add.s16) == 1; ptx", "opcode(PRMT*) == 0"}},
            {.symbol = "add_int",
             .says = "x + y on int",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(add.s32) == 1; ptx", "opcode(PRMT*) == 0"}},
            {.symbol = "add_short",
             .says = "x + y on short",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(add.s16) == 1; ptx", "opcode(PRMT*) == 0"}},
            {.symbol = "compare_double",
             .says = "x < 1.1 with a double literal",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(setp.lt.f64) == 1; ptx", "opcode(DSETP.GEU.AND) == 1",
                      "opcode(F2F.F64.F32) == 1", "finding double-arithmetic"}},
            {.symbol = "compare_float",
             .says = "x < 1.1f",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(setp.lt.f32) == 1; ptx", "opcode(DSETP*) == 0",
                      "no finding double-arithmetic"}},
            {.symbol = "exact_double",
             .says = "x * 2.0 + y: exact in float, double all the same",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(fma.rn.f64) == 1; ptx", "opcode(cvt.f64.f32) == 2; ptx",
                      "opcode(DFMA) == 1", "finding double-arithmetic"}},
            {.symbol = "lone_double",
             .says = "x * 2.0 alone, which nvcc narrows",
             .params = {pointer, pointer},
             .must = {"opcode(add.f32) == 1; ptx", "opcode(FADD) == 1",
                      "no finding double-arithmetic"}},
            {.symbol = "multiply_add_double",
             .says = "x * 1.1 + y with a double literal",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(fma.rn.f64) == 1; ptx", "opcode(cvt.f64.f32) == 2; ptx",
                      "opcode(cvt.rn.f32.f64) == 1; ptx", "opcode(DFMA) == 1",
                      "opcode(F2F.F64.F32) == 2", "opcode(F2F.F32.F64) == 1",
                      "finding double-arithmetic"}},
            {.symbol = "multiply_add_float",
             .says = "x * 1.1f + y",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(fma.rn.f32) == 1; ptx", "opcode(FFMA) == 1", "opcode(DFMA) == 0",
                      "opcode(F2F*) == 0", "no finding double-arithmetic"}},
            {.symbol = "multiply_int",
             .says = "x * y on int",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(IMAD) == 1", "opcode(PRMT*) == 0"}},
            {.symbol = "multiply_short",
             .says = "x * y on short",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(mul.lo.s16) == 1; ptx", "opcode(IMAD) == 1", "opcode(PRMT) == 2"}},
            {.symbol = "shift_char",
             .says = "(x + y) >> 1 on signed char",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(cvt.s16.s8) == 1; ptx", "opcode(PRMT*) >= 1"}},
        },
});
#endif
