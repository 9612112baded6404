// SPDX-License-Identifier: Apache-2.0
// Question: does it help if the two blocks of a cluster arrive as one?
//
// Method: clusters of two. barrier.cluster joins both blocks, thread 0 of the first one arrives at
// the counter for both and polls it, and barrier.cluster lets both go. Half the arrivals, and half
// the blocks that poll.
//
// Expectation: slower: a cluster's barrier releases by a MEMBAR of its own, and there are two of
// them; what it saves are 66 of 132 additions to one word.
//
// Threats: sm_90 and later. The number of blocks has to be even; an SM without a partner in its
// group stays empty.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/cluster.cuh"
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// With the size of the cluster known, ptxas need not ask at run time whether there is one.
#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_2 __cluster_dims__(2, 1, 1)
#else
#define PTXLAB_CLUSTER_OF_2
#endif

template <ordering O>
struct two_level {
  unsigned* count;

  __device__ explicit two_level(unsigned* state) : count(state) {}

  __device__ __forceinline__ void wait(unsigned round) const {
#if __CUDA_ARCH__ >= 900
    cluster_barrier();
    if (blockIdx.x % 2 == 0 && threadIdx.x == 0) {
      arrive_at<O>(count);
      wait_relaxed<O>(count, round * (gridDim.x / 2));
    }
    cluster_barrier();
#endif
  }
};
using sound = two_level<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx opcode barrier.cluster.arrive.aligned 2{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 3{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    bare(sample* out, const word* in) {
  time_barrier<sound>(out, in);
}

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    dirty(sample* out, const word* in) {
  time_dirty_barrier<sound>(out, in);
}

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    late(sample* out, const word* in) {
  time_late_barrier<sound>(out, in);
}

// CHECK-LABEL: kernel litmus{{$}}
// CHECK: sass opcode CCTL.IVALL 3{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 3{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<two_level<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 3{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<two_level<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 3{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<two_level<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<sound>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{.cluster_blocks = 2};

PTXLAB_KERNEL({
    .question = "Does it help if the two blocks of a cluster arrive as one?",
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
