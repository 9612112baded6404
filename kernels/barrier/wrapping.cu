// SPDX-License-Identifier: Apache-2.0
// Question: may the barrier of 2012 be used more than once, and is it one on a GPU of today?
//
// Method: atomicInc(&count, gridDim.x - 1) behind __threadfence(): the last arrival makes the
// counter 0 again, and 0 is what everybody polls for as volatile. `reused` is that over many rounds
// with one counter, and is not measured; all others take two counters in turn.
//
// Expectation: `reused` may hang. A block that polls late, when another one has already seen the 0
// and arrived for the next round, reads 1 and waits for the next 0, for which it is itself missing.
// Its window is a poll's round trip against a whole arrival, so that it mostly ends on a GPU; the
// PTX machine proves the deadlock. With two counters, one moves again only after all have left it.
// Nothing here acquires behind the poll. The fence before the arrival empties the L1 as well, which
// hides that as long as nobody else on the SM fills it again meanwhile.
//
// Threats: whether a GPU of 2012 kept such lines in its L1 is not known here. By PTX's memory model
// of today it was never a barrier.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ void wait_for_zero(unsigned* count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // this block's writes before its arrival
    atomicInc(count, gridDim.x - 1);
    volatile unsigned* const polled = count;  // volatile: another block ends this wait
#pragma unroll 1  // one poll, in the loop
    while (*polled != 0) {
    }
  }
  __syncthreads();
}

struct one_counter {
  unsigned* count;

  __device__ explicit one_counter(unsigned* state) : count(state) {}

  __device__ __forceinline__ void wait(unsigned) const { wait_for_zero(count); }
};

struct two_counters {
  unsigned* counts;

  __device__ explicit two_counters(unsigned* state) : counts(state) {}

  // 128 bytes apart: lines of their own.
  __device__ __forceinline__ void wait(unsigned round) const {
    wait_for_zero(counts + round % 2 * 32);
  }
};

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx loop {{.*}} poll generic 32 volatile
// CHECK-DAG: sass opcode {{ATOMG?}}.E.INC.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll generic 32 strong.sys
extern "C" __global__ void __launch_bounds__(1024, 2) bare(sample* out, const word* in) {
  time_barrier<two_counters>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) dirty(sample* out, const word* in) {
  time_dirty_barrier<two_counters>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) late(sample* out, const word* in) {
  time_late_barrier<two_counters>(out, in);
}

// CHECK-LABEL: kernel litmus{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.SC.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.sys
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<two_counters>(state, data, log, rounds, distance, stress);
}

// Not measured: it need not end.
extern "C" __global__ void __launch_bounds__(1024, 2)
    reused(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<one_counter>(state, data, log, rounds, distance, stress);
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<two_counters>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

static const ptxlab::kernels::barrier_family family{.poll = "LD*.STRONG.SYS"};

PTXLAB_KERNEL({
    .question = "May the barrier of 2012 be used more than once, and is it one today?",
    .variants =
        {
            {.symbol = "bare",
             .says = "rounds of the barrier alone, two counters in turn",
             .must = {"loop polls; ptx; strength == volatile",
                      "loop polls; sass; strength == strong.sys", "no finding spin-lost",
                      "no finding spin-weak", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.by_blocks()},
            {.symbol = "dirty",
             .says = "a weak store by every thread before each",
             .measure = family.on_every_sm()},
            {.symbol = "late",
             .says = "block 0 arrives 4000 cycles late",
             .measure = family.on_every_sm()},
            {.symbol = "litmus",
             .says = "what is seen of another block behind it; nothing acquires",
             .params = family.messages(),
             .must = {"loop polls; sass; strength == strong.sys"},
             .measure = family.mutated(),
             .rehearse = family.of_messages()},
            {.symbol = "reused",
             .says = "the same with one counter for all rounds: it need not end",
             .params = family.messages(),
             .must = {"no finding spin-lost"},
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
