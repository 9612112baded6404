// SPDX-License-Identifier: Apache-2.0
// Question: what does a literal without f give for its price?
//
// Method: x times 1.1 in float, and in double and then rounded, for every 17th float; held against
// x times the real number 1.1.
//
// Expectation: 1.1f is off by a fifth of a unit before the product is rounded, so that many
// products are not the nearest float; in double nearly all are.
//
// Threats: for a literal that a float holds exactly there is nothing to gain.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel literal_double{{$}}
// CHECK-DAG: ptx opcode mul.f64 1{{$}}
extern "C" __global__ void literal_double(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return static_cast<float>(x * 1.1); });
}

// CHECK-LABEL: kernel literal_float{{$}}
// CHECK-DAG: ptx opcode mul.f32 1{{$}}
extern "C" __global__ void literal_float(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return x * 1.1f; });
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
    .question = "What does a literal without f give for its price?",
    .variants =
        {
            {.symbol = "literal_double",
             .says = "x * 1.1, the product in double",
             .params = {pointer, pointer, u32},
             .must = {"opcode(mul.f64) == 1; ptx", "opcode(DMUL) == 1",
                      "finding double-arithmetic"},
             .measure = {.how = accuracy,
                         .function = {.name = "times_1.1",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
            {.symbol = "literal_float",
             .says = "x * 1.1f",
             .params = {pointer, pointer, u32},
             .must = {"opcode(mul.f32) == 1; ptx", "opcode(FMUL) == 1",
                      "no finding double-arithmetic"},
             .measure = {.how = accuracy,
                         .function = {.name = "times_1.1",
                                      .lowest = -infinity,
                                      .highest = infinity,
                                      .samples = 1ULL << 28}}},
        },
});
#endif
