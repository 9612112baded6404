// SPDX-License-Identifier: Apache-2.0
// Question: how wrong are the functions of the library and their fast forms, and where?
//
// Method: the function of a third of all floats or fewer, at an odd distance in their order, held
// against the host's C library in double precision. Where the double is too near to the middle of
// two floats to tell, the 80-bit value decides which one is the correctly rounded result.
//
// Expectation: sinf, cosf and tanf stay within their documented units for every argument: below
// 105615 by a reduction with three fma, beyond by Payne and Hanek's. In 2009 the limit was 48039.
// __sinf is good to an absolute error within pi, which for small arguments is many units, and
// worthless far beyond; __expf loses with the argument; __logf is good to an absolute error near 1.
//
// Threats: the exact value is off by up to two units of 2^-53, which is 4e-9 of a float's unit.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts --keep %t.kept > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %FileCheck %s --check-prefix LIMIT --input-file %t.kept/sm_90/transcendental.ptx
// RUN: %ptxlab check %s --arch sm_90
// LIMIT: .entry sine_slow(
// LIMIT: setp.ltu.f32 {{.*}}, 0f47CE4780;
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/elementwise.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel binary_logarithm_fast{{$}}
// CHECK-DAG: ptx opcode lg2.approx.f32 1{{$}}
extern "C" __global__ void binary_logarithm_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __log2f(x); });
}

// CHECK-LABEL: kernel binary_logarithm_slow{{$}}
// CHECK-DAG: sass opcode FFMA 12{{$}}
extern "C" __global__ void binary_logarithm_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return log2f(x); });
}

// CHECK-LABEL: kernel cosine_fast{{$}}
// CHECK-DAG: ptx opcode cos.approx.f32 1{{$}}
extern "C" __global__ void cosine_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __cosf(x); });
}

// CHECK-LABEL: kernel cosine_slow{{$}}
// CHECK: ptx loop L1
extern "C" __global__ void cosine_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return cosf(x); });
}

// CHECK-LABEL: kernel exponential_fast{{$}}
// CHECK-DAG: ptx opcode ex2.approx.f32 1{{$}}
extern "C" __global__ void exponential_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __expf(x); });
}

// CHECK-LABEL: kernel exponential_of_two{{$}}
// CHECK-DAG: ptx opcode ex2.approx.f32 1{{$}}
extern "C" __global__ void exponential_of_two(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return exp2f(x); });
}

// CHECK-LABEL: kernel exponential_of_two_flushed{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
extern "C" __global__ void exponential_of_two_flushed(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return ex2_approx_ftz_f32(x); });
}

// CHECK-LABEL: kernel exponential_slow{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
extern "C" __global__ void exponential_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return expf(x); });
}

// CHECK-LABEL: kernel logarithm_fast{{$}}
// CHECK-DAG: ptx opcode lg2.approx.f32 1{{$}}
extern "C" __global__ void logarithm_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __logf(x); });
}

// CHECK-LABEL: kernel logarithm_slow{{$}}
// CHECK-DAG: ptx opcode fma.rn.f32 12{{$}}
extern "C" __global__ void logarithm_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return logf(x); });
}

// CHECK-LABEL: kernel sine_fast{{$}}
// CHECK-DAG: ptx opcode sin.approx.f32 1{{$}}
extern "C" __global__ void sine_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __sinf(x); });
}

// CHECK-LABEL: kernel sine_slow{{$}}
// CHECK: ptx loop L1
extern "C" __global__ void sine_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return sinf(x); });
}

// CHECK-LABEL: kernel tangent_fast{{$}}
// CHECK-DAG: ptx opcode div.approx.f32 1{{$}}
extern "C" __global__ void tangent_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __tanf(x); });
}

// CHECK-LABEL: kernel tangent_slow{{$}}
// CHECK: ptx loop L1
extern "C" __global__ void tangent_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return tanf(x); });
}

// CHECK-LABEL: kernel tanh_fast{{$}}
// CHECK-DAG: ptx opcode tanh.approx.f32 1{{$}}
// CHECK-DAG: sass opcode MUFU.TANH 1{{$}}
extern "C" __global__ void tanh_fast(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return __tanhf(x); });
}

// CHECK-LABEL: kernel tanh_slow{{$}}
// CHECK-DAG: ptx opcode ex2.approx.ftz.f32 1{{$}}
// CHECK-NOT: sass opcode MUFU.TANH
extern "C" __global__ void tanh_slow(float* out, const float* in, unsigned n) {
  elementwise(out, in, n, [](float x) { return tanhf(x); });
}
#else
#include <limits>

#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;

namespace {
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

PTXLAB_KERNEL(
    {
        .question = "How wrong are the functions of the library and their fast forms, and where?",
        .variants =
            {
                {.symbol = "binary_logarithm_fast",
                 .says = "__log2f(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(lg2.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "log2",
                                          .lowest = 0,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "binary_logarithm_slow",
                 .says = "log2f(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(MUFU*) == 0"},
                 .measure = {.how = accuracy,
                             .function = {.name = "log2",
                                          .lowest = 0,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "cosine_fast",
                 .says = "__cosf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(cos.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "cos",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "cosine_slow",
                 .says = "cosf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"loops >= 1; ptx", "opcode(MUFU*) == 0"},
                 .measure = {.how = accuracy,
                             .function = {.name = "cos",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "exponential_fast",
                 .says = "__expf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(ex2.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "exp",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "exponential_of_two",
                 .says = "exp2f(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(ex2.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "exp2",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "exponential_of_two_flushed",
                 .says = "inline ex2.approx.ftz.f32",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(ex2.approx.ftz.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "exp2",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 28}}},
                {.symbol = "exponential_slow",
                 .says = "expf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(ex2.approx.ftz.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "exp",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "logarithm_fast",
                 .says = "__logf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(lg2.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "log",
                                          .lowest = 0,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "logarithm_slow",
                 .says = "logf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(MUFU*) == 0"},
                 .measure = {.how = accuracy,
                             .function = {.name = "log",
                                          .lowest = 0,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "sine_fast",
                 .says = "__sinf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(sin.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "sin",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "sine_slow",
                 .says = "sinf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"loops >= 1; ptx", "opcode(MUFU*) == 0"},
                 .measure = {.how = accuracy,
                             .function = {.name = "sin",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 30}}},
                {.symbol = "tangent_fast",
                 .says = "__tanf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(div.approx.f32) == 1; ptx", "opcode(sin.approx.f32) == 1; ptx",
                          "opcode(cos.approx.f32) == 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "tan",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 28}}},
                {.symbol = "tangent_slow",
                 .says = "tanf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"loops >= 1; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "tan",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 28}}},
                {.symbol = "tanh_fast",
                 .says = "__tanhf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(tanh.approx.f32) == 1; ptx", "opcode(MUFU.TANH) == 1"},
                 .measure = {.how = accuracy,
                             .function = {.name = "tanh",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
                {.symbol = "tanh_slow",
                 .says = "tanhf(x)",
                 .params = {pointer, pointer, u32},
                 .must = {"opcode(tanh.approx.f32) == 0; ptx"},
                 .measure = {.how = accuracy,
                             .function = {.name = "tanh",
                                          .lowest = -infinity,
                                          .highest = infinity,
                                          .samples = 1ULL << 29}}},
            },
    });
#endif
