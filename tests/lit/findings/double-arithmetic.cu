// SPDX-License-Identifier: Apache-2.0
// double-arithmetic: a double literal in float code; not the float literal, doubles as data, or sinf.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel double_data{{$}}
// CHECK: ptx opcode fma.rn.f64 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void double_data(double* out, const double* a) { out[0] = a[0] * 1.1 + a[1]; }

// CHECK-LABEL: kernel double_literal{{$}}
// CHECK: finding double-arithmetic warning ptx line [[#@LINE+1]]: fma.rn.f64
extern "C" __global__ void double_literal(float* out, const float* a) { out[0] = a[0] * 1.1 + a[1]; }

// CHECK-LABEL: kernel double_parameter{{$}}
// CHECK: ptx opcode mul.f64 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void double_parameter(float* out, const float* a, double x) {
  out[0] = static_cast<float>(a[0] * x);
}

// CHECK-LABEL: kernel float_literal{{$}}
// CHECK: ptx opcode fma.rn.f32 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void float_literal(float* out, const float* a) { out[0] = a[0] * 1.1f + a[1]; }

// CHECK-LABEL: kernel sine{{$}}
// CHECK: sass instructions
// CHECK-NOT: finding double-arithmetic
extern "C" __global__ void sine(float* out, const float* a) { out[0] = sinf(a[0]); }
