// SPDX-License-Identifier: Apache-2.0
// Question: does it help to poll another word than the one that all arrive at?
//
// Method: one counter and one flag, in lines of their own. The arrival is an atomic, since its
// result tells the last block that it is the last; that block writes the round into the flag, which
// the others poll.
//
// Expectation: slower than barrier/counter: the result of the last arrival has to come back before
// the flag can leave, and it has to be fenced between the two.
//
// Threats: the last block need not poll, so that it leaves before the others.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <ordering O>
struct flag {
  unsigned *count, *released;

  __device__ explicit flag(unsigned* state) : count(state), released(state + page_words) {}

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      fence_before_arrival<O>();
      unsigned const before = atom_relaxed_gpu_global_add_u32(global_address(count), 1);
      if (before + 1 == round * gridDim.x) {
        // All that the others released is acquired here, and released again by the flag.
        fence_between<O>();
        st_relaxed_gpu_global_u32(released, round);
      } else {
        wait_relaxed<O>(released, round);
      }
    }
    __syncthreads();
  }
};
using sound = flag<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK-DAG: sass opcode STG.E.STRONG.GPU 1{{$}}
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
// CHECK: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.CTA 3{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<flag<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<flag<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<flag<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<sound>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{};

PTXLAB_KERNEL({
    .question = "Does it help to poll another word than the one that all arrive at?",
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
