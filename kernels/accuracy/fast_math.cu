// SPDX-License-Identifier: Apache-2.0
// Question: what do the plain spellings give with -use_fast_math?
//
// Method: as in the files without the flag, for every 17th float or fewer.
//
// Expectation: every spelling becomes its fast form, and all of them flush: subnormal operands
// count as 0 and subnormal results are 0. The operator / is __fdividef, with 0 for a divisor beyond
// 2^126.
//
// Threats: the flag holds for a whole file, headers included.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel divide{{$}}
// CHECK-DAG: ptx opcode div.approx.ftz.f32 1{{$}}
extern "C" __global__ void divide(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return x / y; });
}

// CHECK-LABEL: kernel exponential{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
extern "C" __global__ void exponential(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return expf(x); });
}

// CHECK-LABEL: kernel logarithm{{$}}
// CHECK-DAG: ptx opcode lg2.approx.ftz.f32 1{{$}}
extern "C" __global__ void logarithm(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return logf(x); });
}

// CHECK-LABEL: kernel one_over_sqrt{{$}}
// CHECK-DAG: ptx opcode rsqrt.approx.ftz.f32 1{{$}}
extern "C" __global__ void one_over_sqrt(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return 1.0f / sqrtf(x); });
}

// CHECK-LABEL: kernel power{{$}}
// CHECK-DAG: ptx opcode lg2.approx.ftz.f32 1{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
extern "C" __global__ void power(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return powf(x, y); });
}

// CHECK-LABEL: kernel reciprocal{{$}}
// CHECK-DAG: ptx opcode rcp.approx.ftz.f32 1{{$}}
extern "C" __global__ void reciprocal(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return 1.0f / x; });
}

// CHECK-LABEL: kernel root{{$}}
// CHECK-DAG: ptx opcode sqrt.approx.ftz.f32 1{{$}}
extern "C" __global__ void root(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sqrtf(x); });
}

// CHECK-LABEL: kernel sine{{$}}
// CHECK-DAG: ptx opcode sin.approx.ftz.f32 1{{$}}
extern "C" __global__ void sine(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sinf(x); });
}
#else
#include <limits>

#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double largest = std::numeric_limits<float>::max();
}  // namespace

PTXLAB_KERNEL({
    .question = "What do the plain spellings give with -use_fast_math?",
    .nvcc_flags = "-use_fast_math",
    .variants =
        {
            {.symbol = "divide",
             .says = "x / y",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide",
                                      .lowest = -largest,
                                      .highest = largest,
                                      .lowest_second = -infinity,
                                      .highest_second = infinity,
                                      .samples = 1ULL << 26}}},
            {.symbol = "exponential",
             .says = "expf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(ex2.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "exp",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "logarithm",
             .says = "logf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(lg2.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "log",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "one_over_sqrt",
             .says = "1.0f / sqrtf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rsqrt.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "rsqrt",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "power",
             .says = "powf(x, y)",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(lg2.approx.ftz.f32) == 1; ptx",
                      "opcode(ex2.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "pow",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .lowest_second = -128,
                                      .highest_second = 128,
                                      .samples = 1ULL << 26}}},
            {.symbol = "reciprocal",
             .says = "1.0f / x",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rcp.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "reciprocal",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "root",
             .says = "sqrtf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sqrt.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "sqrt",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "sine",
             .says = "sinf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sin.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "sin",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
        },
});
#endif
