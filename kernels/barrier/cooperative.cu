// SPDX-License-Identifier: Apache-2.0
// Question: what does the grid barrier that comes with CUDA cost, cooperative groups' grid.sync()?
//
// Method: one counter. Thread 0 of each block adds 1 by an atomic that returns the old value (that
// of block 0 adds what flips the top bit when all are there) and polls with loads that acquire
// until that bit differs from the one it got back.
//
// Expectation: the bar that the others are measured against. The first poll waits for the atomic's
// result: a round trip more than a reduction, which returns nothing.
//
// Threats: it needs a cooperative launch, which refuses a grid that cannot be resident. There are
// no mutants: its source is CUDA's.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include <cooperative_groups.h>

#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

struct cooperative {
  __device__ explicit cooperative(unsigned*) {}

  __device__ __forceinline__ void wait(unsigned) const { cooperative_groups::this_grid().sync(); }
};

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: sass opcode ATOM.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll {{generic|global}} 32 strong.gpu {{.*}}acquire
extern "C" __global__ void __launch_bounds__(1024, 2) bare(sample* out, const word* in) {
  time_barrier<cooperative>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) dirty(sample* out, const word* in) {
  time_dirty_barrier<cooperative>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) late(sample* out, const word* in) {
  time_late_barrier<cooperative>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<cooperative>(state, data, log, rounds, distance, stress);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<cooperative>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{.cooperative = true};

PTXLAB_KERNEL({
    .question = "What does the grid barrier that comes with CUDA cost?",
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
            {.symbol = "transform",
             .says = "X -> P -> X behind it",
             .params = family.steps(),
             .must = {"no finding spin-lost", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.surface(),
             .rehearse = family.of_ones()},
        },
});
#endif
