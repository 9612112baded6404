// SPDX-License-Identifier: Apache-2.0
// Question: what does an integer division or modulo cost, and which divisors make it cheap?
//
// Method: quotient and remainder by a variable, by the constant 10, and by the constant 8;
// unsigned, and signed where it differs.
//
// Expectation: by a variable it stays one instruction in PTX and becomes a routine around a float
// reciprocal in SASS; by a constant it is a high multiply and shifts, already in PTX; by a power of
// two a shift or a mask, with a correction when signed.
//
// Threats: a divisor that is constant only at run time (a parameter) is a variable to the
// compilers.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel quotient_by_constant{{$}}
// CHECK-NOT: ptx opcode div
// CHECK: sass opcode {{IMAD.*}}
// CHECK-NOT: sass opcode MUFU
extern "C" __global__ void quotient_by_constant(unsigned* out, const unsigned* a) {
  out[threadIdx.x] = a[threadIdx.x] / 10;
}

// CHECK-LABEL: kernel quotient_by_power{{$}}
// CHECK-DAG: ptx opcode shr.u32 1{{$}}
// CHECK-DAG: sass opcode SHF.R.U32.HI 1{{$}}
extern "C" __global__ void quotient_by_power(unsigned* out, const unsigned* a) {
  out[threadIdx.x] = a[threadIdx.x] / 8;
}

// CHECK-LABEL: kernel quotient_by_variable{{$}}
// CHECK-DAG: ptx opcode div.u32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
extern "C" __global__ void quotient_by_variable(unsigned* out, const unsigned* a,
                                                const unsigned* b) {
  out[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}

// CHECK-LABEL: kernel remainder_by_constant{{$}}
// CHECK: ptx opcode mul.lo.s32 1{{$}}
extern "C" __global__ void remainder_by_constant(unsigned* out, const unsigned* a) {
  out[threadIdx.x] = a[threadIdx.x] % 10;
}

// CHECK-LABEL: kernel remainder_by_power{{$}}
// CHECK-DAG: ptx opcode and.b32 1{{$}}
// CHECK-DAG: sass opcode LOP3.LUT 1{{$}}
extern "C" __global__ void remainder_by_power(unsigned* out, const unsigned* a) {
  out[threadIdx.x] = a[threadIdx.x] % 8;
}

// CHECK-LABEL: kernel remainder_by_variable{{$}}
// CHECK-DAG: ptx opcode rem.u32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
extern "C" __global__ void remainder_by_variable(unsigned* out, const unsigned* a,
                                                 const unsigned* b) {
  out[threadIdx.x] = a[threadIdx.x] % b[threadIdx.x];
}

// CHECK-LABEL: kernel signed_quotient_by_power{{$}}
// CHECK-DAG: ptx opcode shr.s32 2{{$}}
// CHECK-DAG: sass opcode SHF.R.S32.HI 2{{$}}
extern "C" __global__ void signed_quotient_by_power(int* out, const int* a) {
  out[threadIdx.x] = a[threadIdx.x] / 8;
}

// CHECK-LABEL: kernel signed_quotient_by_variable{{$}}
// CHECK-DAG: ptx opcode div.s32 1{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
// CHECK-DAG: sass opcode IABS 3{{$}}
extern "C" __global__ void signed_quotient_by_variable(int* out, const int* a, const int* b) {
  out[threadIdx.x] = a[threadIdx.x] / b[threadIdx.x];
}

// CHECK-LABEL: kernel signed_remainder_by_power{{$}}
// CHECK-DAG: ptx opcode sub.s32 1{{$}}
// CHECK-DAG: sass opcode SHF.R.S32.HI 1{{$}}
// CHECK-DAG: sass opcode LOP3.LUT 1{{$}}
extern "C" __global__ void signed_remainder_by_power(int* out, const int* a) {
  out[threadIdx.x] = a[threadIdx.x] % 8;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "What does an integer division or modulo cost, and which divisors make it cheap?",
    .variants =
        {
            {.symbol = "quotient_by_constant",
             .says = "x / 10",
             .params = {pointer, pointer},
             .must = {"opcode(div*) == 0; ptx", "opcode(MUFU*) == 0", "opcode(IMAD*) >= 1"}},
            {.symbol = "quotient_by_power",
             .says = "x / 8",
             .params = {pointer, pointer},
             .must = {"opcode(shr.u32) == 1; ptx", "opcode(SHF.R.U32.HI) == 1",
                      "opcode(MUFU*) == 0"}},
            {.symbol = "quotient_by_variable",
             .says = "x / y",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.u32) == 1; ptx", "opcode(MUFU.RCP) == 1", "opcode(F2I*) == 1",
                      "opcode(I2F*) == 1"}},
            {.symbol = "remainder_by_constant",
             .says = "x % 10",
             .params = {pointer, pointer},
             .must = {"opcode(rem*) == 0; ptx", "opcode(MUFU*) == 0"}},
            {.symbol = "remainder_by_power",
             .says = "x % 8",
             .params = {pointer, pointer},
             .must = {"opcode(and.b32) == 1; ptx", "opcode(LOP3.LUT) == 1", "opcode(MUFU*) == 0"}},
            {.symbol = "remainder_by_variable",
             .says = "x % y",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(rem.u32) == 1; ptx", "opcode(MUFU.RCP) == 1"}},
            {.symbol = "signed_quotient_by_power",
             .says = "x / 8, signed",
             .params = {pointer, pointer},
             .must = {"opcode(shr.s32) == 2; ptx", "opcode(SHF.R.S32.HI) == 2",
                      "opcode(MUFU*) == 0"}},
            {.symbol = "signed_quotient_by_variable",
             .says = "x / y, signed",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(div.s32) == 1; ptx", "opcode(MUFU.RCP) == 1", "opcode(IABS) == 3"}},
            {.symbol = "signed_remainder_by_power",
             .says = "x % 8, signed",
             .params = {pointer, pointer},
             .must = {"opcode(sub.s32) == 1; ptx", "opcode(SHF.R.S32.HI) == 1",
                      "opcode(LOP3.LUT) == 1", "opcode(MUFU*) == 0"}},
        },
});
#endif
