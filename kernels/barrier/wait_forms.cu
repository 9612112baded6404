// SPDX-License-Identifier: Apache-2.0
// Question: which of the usual ways to write "wait while the flag is 0" still wait at each stage?
//
// Method: one thread, one flag, nothing else, so that the kernel is the wait. The forms differ in
// what shall keep the load in the loop: nothing, a compiler barrier, inline PTX, a fence, a
// qualifier of the load, or an atomic.
//
// Expectation: whatever speaks to nvcc alone (asm volatile, a "memory" clobber) is undone by ptxas,
// which deletes a loop of weak loads. A fence in the body, a strong load and an atomic are kept.
//
// Threats: that a fence keeps a weak load is what these versions do, not what the memory model
// promises. A kernel without other work may be treated more simply than one with; see
// device_barrier.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel wait_acquire{{$}}
// CHECK-DAG: ptx loop L1 poll generic 32 acquire.gpu
// CHECK-DAG: sass loop L1 poll generic 32 strong.gpu {{.*}}acquire
// CHECK-NOT: finding spin-
extern "C" __global__ void wait_acquire(unsigned* flag) {
  while (ld_acquire_gpu_u32(flag) == 0) {
  }
}

// CHECK-LABEL: kernel wait_asm_volatile_load{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 weak
// CHECK-NOT: sass loop
// CHECK: loop line {{.*}} deleted in ptxas
// CHECK: finding spin-lost
extern "C" __global__ void wait_asm_volatile_load(unsigned* flag) {
  while (ld_global_u32(flag) == 0) {
  }
}

// CHECK-LABEL: kernel wait_atomic{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 atomic
// CHECK-DAG: sass loop L1 poll global 32 atomic
// CHECK-NOT: finding spin-
extern "C" __global__ void wait_atomic(unsigned* flag) {
  while (atomicAdd(flag, 0) == 0) {
  }
}

// CHECK-LABEL: kernel wait_clobber_in_body{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 weak
// CHECK-NOT: sass loop
// CHECK: loop line [[#@LINE+3]] deleted in ptxas
// CHECK: finding spin-lost
extern "C" __global__ void wait_clobber_in_body(unsigned* flag) {
  while (*flag == 0) {
    asm volatile("" ::: "memory");  // volatile and "memory": the compiler barrier under test
  }
}

// CHECK-LABEL: kernel wait_fence_in_body{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 weak
// CHECK-DAG: sass loop L1 poll global 32 weak
// CHECK-DAG: loop line [[#@LINE+3]] kept{{.*}} peeled
// CHECK: finding spin-weak
extern "C" __global__ void wait_fence_in_body(unsigned* flag) {
  while (*flag == 0) {
    __threadfence();  // only for what it does to the compilers: nothing here needs the order
  }
}

// CHECK-LABEL: kernel wait_inline_loop{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 weak
// CHECK-NOT: sass loop
// CHECK: loop line {{.*}} deleted in ptxas
// CHECK: finding spin-lost
extern "C" __global__ void wait_inline_loop(unsigned* flag) {
  // volatile and "memory": the strongest form that names no strong load
  asm volatile(
      "{\n\t"
      ".reg .u32 seen;\n\t"
      ".reg .pred again;\n"
      "wait:\n\t"
      "ld.global.u32 seen, [%0];\n\t"
      "setp.eq.u32 again, seen, 0;\n\t"
      "@again bra wait;\n\t"
      "}" ::"l"(__cvta_generic_to_global(flag))
      : "memory");
}

// The loop is there, and the load is one that may be served from a cache nobody keeps coherent.
// CHECK-LABEL: kernel wait_nc_fence{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 nc
// CHECK-DAG: sass loop L1 poll global 32 nc
// CHECK: finding spin-nc
extern "C" __global__ void wait_nc_fence(unsigned* flag) {
  while (__ldg(flag) == 0) {
    __threadfence();  // keeps the loop, and still the load promises that nobody writes
  }
}

// CHECK-LABEL: kernel wait_nc_only{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 nc
// CHECK-NOT: sass loop
// CHECK: loop line {{.*}} deleted in ptxas
extern "C" __global__ void wait_nc_only(unsigned* flag) {
  while (__ldg(flag) == 0) {
  }
}

