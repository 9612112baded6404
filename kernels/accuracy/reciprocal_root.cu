// SPDX-License-Identifier: Apache-2.0
// Question: how wrong are reciprocals and roots, in units of the last place, and where?
//
// Method: the function of every float (some: at an odd distance in the order of all floats), held
// against the host's value in double precision, which is correctly rounded, and so is its rounding
// to float.
//
// Expectation: the rounded forms are right everywhere. The approximate ones are off by a float now
// and then; with .ftz all subnormal operands count as 0 and subnormal results are 0, which is
// millions of units there.
//
// Threats: signs of zeros are not told apart. What NaN a NaN gives is not looked at.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel one_over_sqrt{{$}}
// CHECK-DAG: ptx opcode sqrt.rn.f32 1{{$}}
// CHECK-DAG: ptx opcode rcp.rn.f32 1{{$}}
extern "C" __global__ void one_over_sqrt(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return 1.0f / sqrtf(x); });
}

// CHECK-LABEL: kernel reciprocal_approx{{$}}
// CHECK-DAG: ptx opcode rcp.approx.f32 1{{$}}
extern "C" __global__ void reciprocal_approx(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return rcp_approx_f32(x); });
}

// CHECK-LABEL: kernel reciprocal_flushed{{$}}
// CHECK-DAG: ptx opcode rcp.approx.ftz.f32 1{{$}}
extern "C" __global__ void reciprocal_flushed(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return rcp_approx_ftz_f32(x); });
}

// CHECK-LABEL: kernel reciprocal_operator{{$}}
// CHECK-DAG: ptx opcode rcp.rn.f32 1{{$}}
extern "C" __global__ void reciprocal_operator(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return 1.0f / x; });
}

// CHECK-LABEL: kernel root_approx{{$}}
// CHECK-DAG: ptx opcode sqrt.approx.f32 1{{$}}
extern "C" __global__ void root_approx(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sqrt_approx_f32(x); });
}

// CHECK-LABEL: kernel root_flushed{{$}}
// CHECK-DAG: ptx opcode sqrt.approx.ftz.f32 1{{$}}
extern "C" __global__ void root_flushed(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sqrt_approx_ftz_f32(x); });
}

// CHECK-LABEL: kernel root_function{{$}}
// CHECK-DAG: ptx opcode sqrt.rn.f32 1{{$}}
extern "C" __global__ void root_function(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sqrtf(x); });
}

// CHECK-LABEL: kernel rsqrt_flushed{{$}}
// CHECK-DAG: ptx opcode rsqrt.approx.ftz.f32 1{{$}}
extern "C" __global__ void rsqrt_flushed(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return rsqrt_approx_ftz_f32(x); });
}

// CHECK-LABEL: kernel rsqrt_function{{$}}
// CHECK-DAG: ptx opcode rsqrt.approx.f32 1{{$}}
extern "C" __global__ void rsqrt_function(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return rsqrtf(x); });
}
#else
#include <limits>

#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

PTXLAB_KERNEL({
    .question = "How wrong are reciprocals and roots, and where?",
    .variants =
        {
            {.symbol = "one_over_sqrt",
             .says = "1.0f / sqrtf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sqrt.rn.f32) == 1; ptx", "opcode(rcp.rn.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "rsqrt",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "reciprocal_approx",
             .says = "inline rcp.approx.f32",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rcp.approx.f32) == 1; ptx"},
             .measure =
                 {.how = accuracy,
                  .function = {.name = "reciprocal", .lowest = -infinity, .highest = infinity}}},
            {.symbol = "reciprocal_flushed",
             .says = "inline rcp.approx.ftz.f32",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rcp.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "reciprocal",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "reciprocal_operator",
             .says = "1.0f / x",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rcp.rn.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "reciprocal",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "root_approx",
             .says = "inline sqrt.approx.f32",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sqrt.approx.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "sqrt", .lowest = 0, .highest = infinity}}},
            {.symbol = "root_flushed",
             .says = "inline sqrt.approx.ftz.f32",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sqrt.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "sqrt",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "root_function",
             .says = "sqrtf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(sqrt.rn.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "sqrt",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "rsqrt_flushed",
             .says = "inline rsqrt.approx.ftz.f32",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rsqrt.approx.ftz.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "rsqrt",
                                      .lowest = 0,
                                      .highest = infinity,
                                      .samples = 1ULL << 29}}},
            {.symbol = "rsqrt_function",
             .says = "rsqrtf(x)",
             .params = {pointer, pointer, u32},
             .must = {"opcode(rsqrt.approx.f32) == 1; ptx"},
             .measure = {.how = accuracy,
                         .function = {.name = "rsqrt", .lowest = 0, .highest = infinity}}},
        },
});
#endif
