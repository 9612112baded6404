// SPDX-License-Identifier: Apache-2.0
// Question: which ways to write a barrier over the whole grid survive nvcc, and then ptxas?
//
// Method: the transform X -> P -> X of a report of 2012. Thread j writes the mean of all X to P[j];
// then, behind the barrier, the mean of all P to X[j]. The barrier is one counter: the first
// thread of each block adds to it and polls until the last block has arrived, then __syncthreads
// lets its block go. Only the poll differs between the variants.
//
// Expectation: a poll with a weak load is lost, by nvcc if it is C++ and by ptxas if it is inline
// PTX; asm volatile and a "memory" clobber do not save it. Volatile, relaxed and acquire loads
// stay.
//
// Threats: the counter wraps to 0 and has no generation, so one launch may use it once; every block
// must be resident; volatile and relaxed polls order nothing by themselves, which is why the
// relaxed one has a fence behind it and the volatile ones are as then, right on this hardware at
// best.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include <cooperative_groups.h>

#include "ptx/device/memory.cuh"

using namespace ptxlab::device;

static __device__ __forceinline__ unsigned element() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ float mean(const float* values, unsigned n) {
  float sum = 0;
#pragma unroll 1  // one loop per step at every stage, so that the wait is easy to tell from them
  for (unsigned i = 0; i < n; ++i) sum += values[i];
  // The fast division: exact for n a power of two, and without the slow-path callee of `/`.
  return __fdividef(sum, static_cast<float>(n));
}

// The block's results first, then the fence, then the count: the order in which another block may
// see them. True for the one thread that has to wait.
static __device__ __forceinline__ bool block_arrives(unsigned* count) {
  __syncthreads();
  if (threadIdx.x != 0) return false;
  __threadfence();
  atomicInc(count, gridDim.x - 1);
  return true;
}

