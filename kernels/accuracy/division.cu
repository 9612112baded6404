// SPDX-License-Identifier: Apache-2.0
// Question: how wrong are quotients and powers in units of the last place, and for which operands?
//
// Method: the second operand goes through floats in order (a quotient's through all in steps, a
// power's through those up to 128), the first one is drawn from all floats; held against the host's
// value in double precision.
//
// Expectation: the operator is right everywhere. __fdividef is good within two units for a divisor
// up to 2^126 and gives 0 beyond, where the reciprocal is subnormal and flushed; div.full scales
// and has no such hole. __powf loses as the exponent grows.
//
// Threats: pairs are samples; a rare bad pair may be missed.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab inspect %s --arch sm_90 --nvcc-flags -prec-div=false --kernel divide_operator --format facts > %t.loose
// RUN: %FileCheck %s --check-prefix LOOSE --input-file %t.loose
// RUN: %ptxlab check %s --arch sm_90
// LOOSE: ptx opcode div.full.f32 1{{$}}
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel divide_fast{{$}}
// CHECK-DAG: ptx opcode div.approx.f32 1{{$}}
extern "C" __global__ void divide_fast(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return __fdividef(x, y); });
}

// CHECK-LABEL: kernel divide_full{{$}}
// CHECK-DAG: ptx opcode div.full.f32 1{{$}}
extern "C" __global__ void divide_full(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return div_full_f32(x, y); });
}

// CHECK-LABEL: kernel divide_operator{{$}}
// CHECK-DAG: ptx opcode div.rn.f32 1{{$}}
extern "C" __global__ void divide_operator(float* out, const float* in, const float* in2,
                                           unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return x / y; });
}

// CHECK-LABEL: kernel divide_rounded{{$}}
// CHECK-DAG: ptx opcode div.rn.f32 1{{$}}
extern "C" __global__ void divide_rounded(float* out, const float* in, const float* in2,
                                          unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return __fdiv_rn(x, y); });
}

// CHECK-LABEL: kernel power_fast{{$}}
// CHECK-DAG: ptx opcode ex2.approx.f32 1{{$}}
extern "C" __global__ void power_fast(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return __powf(x, y); });
}

// CHECK-LABEL: kernel power_slow{{$}}
// CHECK-DAG: ptx opcode rcp.approx.ftz.f32 1{{$}}
extern "C" __global__ void power_slow(float* out, const float* in, const float* in2, unsigned n) {
  elementwise(out, in, in2, n, [](float x, float y) { return powf(x, y); });
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
    .question = "How wrong are quotients and powers, and for which operands?",
    .variants =
        {
            {.symbol = "divide_fast",
             .says = "__fdividef(x, y)",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.approx.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide",
                                      .lowest = -largest,
                                      .highest = largest,
                                      .lowest_second = -infinity,
                                      .highest_second = infinity,
                                      .samples = 1ULL << 27}}},
            {.symbol = "divide_full",
             .says = "inline div.full.f32, what the operator is with -prec-div=false",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.full.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide",
                                      .lowest = -largest,
                                      .highest = largest,
                                      .lowest_second = -infinity,
                                      .highest_second = infinity,
                                      .samples = 1ULL << 27}}},
            {.symbol = "divide_operator",
             .says = "the operator /",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.rn.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide",
                                      .lowest = -largest,
                                      .highest = largest,
                                      .lowest_second = -infinity,
                                      .highest_second = infinity,
                                      .samples = 1ULL << 27}}},
            {.symbol = "divide_rounded",
             .says = "__fdiv_rn(x, y)",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(div.rn.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "divide",
                                      .lowest = -largest,
                                      .highest = largest,
                                      .lowest_second = -infinity,
                                      .highest_second = infinity,
                                      .samples = 1ULL << 27}}},
            {.symbol = "power_fast",
             .says = "__powf(x, y)",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(ex2.approx.f32) == 1; ptx", "opcode(lg2.approx.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "pow",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .lowest_second = -128,
                                      .highest_second = 128,
                                      .samples = 1ULL << 26}}},
            {.symbol = "power_slow",
             .says = "powf(x, y)",
             .params = {pointer, pointer, pointer, u32},
             .must = {"opcode(rcp.approx.ftz.f32) == 1; ptx", "opcode(lg2*) == 0; ptx",
                      "opcode(ex2*) == 0; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "pow",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .lowest_second = -128,
                                      .highest_second = 128,
                                      .samples = 1ULL << 26}}},
        },
});
#endif
