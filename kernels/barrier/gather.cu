// SPDX-License-Identifier: Apache-2.0
// Question: what does the barrier without atomics of Xiao and Feng (2010) cost today?
//
// Method: each block writes the round into a word of its own. The threads of block 0 poll these
// words, one each, and after __syncthreads() write the round into another word of each block, which
// that block polls.
//
// Expectation: two hops, so about twice barrier/all_to_all's way through L2; nobody contends for a
// word.
//
// Threats: as published, nothing was ordered but by volatile; here the stores release, and what is
// behind the polls acquires. With more blocks than threads block 0 takes them in turns.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <ordering O>
struct gather {
  static constexpr unsigned apart = 8;  // words between the words that are polled: a sector
  unsigned *arrived, *released;

  __device__ explicit gather(unsigned* state) : arrived(state), released(state + page_words) {}

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (blockIdx.x != 0) {
      if (threadIdx.x == 0) {
        announce<O>(arrived + blockIdx.x, round);
        wait_relaxed<O>(released + blockIdx.x * apart, round);
      }
    } else {
#pragma unroll 1  // once, mostly
      for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        if (b != 0) wait_relaxed<O>(arrived + b, round);
      __syncthreads();  // all have arrived, whoever has seen it
#pragma unroll 1  // once, mostly
      for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        if (b != 0) announce<O>(released + b * apart, round);
    }
    __syncthreads();
  }
};
using sound = gather<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK-DAG: sass opcode STG.E.STRONG.GPU 2{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu
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
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.CTA 4{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode STG.E.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<gather<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<gather<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode STG.E.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<gather<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<sound>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{.per_copy = 2};

PTXLAB_KERNEL({
    .question = "What does the barrier without atomics of Xiao and Feng (2010) cost today?",
    .variants =
        {
            {.symbol = "bare",
             .says = "rounds of the barrier alone",
             .must = {"loop polls; ptx; strength == relaxed.gpu",
                      "loop polls; sass; strength == strong.gpu", "no finding spin-lost",
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
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.ordered(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_narrow",
             .says = "its fences reach the block only",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_no_acquire",
             .says = "nothing acquires behind the polls",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "litmus_no_release",
             .says = "nothing releases before the arrival",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.gpu"},
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
