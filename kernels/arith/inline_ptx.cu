// SPDX-License-Identifier: Apache-2.0
// Question: which inline PTX reaches the PTX file, and what does a missing "memory" cost?
//
// Method: an asm whose output is not used, with and without volatile; and an asm that loads a word
// between two plain stores to it: without either, with volatile, with volatile and "memory".
//
// Expectation: the unused asm is dropped unless volatile, and ptxas drops the volatile one after
// all. The plain asm load makes nvcc delete the store it should have seen: the kernel reads the old
// word. volatile saves the store today; only "memory" promises to.
//
// Threats: what volatile without "memory" does is an observation of these versions, not a rule.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel asm_unused_plain{{$}}
// CHECK: ptx instructions
// CHECK-NOT: opcode popc
// CHECK-NOT: opcode POPC
// CHECK: finding asm-dropped
extern "C" __global__ void asm_unused_plain(int* out, const int* a) {
  [[maybe_unused]] int unused;
  asm("popc.b32 %0, %1;" : "=r"(unused) : "r"(a[threadIdx.x]));
  out[threadIdx.x] = a[threadIdx.x];
}

// CHECK-LABEL: kernel asm_unused_volatile{{$}}
// CHECK-DAG: ptx opcode popc.b32 1{{$}}
// CHECK-NOT: sass opcode POPC
extern "C" __global__ void asm_unused_volatile(int* out, const int* a) {
  [[maybe_unused]] int unused;
  // volatile: the form under test; nvcc keeps it for that
  asm volatile("popc.b32 %0, %1;" : "=r"(unused) : "r"(a[threadIdx.x]));
  out[threadIdx.x] = a[threadIdx.x];
}

// CHECK-LABEL: kernel asm_used{{$}}
// CHECK-DAG: ptx opcode popc.b32 1{{$}}
// CHECK-DAG: sass opcode POPC 1{{$}}
// CHECK-NOT: finding asm-
extern "C" __global__ void asm_used(int* out, const int* a) {
  int bits;
  asm("popc.b32 %0, %1;" : "=r"(bits) : "r"(a[threadIdx.x]));
  out[threadIdx.x] = bits;
}

// CHECK-LABEL: kernel load_clobber{{$}}
// CHECK-DAG: ptx opcode st.global.u32 3{{$}}
// CHECK-NOT: finding asm-memory-no-clobber
extern "C" __global__ void load_clobber(int* out, int* a) {
  *a = 1;
  int seen;
  // volatile and "memory": the load must see the store above and none below
  asm volatile("ld.global.u32 %0, [%1];"
               : "=r"(seen)
               : "l"(__cvta_generic_to_global(a))
               : "memory");
  out[0] = seen;
  *a = 2;
}

// The store of 1 is not in the PTX: to nvcc nobody reads the word before the store of 2.
// CHECK-LABEL: kernel load_plain{{$}}
// CHECK-DAG: ptx opcode st.global.u32 2{{$}}
// CHECK: finding asm-memory-no-clobber
extern "C" __global__ void load_plain(int* out, int* a) {
  *a = 1;
  int seen;
  asm("ld.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(a)));
  out[0] = seen;
  *a = 2;
}

// CHECK-LABEL: kernel load_volatile{{$}}
// CHECK-DAG: ptx opcode st.global.u32 3{{$}}
// CHECK: finding asm-memory-no-clobber
extern "C" __global__ void load_volatile(int* out, int* a) {
  *a = 1;
  int seen;
  // volatile: alone, the form under test
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(seen) : "l"(__cvta_generic_to_global(a)));
  out[0] = seen;
  *a = 2;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Which inline PTX reaches the PTX file, and what does a missing clobber cost?",
    .variants =
        {
            {.symbol = "asm_unused_plain",
             .says = "popc whose result nobody uses, no volatile",
             .params = {pointer, pointer},
             .must = {"opcode(popc*) == 0; ptx", "finding asm-dropped"}},
            {.symbol = "asm_unused_volatile",
             .says = "popc whose result nobody uses, volatile",
             .params = {pointer, pointer},
             .must = {"opcode(popc*) == 1; ptx", "opcode(POPC*) == 0", "no finding asm-dropped"}},
            {.symbol = "asm_used",
             .says = "popc whose result is stored",
             .params = {pointer, pointer},
             .must = {"opcode(popc*) == 1; ptx", "opcode(POPC) == 1", "no finding asm-dropped"}},
            {.symbol = "load_clobber",
             .says = "asm volatile load with a memory clobber between two stores",
             .params = {pointer, pointer},
             .must = {"opcode(st.global*) == 3; ptx", "no finding asm-memory-no-clobber"}},
            {.symbol = "load_plain",
             .says = "asm load without volatile or clobber between two stores",
             .params = {pointer, pointer},
             .must = {"opcode(st.global*) == 2; ptx", "finding asm-memory-no-clobber"}},
            {.symbol = "load_volatile",
             .says = "asm volatile load without a clobber between two stores",
             .params = {pointer, pointer},
             .must = {"opcode(st.global*) == 3; ptx", "finding asm-memory-no-clobber"}},
        },
});
#endif