// CHECK-LABEL: kernel acquire_poll{{$}}
// CHECK-DAG: ptx opcode ld.acquire.gpu.u32 1{{$}}
// CHECK-DAG: ptx loop {{.*}} poll generic 32 acquire.gpu
// CHECK-DAG: sass loop {{.*}} poll {{generic|global}} 32 strong.gpu {{.*}}acquire
// CHECK-NOT: finding spin-
extern "C" __global__ void acquire_poll(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    while (ld_acquire_gpu_u32(count) != 0) {
    }
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel cooperative_groups_sync{{$}}
// CHECK: sass loop {{.*}} poll {{generic|global}} 32 strong.gpu
// CHECK-NOT: finding spin-
extern "C" __global__ void cooperative_groups_sync(float* x, float* p, unsigned n) {
  p[element()] = mean(x, n);
  cooperative_groups::this_grid().sync();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel inline_ptx_clobber{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 32 weak
// CHECK-NOT: sass loop {{.*}} exit load
// CHECK: loop line {{.*}} deleted in ptxas
// CHECK: finding spin-lost
extern "C" __global__ void inline_ptx_clobber(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    // volatile and "memory": the usual advice. Both speak to nvcc; ptxas never sees them.
    asm volatile(
        "{\n\t"
        ".reg .u32 seen;\n\t"
        ".reg .pred again;\n"
        "spin:\n\t"
        "ld.global.u32 seen, [%0];\n\t"
        "setp.ne.u32 again, seen, 0;\n\t"
        "@again bra spin;\n\t"
        "}" ::"l"(__cvta_generic_to_global(count))
        : "memory");
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel inline_ptx_ld_volatile{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 32 volatile
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.sys
// CHECK-NOT: finding spin-
extern "C" __global__ void inline_ptx_ld_volatile(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    // volatile and "memory" so that nvcc keeps it in place; ld.volatile so that ptxas does.
    asm volatile(
        "{\n\t"
        ".reg .u32 seen;\n\t"
        ".reg .pred again;\n"
        "spin:\n\t"
        "ld.volatile.global.u32 seen, [%0];\n\t"
        "setp.ne.u32 again, seen, 0;\n\t"
        "@again bra spin;\n\t"
        "}" ::"l"(__cvta_generic_to_global(count))
        : "memory");
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel inline_ptx_plain{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 32 weak
// CHECK-NOT: sass loop {{.*}} exit load
// CHECK: loop line {{.*}} deleted in ptxas
// CHECK: finding spin-lost
extern "C" __global__ void inline_ptx_plain(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    // As in 2012: neither volatile nor a clobber.
    asm("{\n\t"
        ".reg .u32 seen;\n\t"
        ".reg .pred again;\n"
        "spin:\n\t"
        "ld.global.u32 seen, [%0];\n\t"
        "setp.ne.u32 again, seen, 0;\n\t"
        "@again bra spin;\n\t"
        "}" ::"l"(__cvta_generic_to_global(count)));
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// Up to sm_90 the wait hangs unless the first look ends it; from sm_100 on nvcc has another front
// end, which deletes the loop, and nobody waits.
// EXPECT[nvcc>=13.0,sm_90](plain_poll): loop exit none; both
// EXPECT[nvcc>=13.0,sm_90](plain_poll): loop load-hoisted in nvcc
// EXPECT[nvcc>=13.0,sm>=100](plain_poll): loop deleted in nvcc
// CHECK-LABEL: kernel plain_poll{{$}}
// CHECK-DAG: ptx loop {{.*}} exit none
// CHECK-DAG: sass loop {{.*}} exit none
// CHECK: loop line [[#@LINE+5]] load-hoisted in nvcc
// CHECK: finding spin-lost
extern "C" __global__ void plain_poll(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    while (*count != 0) {
    }
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel red_release_acquire{{$}}
// CHECK-DAG: ptx opcode red.release.gpu.add.u32 1{{$}}
// CHECK-DAG: ptx loop {{.*}} poll generic 32 acquire.gpu
// CHECK-DAG: sass loop {{.*}} poll {{generic|global}} 32 strong.gpu {{.*}}acquire
// CHECK-NOT: finding spin-
extern "C" __global__ void red_release_acquire(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  __syncthreads();
  if (threadIdx.x == 0) {
    red_release_gpu_add_u32(count, 1);
    while (ld_acquire_gpu_u32(count) < gridDim.x) {
    }
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel relaxed_poll{{$}}
// CHECK-DAG: ptx loop {{.*}} poll generic 32 relaxed.gpu
// CHECK-DAG: sass loop {{.*}} poll {{generic|global}} 32 strong.gpu
// CHECK-NOT: finding spin-
extern "C" __global__ void relaxed_poll(float* x, float* p, unsigned* count, unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(count)) {
    while (ld_relaxed_gpu_u32(count) != 0) {
    }
    __threadfence();  // a relaxed load orders nothing; the fence makes the pair synchronise
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel volatile_counter{{$}}
// CHECK-DAG: ptx loop {{.*}} poll {{generic|global}} 32 volatile
// CHECK-DAG: sass loop {{.*}} poll {{generic|global}} 32 strong.sys
// CHECK-NOT: finding spin-
extern "C" __global__ void volatile_counter(float* x, float* p, volatile unsigned* count,
                                            unsigned n) {
  p[element()] = mean(x, n);
  if (block_arrives(const_cast<unsigned*>(count))) {
    while (*count != 0) {  // volatile: another block ends this wait
    }
  }
  __syncthreads();
  x[element()] = mean(p, n);
}

// The whole kernel of 2012: block 0 clears the counter inside the kernel and the others wait for
// it. Before the launch the counter must be gridDim.x or above: a 0 left from an earlier launch
// would let a block arrive before block 0 clears that arrival away, and then nobody leaves.
// CHECK-LABEL: kernel with_init_step{{$}}
// CHECK-DAG: ptx loop L1 poll {{generic|global}} 32 volatile
// CHECK-DAG: sass loop L1 poll {{generic|global}} 32 strong.sys
// CHECK-NOT: finding spin-
extern "C" __global__ void with_init_step(float* x, float* p, volatile unsigned* count,
                                          unsigned n) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0) *count = 0;
    while (*count >= gridDim.x) {  // volatile: block 0 ends this wait
    }
  }
  p[element()] = mean(x, n);
  if (block_arrives(const_cast<unsigned*>(count))) {
    while (*count != 0) {  // volatile: the last block to arrive ends this wait
    }
  }
  __syncthreads();
  x[element()] = mean(p, n);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::rehearsal;

// Two blocks of 64 as in 2012, and more; 0 is one on every SM.
// The work of 2012: 128 elements, two blocks of 64 threads; every mean of ones is one.
static const rehearsal two_blocks = {
    .blocks = 2,
    .threads = 64,
    .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p",
                  "buf:u32:1:zero:name=count", "u32:128"},
    .result = "x=1"};
static const rehearsal cooperative = {
    .blocks = 2,
    .threads = 64,
    .cooperative = true,
    .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p", "u32:128"},
    .result = "x=1"};
static const rehearsal counter_uncleared = {
    .blocks = 2,
    .threads = 64,
    .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p",
                  "buf:u32:1:fill:2:name=count", "u32:128"},
    .result = "x=1"};

PTXLAB_KERNEL({
    .question = "Which ways to write a barrier over the whole grid survive nvcc and ptxas?",
    .variants =
        {
            {.symbol = "acquire_poll",
             .says = "fence and atomicInc, poll with ld.acquire.gpu",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == acquire.gpu",
                      "loop polls kept; sass; strength >= acquire.gpu", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = two_blocks},
            {.symbol = "cooperative_groups_sync",
             .says = "grid.sync() of cooperative groups",
             .params = {pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == acquire.gpu",
                      "loop polls; sass; strength >= acquire.gpu", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = cooperative},
            {.symbol = "inline_ptx_clobber",
             .says = "fence and atomicInc, inline PTX loop with asm volatile and a memory clobber",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == weak", "loop deleted in ptxas",
                      "every loop exit counter; sass", "finding spin-lost"},
             .rehearse = two_blocks},
            {.symbol = "inline_ptx_ld_volatile",
             .says = "fence and atomicInc, inline PTX loop around ld.volatile",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == volatile",
                      "loop polls kept; sass; strength >= volatile", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = two_blocks},
            {.symbol = "inline_ptx_plain",
             .says = "fence and atomicInc, inline PTX loop around ld.global as in 2012",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == weak", "loop deleted in ptxas",
                      "every loop exit counter; sass", "finding spin-lost"},
             .rehearse = two_blocks},
            {.symbol = "plain_poll",
             .says = "fence and atomicInc, while (*count != 0) on a plain unsigned",
             .params = {pointer, pointer, pointer, u32},
             .must = {"finding spin-lost"},
             .rehearse = two_blocks},
            {.symbol = "red_release_acquire",
             .says = "red.release.gpu arrives, poll with ld.acquire.gpu, no fence",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == acquire.gpu",
                      "loop polls kept; sass; strength >= acquire.gpu", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = two_blocks},
            {.symbol = "relaxed_poll",
             .says = "fence and atomicInc, poll with ld.relaxed.gpu, fence",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == relaxed.gpu",
                      "loop polls kept; sass; strength == strong.gpu", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = two_blocks},
            {.symbol = "volatile_counter",
             .says = "fence and atomicInc, while (*count != 0) on a volatile unsigned",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop polls; ptx; strength == volatile",
                      "loop polls kept; sass; strength == strong.sys", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = two_blocks},
            {.symbol = "with_init_step",
             .says = "as volatile_counter, and block 0 clears the counter while the others wait",
             .params = {pointer, pointer, pointer, u32},
             .must = {"loop 1 polls; sass; strength == strong.sys",
                      "loop 3 polls; sass; strength == strong.sys", "no finding spin-lost",
                      "no finding spin-weak"},
             .rehearse = counter_uncleared},
        },
});
#endif
