// SPDX-License-Identifier: Apache-2.0
// Question: what becomes of a counted loop: kept, unrolled, or gone; and which compiler did it?
//
// Method: the same sum with each form of #pragma unroll, with a constant and a run-time count; then
// loops without a body, which are meant as delays.
//
// Expectation: nvcc unrolls a constant count of 64 by itself and a run-time count by four with a
// remainder loop (up to sm_90; by sixteen from sm_100 on). An empty loop is deleted by nvcc; with a
// volatile counter or an empty asm volatile it stays in PTX and ptxas deletes it. A loop that reads
// the clock or sleeps is kept.
//
// Threats: how far a loop is unrolled is a heuristic of these versions. ptxas unrolls again what
// nvcc left, so that a factor seen in PTX is not the factor that runs.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel clock_delay{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit other
// CHECK-DAG: sass loop L1 {{.*}} exit other
// CHECK: loop line [[#@LINE+3]] kept
extern "C" __global__ void clock_delay(float* out, long long cycles) {
  long long const begin = clock64();
  while (clock64() - begin < cycles) {
  }
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel count_default{{$}}
// CHECK-DAG: ptx opcode add.f32 64{{$}}
// CHECK-NOT: ptx loop
// CHECK-DAG: sass opcode FADD 64{{$}}
// CHECK: loop line [[#@LINE+3]] unrolled in nvcc{{.*}} full
extern "C" __global__ void count_default(float* out, const float* a) {
  float sum = 0;
  for (int i = 0; i < 64; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel count_fully_unrolled{{$}}
// CHECK-DAG: ptx opcode add.f32 16{{$}}
// CHECK-NOT: ptx loop
// CHECK-DAG: sass opcode FADD 16{{$}}
// CHECK: loop line [[#@LINE+4]] unrolled in nvcc{{.*}} full
extern "C" __global__ void count_fully_unrolled(float* out, const float* a) {
  float sum = 0;
#pragma unroll  // the form under test
  for (int i = 0; i < 16; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel count_not_unrolled{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit counter {{.*}} trip 64
// CHECK-DAG: sass loop L1 {{.*}} exit counter {{.*}} trip 64
// CHECK-DAG: sass opcode FADD 1{{$}}
// CHECK: loop line [[#@LINE+4]] kept
extern "C" __global__ void count_not_unrolled(float* out, const float* a) {
  float sum = 0;
#pragma unroll 1  // the form under test
  for (int i = 0; i < 64; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel count_unrolled_by_four{{$}}
// CHECK-DAG: ptx opcode add.f32 4{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit counter {{.*}} trip 16
// CHECK-DAG: sass opcode FADD 4{{$}}
// CHECK: loop line [[#@LINE+4]] unrolled in nvcc by 4
extern "C" __global__ void count_unrolled_by_four(float* out, const float* a) {
  float sum = 0;
#pragma unroll 4  // the form under test
  for (int i = 0; i < 64; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel empty_asm_volatile{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit counter
// CHECK-NOT: sass loop
// CHECK: loop line [[#@LINE+2]] deleted in ptxas
extern "C" __global__ void empty_asm_volatile(float* out, int n) {
  for (int i = 0; i < n; ++i) {
    asm volatile("");  // volatile: to keep nvcc from deleting the loop, which it does
  }
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel empty_plain{{$}}
// CHECK: ptx instructions
// CHECK-NOT: ptx loop
// CHECK-NOT: sass loop
// CHECK: loop line [[#@LINE+2]] deleted in nvcc
extern "C" __global__ void empty_plain(float* out, int n) {
  for (int i = 0; i < n; ++i) {
  }
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel empty_volatile_counter{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit counter
// CHECK-NOT: sass loop
// CHECK: loop line [[#@LINE+3]] deleted in ptxas
extern "C" __global__ void empty_volatile_counter(float* out, int n) {
  // volatile: the usual advice; the counter is a register all the same
  for (volatile int i = 0; i < n; i = i + 1) {
  }
  out[threadIdx.x] = 1;
}

// CHECK-LABEL: kernel nested{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} depth 1
// CHECK-DAG: ptx loop L2 {{.*}} depth 2
// CHECK-DAG: sass loop L1 {{.*}} depth 1
// CHECK-DAG: sass loop L2 {{.*}} depth 2
// CHECK-DAG: loop line [[#@LINE+5]] kept
// CHECK-DAG: loop line [[#@LINE+6]] kept
extern "C" __global__ void nested(float* out, const float* a, int n, int m) {
  float sum = 0;
#pragma unroll 1  // keeps the nest as it is written
  for (int i = 0; i < n; ++i) {
#pragma unroll 1  // as above
    for (int j = 0; j < m; ++j) sum += a[i * m + j];
    sum *= 2;
  }
  out[threadIdx.x] = sum;
}

// EXPECT[nvcc>=13.0,sm_90](runtime_default): loop unrolled in nvcc by 4
// EXPECT[nvcc>=13.0,sm_90](runtime_default): loops == 2; ptx
// CHECK-LABEL: kernel runtime_default{{$}}
// CHECK-DAG: ptx opcode add.f32 5{{$}}
// CHECK: loop line [[#@LINE+3]] unrolled in nvcc by 4
extern "C" __global__ void runtime_default(float* out, const float* a, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel runtime_not_unrolled{{$}}
// CHECK-DAG: ptx opcode add.f32 1{{$}}
// CHECK-DAG: sass loop L1 {{.*}} exit counter
// CHECK: loop line [[#@LINE+4]] kept
extern "C" __global__ void runtime_not_unrolled(float* out, const float* a, int n) {
  float sum = 0;
#pragma unroll 1  // the form under test
  for (int i = 0; i < n; ++i) sum += a[i * 32 + threadIdx.x];
  out[threadIdx.x] = sum;
}

// CHECK-LABEL: kernel sleep_delay{{$}}
// CHECK-DAG: ptx opcode nanosleep.u32 1{{$}}
// CHECK-DAG: sass loop L1 {{.*}} exit counter
// CHECK: loop line {{.*}} kept
extern "C" __global__ void sleep_delay(float* out, int n) {
#pragma unroll 1  // one sleep in the text, so that it can be counted
  for (int i = 0; i < n; ++i) __nanosleep(20);
  out[threadIdx.x] = 1;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question =
        "What becomes of a counted loop: kept, unrolled, or gone; and which compiler did it?",
    .variants =
        {
            {.symbol = "clock_delay",
             .says = "delay until clock64() has advanced",
             .params = {pointer, u64},
             .must = {"loop kept"}},
            {.symbol = "count_default",
             .says = "constant count of 64, no pragma",
             .params = {pointer, pointer},
             .must = {"no loop; both", "loop unrolled in nvcc full"}},
            {.symbol = "count_fully_unrolled",
             .says = "constant count of 16, #pragma unroll",
             .params = {pointer, pointer},
             .must = {"no loop; both", "loop unrolled in nvcc full"}},
            {.symbol = "count_not_unrolled",
             .says = "constant count of 64, #pragma unroll 1",
             .params = {pointer, pointer},
             .must = {"loop exit counter trip == 64; both", "loop kept"}},
            {.symbol = "count_unrolled_by_four",
             .says = "constant count of 64, #pragma unroll 4",
             .params = {pointer, pointer},
             .must = {"loop exit counter trip == 16; ptx", "loop unrolled in nvcc by 4"}},
            {.symbol = "empty_asm_volatile",
             .says = "empty delay loop around asm volatile("
                     ")",
             .params = {pointer, u32},
             .must = {"loops >= 1; ptx", "no loop; sass", "loop deleted in ptxas"}},
            {.symbol = "empty_plain",
             .says = "empty delay loop",
             .params = {pointer, u32},
             .must = {"no loop; both", "loop deleted in nvcc"}},
            {.symbol = "empty_volatile_counter",
             .says = "empty delay loop with a volatile counter",
             .params = {pointer, u32},
             .must = {"loops == 1; ptx", "no loop; sass", "loop deleted in ptxas",
                      "stack_bytes == 0"}},
            {.symbol = "nested",
             .says = "two nested loops, not unrolled",
             .params = {pointer, pointer, u32, u32},
             .must = {"loops == 2; both", "every loop kept"}},
            {.symbol = "runtime_default",
             .says = "run-time count, no pragma",
             .params = {pointer, pointer, u32},
             .must = {"loop unrolled in nvcc"}},
            {.symbol = "runtime_not_unrolled",
             .says = "run-time count, #pragma unroll 1",
             .params = {pointer, pointer, u32},
             .must = {"loops == 1; both", "loop kept"}},
            {.symbol = "sleep_delay",
             .says = "delay loop that sleeps in each round",
             .params = {pointer, u32},
             .must = {"loops == 1; both", "opcode(NANOSLEEP*) == 1"}},
        },
});
#endif
