// SPDX-License-Identifier: Apache-2.0
// Question: does the machine code between two clock reads hold what the source put there, and
// nothing else?
//
// Method: two clock64() around a chain of additions and multiplications, and around loads; broken
// on purpose and repaired.
//
// Expectation: a chain whose result nobody stores is gone and the two reads are adjacent. A load
// stands between the reads, but nobody waits for it: its issue is timed. Only where a use of the
// value stands before the second read is the latency in the region.
//
// Threats: a region that passes may still hold address arithmetic or a parameter load; the first
// use of a parameter often falls behind the first clock read.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"

using namespace ptxlab::device;

using word = unsigned long long;

// The address that the timed load reads, in a register before the clock is read: it comes from
// memory, and the test makes the thread wait for it. No parameter and no arithmetic is left for the
// timed region.
static __device__ __forceinline__ word first_address(const word* start) {
  word const at = ld_global_u64(__cvta_generic_to_global(start));
  if (at == 0) __trap();
  return at;
}

// CHECK-LABEL: kernel chain_stored{{$}}
// CHECK-DAG: sass opcode FFMA 32{{$}}
// CHECK-DAG: sass opcode CS2R 2{{$}}
// CHECK-NOT: finding timed-region-empty
// CHECK: finding timed-load-unconsumed note sass line [[#@LINE+3]]: {{.*}}LDC
extern "C" __global__ void chain_stored(long long* cycles, float* out, float x) {
  float y = x;
  long long const begin = clock64();
#pragma unroll  // no loop overhead between the clock reads
  for (int i = 0; i < 32; ++i) y = fmaf(y, 1.5f, x);
  long long const end = clock64();
  out[threadIdx.x] = y;
  cycles[threadIdx.x] = end - begin;
}

// CHECK-LABEL: kernel chain_unused{{$}}
// CHECK-DAG: ptx instructions
// CHECK-NOT: opcode FFMA
// CHECK: finding timed-region-empty
extern "C" __global__ void chain_unused(long long* cycles, float x) {
  float y = x;
  long long const begin = clock64();
#pragma unroll  // no loop overhead between the clock reads
  for (int i = 0; i < 32; ++i) y = fmaf(y, 1.5f, x);
  long long const end = clock64();
  cycles[threadIdx.x] = end - begin;
}

// CHECK-LABEL: kernel load_consumed{{$}}
// CHECK-DAG: sass opcode BPT.TRAP
// CHECK-DAG: sass opcode CS2R 2{{$}}
// CHECK-NOT: finding timed-
extern "C" __global__ void load_consumed(long long* cycles, word* out, const word* start) {
  word const at = first_address(start);
  long long const begin = clock64();
  word const value = ld_global_u64(at);
  if (value == 0) __trap();  // never so; but to test it, the value must have come
  long long const end = clock64();
  out[threadIdx.x] = value;
  cycles[threadIdx.x] = end - begin;
}

// CHECK-LABEL: kernel load_unconsumed{{$}}
// CHECK-DAG: sass opcode CS2R 2{{$}}
// CHECK: finding timed-load-unconsumed
extern "C" __global__ void load_unconsumed(long long* cycles, word* out, const word* start) {
  word const at = first_address(start);
  long long const begin = clock64();
  word const value = ld_global_u64(at);
  long long const end = clock64();
  out[threadIdx.x] = value;
  cycles[threadIdx.x] = end - begin;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Does the machine code between two clock reads hold what the source put there?",
    .variants =
        {
            {.symbol = "chain_stored",
             .says = "32 dependent FMAs, the result stored",
             .params = {pointer, pointer, f32},
             .must = {"opcode(FFMA) == 32", "no finding timed-region-empty"}},
            {.symbol = "chain_unused",
             .says = "32 dependent FMAs, the result thrown away",
             .params = {pointer, f32},
             .must = {"opcode(FFMA) == 0", "opcode(fma*) == 0; ptx", "finding timed-region-empty"}},
            {.symbol = "load_consumed",
             .says = "one load that is used before the second clock read",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(LDG.E.64*) == 2", "no finding timed-load-unconsumed",
                      "no finding timed-region-empty"}},
            {.symbol = "load_unconsumed",
             .says = "one load that is used after the second clock read only",
             .params = {pointer, pointer, pointer},
             .must = {"opcode(LDG.E.64*) == 2", "finding timed-load-unconsumed"}},
        },
});
#endif
