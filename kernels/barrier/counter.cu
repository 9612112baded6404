// SPDX-License-Identifier: Apache-2.0
// Question: what does the plainest sound barrier over the grid cost: one counter that only grows?
//
// Method: the first thread of each block adds 1 by a reduction that releases and returns nothing,
// knows by itself how many arrivals this round ends with, and polls with loads that acquire.
// __syncthreads() around it joins the rest of the block. Nothing is reset: the next round waits for
// more. The comparison is of differences, so that the counter may wrap.
//
// Expectation: faster than cooperative groups, whose arrival waits for the value that its atomic
// returns. Every poll pays for its acquire (CCTL.IVALL), also one that fails.
//
// Threats: a poll that just misses the last arrival costs a round trip. The mutants still count:
// what they lose is not the wait but the order, which a run may or may not show.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <ordering O>
struct counter {
  unsigned* count;

  __device__ explicit counter(unsigned* state) : count(state) {}

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      arrive_at<O>(count);
      wait_acquiring<O>(count, round * gridDim.x);
    }
    __syncthreads();
  }
};
using sound = counter<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx opcode red.release.gpu.global.add.u32 1{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 32 acquire.gpu
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu {{.*}}acquire
extern "C" __global__ void __launch_bounds__(1024, 2) bare(sample* out, const word* in) {
  time_barrier<sound>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) dirty(sample* out, const word* in) {
  time_dirty_barrier<sound>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) late(sample* out, const word* in) {
  time_late_barrier<sound>(out, in);
}

// CHECK-LABEL: kernel litmus{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu {{.*}}acquire
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<counter<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<counter<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<counter<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel transform{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<sound>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{};

PTXLAB_KERNEL({
    .question = "What does the plainest sound barrier over the grid cost?",
    .variants =
        {
            {.symbol = "bare",
             .says = "rounds of the barrier alone",
             .must = {"loop polls; ptx; strength == acquire.gpu",
                      "loop polls; sass; strength >= acquire.gpu", "no finding spin-lost",
                      "no finding spin-weak", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.by_blocks()},
            {.symbol = "dirty",
             .says = "a weak store by every thread before each",
             .measure = family.on_every_sm()},
            {.symbol = "late",
             .says = "block 0 arrives 4000 cycles late",
             .measure = family.on_every_sm()},
            {.symbol = "litmus",
             .says = "what is seen of another block behind it",
             .params = family.messages(),
             .must = {"loop polls; sass; strength >= acquire.gpu"},
             .measure = family.ordered(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_narrow",
             .says = "its fences reach the block only",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_no_acquire",
             .says = "polled by relaxed loads, nothing behind",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_no_release",
             .says = "arrives by a relaxed reduction",
             .params = family.messages(),
             .must = {"loop polls; sass; strength >= acquire.gpu"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "transform",
             .says = "X -> P -> X behind it",
             .params = family.steps(),
             .must = {"no finding spin-lost", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.surface(),
             .rehearse = family.of_ones()},
        },
});
#endif