// Up to sm_90 a thread that once sees 0 hangs; from sm_100 on nvcc has another front end, which
// deletes the loop, and the kernel never waits.
// EXPECT[nvcc>=13.0,sm_90](wait_plain): loop exit none; both
// EXPECT[nvcc>=13.0,sm_90](wait_plain): loop load-hoisted in nvcc
// EXPECT[nvcc>=13.0,sm>=100](wait_plain): loop deleted in nvcc
// EXPECT[nvcc>=13.0,sm>=100](wait_plain): no loop; both
// CHECK-LABEL: kernel wait_plain{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit none
// CHECK-DAG: sass loop L1 {{.*}} exit none
// CHECK: loop line [[#@LINE+3]] load-hoisted in nvcc
// CHECK: finding spin-lost
extern "C" __global__ void wait_plain(unsigned* flag) {
  while (*flag == 0) {
  }
}

// CHECK-LABEL: kernel wait_relaxed{{$}}
// CHECK-DAG: ptx loop L1 poll generic 32 relaxed.gpu
// CHECK-DAG: sass loop L1 poll generic 32 strong.gpu
// CHECK-NOT: finding spin-
extern "C" __global__ void wait_relaxed(unsigned* flag) {
  while (ld_relaxed_gpu_u32(flag) == 0) {
  }
}

// CHECK-LABEL: kernel wait_volatile{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 volatile
// CHECK-DAG: sass loop L1 poll global 32 strong.sys
// CHECK-DAG: loop line [[#@LINE+3]] kept
// CHECK-NOT: finding spin-
extern "C" __global__ void wait_volatile(volatile unsigned* flag) {
  while (*flag == 0) {  // volatile: another thread sets the flag
  }
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Which of the usual ways to write a wait still wait at each stage?",
    .variants =
        {
            {.symbol = "wait_acquire",
             .says = "poll with ld.acquire.gpu",
             .params = {pointer},
             .must = {"loop polls kept; ptx; strength == acquire.gpu",
                      "loop polls; sass; strength >= acquire.gpu", "no finding spin-lost",
                      "no finding spin-weak"}},
            {.symbol = "wait_asm_volatile_load",
             .says = "C++ loop around asm volatile of a weak ld.global",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == weak", "no loop; sass", "loop deleted in ptxas",
                      "finding spin-lost"}},
            {.symbol = "wait_atomic",
             .says = "poll with an atomic that adds 0",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == atomic",
                      "loop polls; sass; strength >= volatile", "no finding spin-lost",
                      "no finding spin-weak"}},
            {.symbol = "wait_clobber_in_body",
             .says = "plain poll with an empty asm volatile and a memory clobber in the body",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == weak", "no loop; sass", "loop deleted in ptxas",
                      "finding spin-lost"}},
            {.symbol = "wait_fence_in_body",
             .says = "plain poll with __threadfence() in the body",
             .params = {pointer},
             .must = {"loop polls; both; strength == weak", "loop kept peeled", "finding spin-weak",
                      "no finding spin-lost"}},
            {.symbol = "wait_inline_loop",
             .says = "inline PTX loop around ld.global, asm volatile with a memory clobber",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == weak", "no loop; sass", "loop deleted in ptxas",
                      "finding spin-lost"}},
            {.symbol = "wait_nc_fence",
             .says = "poll with __ldg and __threadfence() in the body",
             .params = {pointer},
             .must = {"loop polls; both; strength == nc", "finding spin-nc"}},
            {.symbol = "wait_nc_only",
             .says = "poll with __ldg",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == nc", "no loop; sass", "loop deleted in ptxas",
                      "finding spin-lost"}},
            {.symbol = "wait_plain",
             .says = "while (*flag == 0) on a plain unsigned",
             .params = {pointer},
             .must = {"finding spin-lost"}},
            {.symbol = "wait_relaxed",
             .says = "poll with ld.relaxed.gpu",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == relaxed.gpu",
                      "loop polls; sass; strength == strong.gpu", "no finding spin-lost",
                      "no finding spin-weak"}},
            {.symbol = "wait_volatile",
             .says = "while (*flag == 0) on a volatile unsigned",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == volatile",
                      "loop polls kept; sass; strength == strong.sys", "no finding spin-lost",
                      "no finding spin-weak"}},
        },
});
#endif
