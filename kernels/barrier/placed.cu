// SPDX-License-Identifier: Apache-2.0
// Question: does it help to know where in L2 the counter lies, and when it is worth looking at?
//
// Method: barrier/fenced with its word chosen and its polls timed. An address belongs to one of
// two halves of the L2, by its page of 4 KiB, and an atomic to the other half takes longer. Before
// its first round every block measures the latency of an atomic on some pages of the state; the
// pages' sums over all blocks decide, and all read the same sums. The first poll waits as long as
// the arrivals of a full grid take, and there is a pause between polls: a poll that fails costs a
// round trip in which the last arrival may come, and is in the way of other blocks' arrivals.
//
// Expectation: less than barrier/fenced by the polls that fail, and by the way to the nearer half.
//
// Threats: the two delays were chosen on an H200 with a block on every SM; elsewhere they are a
// number of cycles too many or too few, and the barrier is as right. The choice costs some
// microseconds of every launch, which the time of a round does not show. With eight pages, one
// launch in 128 has them all in one half. A loop that only counts is deleted by ptxas, and one that
// reads the clock has coarse steps: a chain of volatile loads from shared memory stays and has the
// steps of their latency.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// Dependent loads from shared memory between arrival and first poll, and between two polls: the
// best of some tried by hand on an H200 with 132 blocks of 256 threads.
constexpr unsigned first_poll_after = 11, pause = 2;

constexpr unsigned candidates = 8;  // pages 1 to 8 of the state

// So many loads, each from the address that the one before it brought.
template <unsigned Loads>
static __device__ __forceinline__ unsigned linger(unsigned link) {
#pragma unroll  // no loop overhead between the loads
  for (unsigned i = 0; i < Loads; ++i)
    // volatile, twice: nvcc and ptxas would drop a load whose value is known or not needed.
    // "memory": it stays behind the arrival and before the poll.
    asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(link)::"memory");
  return link;
}

// What this block sees of each page, added to the page's sum.
static __device__ __forceinline__ void vote(unsigned* state, unsigned* sums) {
#pragma unroll 1  // once per launch: small rather than fast
  for (unsigned i = 0; i < candidates; ++i) {
    unsigned const page = (blockIdx.x + i) % candidates;  // not all blocks at the same one
    unsigned const latency = atomic_latency(state + (page + 1) * page_words);
    red_relaxed_gpu_global_add_u32(global_address(sums + page), latency);
  }
}

template <ordering O>
struct placed {
  unsigned* state;
  unsigned home = 0;  // the counter, words from there; known to thread 0 only

  // The shared address of a word that holds this address.
  static __device__ __forceinline__ unsigned link() {
    __shared__ unsigned self;
    auto const at = static_cast<unsigned>(__cvta_generic_to_shared(&self));
    self = at;
    return at;
  }

  __device__ __forceinline__ explicit placed(unsigned* words) : state(words) {
    if (threadIdx.x == 0) choose();
    __syncwarp();  // the others of the warp wait here and not in the first round
  }

  __device__ __forceinline__ void choose() {
    unsigned* const sums = state + 32;  // a line of its own
    vote(state, sums);
    // An ordinary barrier of the first threads: behind it the sums are complete.
    arrive_at<ordering::sound>(state);
    wait_relaxed<ordering::sound>(state, gridDim.x);
    unsigned best = 0;
#pragma unroll 1  // as above
    for (unsigned page = 1; page < candidates; ++page)
      if (ld_global_u32(sums + page) < ld_global_u32(sums + best)) best = page;
    home = (best + 1) * page_words;
  }

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned const target = round * gridDim.x;
      arrive_at<O>(state + home);
      unsigned at = linger<first_poll_after>(link());
#pragma unroll 1  // one poll, in the loop
      while (behind(ld_relaxed_gpu_global_u32(state + home), target)) at = linger<pause>(at);
      fence_behind_polls<O>();
    }
    __syncthreads();
  }
};
using sound = placed<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx opcode fence.acquire.gpu 2{{$}}
// CHECK-DAG: sass opcode ATOMG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 2{{$}}
// CHECK-DAG: sass opcode LDS 13{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 2{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 3{{$}}
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

// One of each fence is that of the barrier in front of the first round.
// CHECK-LABEL: kernel litmus{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<placed<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<placed<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 2{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<placed<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel transform{{$}}
// CHECK-DAG: sass opcode LDS 26{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 3{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    transform(float* x, float* p, const float* weights, unsigned* state, unsigned n, unsigned terms,
              unsigned transforms) {
  transform_behind<sound>(x, p, weights, state, n, terms, transforms);
}
#else
#include "kernels/barrier/family.hpp"

// Twice: ptxas polls once in front of the loop, which begins with its pause.
static const ptxlab::kernels::barrier_family family{.per_copy = 2};

PTXLAB_KERNEL({
    .question = "Does it help to know where in L2 the counter lies, and when to look at it?",
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
