// SPDX-License-Identifier: Apache-2.0
// Question: for which operands do 24-bit products differ from products, and are quotients exact?
//
// Method: pairs of all lengths in bits alike, held against the host's integers. For the 24-bit
// products the first operand has 24 bits, so that the second one's length is what is looked at.
//
// Expectation: quotients and remainders are exact although they start from a float's reciprocal.
// __mul24 takes the low 24 bits with their sign, __umul24 without: products are right up to 2^23
// and 2^24, and beyond that for no operand but by chance.
//
// Threats: pairs are samples. Division by zero is not among them: its result is not defined.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel divide_signed{{$}}
// CHECK-DAG: ptx opcode div.s32 1{{$}}
extern "C" __global__ void divide_signed(int* out, const int* in, const int* in2, unsigned n) {
  elementwise(out, in, in2, n, [](int x, int y) { return x / y; });
}

// CHECK-LABEL: kernel divide_unsigned{{$}}
// CHECK-DAG: ptx opcode div.u32 1{{$}}
extern "C" __global__ void divide_unsigned(unsigned* out, const unsigned* in, const unsigned* in2,
                                           unsigned n) {
  elementwise(out, in, in2, n, [](unsigned x, unsigned y) { return x / y; });
}

// CHECK-LABEL: kernel multiply_signed{{$}}
// CHECK-DAG: ptx opcode mul.lo.s32 1{{$}}
extern "C" __global__ void multiply_signed(int* out, const int* in, const int* in2, unsigned n) {
  elementwise(out, in, in2, n, [](int x, int y) { return x * y; });
}

// CHECK-LABEL: kernel multiply_signed_24{{$}}
// CHECK-DAG: ptx opcode shl.b32 2{{$}}
extern "C" __global__ void multiply_signed_24(int* out, const int* in, const int* in2, unsigned n) {
  elementwise(out, in, in2, n, [](int x, int y) { return __mul24(x, y); });
}

// CHECK-LABEL: kernel multiply_unsigned_24{{$}}
// CHECK-DAG: ptx opcode and.b32 2{{$}}
extern "C" __global__ void multiply_unsigned_24(unsigned* out, const unsigned* in,
                                                const unsigned* in2, unsigned n) {
  elementwise(out, in, in2, n, [](unsigned x, unsigned y) { return __umul24(x, y); });
}

// CHECK-LABEL: kernel remainder_signed{{$}}
// CHECK-DAG: ptx opcode rem.s32 1{{$}}
extern "C" __global__ void remainder_signed(int* out, const int* in, const int* in2, unsigned n) {
  elementwise(out, in, in2, n, [](int x, int y) { return x % y; });
}

// CHECK-LABEL: kernel remainder_unsigned{{$}}
// CHECK-DAG: ptx opcode rem.u32 1{{$}}
extern "C" __global__ void remainder_unsigned(unsigned* out, const unsigned* in,
                                              const unsigned* in2, unsigned n) {
  elementwise(out, in, in2, n, [](unsigned x, unsigned y) { return x % y; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "For which operands do 24-bit products differ from products; are quotients exact?",
    .variants =
        {
            {.symbol = "divide_signed",
             .says = "x / y, signed",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.s32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide_s32",
                                      .lowest = -2147483648.0,
                                      .highest = 2147483647.0,
                                      .lowest_second = -2147483648.0,
                                      .highest_second = 2147483647.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "divide_unsigned",
             .says = "x / y, unsigned",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.u32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide_u32",
                                      .lowest = 0,
                                      .highest = 4294967295.0,
                                      .lowest_second = 1,
                                      .highest_second = 4294967295.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "multiply_signed",
             .says = "x * y, signed",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(mul.lo.s32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "multiply_s32",
                                      .lowest = -2147483648.0,
                                      .highest = 2147483647.0,
                                      .lowest_second = -2147483648.0,
                                      .highest_second = 2147483647.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "multiply_signed_24",
             .says = "__mul24(x, y), the first of 24 bits",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(shl.b32) == 2; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "multiply_s32",
                                      .lowest = -8388608,
                                      .highest = 8388607,
                                      .lowest_second = -2147483648.0,
                                      .highest_second = 2147483647.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "multiply_unsigned_24",
             .says = "__umul24(x, y), the first of 24 bits",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(mul.lo.s32) == 1; ptx", "opcode(and.b32) == 2; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "multiply_u32",
                                      .lowest = 0,
                                      .highest = 16777215,
                                      .lowest_second = 0,
                                      .highest_second = 4294967295.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "remainder_signed",
             .says = "x % y, signed",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(rem.s32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "remainder_s32",
                                      .lowest = -2147483648.0,
                                      .highest = 2147483647.0,
                                      .lowest_second = -2147483648.0,
                                      .highest_second = 2147483647.0,
                                      .samples = 1ULL << 23}}},
            {.symbol = "remainder_unsigned",
             .says = "x % y, unsigned",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(rem.u32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "remainder_u32",
                                      .lowest = 0,
                                      .highest = 4294967295.0,
                                      .lowest_second = 1,
                                      .highest_second = 4294967295.0,
                                      .samples = 1ULL << 23}}},
        },
});
#endif
