// SPDX-License-Identifier: Apache-2.0
// Question: what does it save to order once on each side, and not in every poll?
//
// Method: barrier/counter with relaxed accesses between two fences: one that releases before the
// reduction, one that acquires behind the last poll. `both_ways` has fences that do both, as
// __threadfence() does.
//
// Expectation: the arrival is the same machine code as a reduction that releases. The polls lose
// their CCTL.IVALL, which stands once behind them; fence.acquire is that instruction and no more,
// where fence.acq_rel has a MEMBAR as well, which nobody needs there.
//
// Threats: fence.acquire and fence.release are sm_90's; below it all fences do both.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <ordering O>
struct fenced {
  unsigned* count;

  __device__ explicit fenced(unsigned* state) : count(state) {}

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      fence_before_arrival<O>();
      red_relaxed_gpu_global_add_u32(global_address(count), 1);
      wait_relaxed<O>(count, round * gridDim.x);
    }
    __syncthreads();
  }
};
using sound = fenced<ordering::sound>;

struct fenced_both_ways {
  unsigned* count;

  __device__ explicit fenced_both_ways(unsigned* state) : count(state) {}

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      unsigned const target = round * gridDim.x;
      fence_acq_rel_gpu();  // this block's writes before its arrival
      red_relaxed_gpu_global_add_u32(global_address(count), 1);
#pragma unroll 1  // one poll, in the loop
      while (behind(ld_relaxed_gpu_global_u32(count), target)) {
      }
      fence_acq_rel_gpu();  // what this block reads behind what it has polled
    }
    __syncthreads();
  }
};

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx opcode fence.acquire.gpu 1{{$}}
// CHECK-DAG: ptx opcode fence.release.gpu 1{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 32 relaxed.gpu
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu
extern "C" __global__ void __launch_bounds__(1024, 2) bare(sample* out, const word* in) {
  time_barrier<sound>(out, in);
}

// CHECK-LABEL: kernel both_ways{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 2{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2) both_ways(sample* out, const word* in) {
  time_barrier<fenced_both_ways>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) dirty(sample* out, const word* in) {
  time_dirty_barrier<sound>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) late(sample* out, const word* in) {
  time_late_barrier<sound>(out, in);
}

// CHECK-LABEL: kernel litmus{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<fenced<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<fenced<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<fenced<ordering::no_release>>(state, data, log, rounds, distance, stress);
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
    .question = "What does it save to order once on each side, and not in every poll?",
    .variants =
        {
            {.symbol = "bare",
             .says = "rounds of the barrier alone",
             .must = {"loop polls; ptx; strength == relaxed.gpu",
                      "loop polls; sass; strength == strong.gpu", "no finding spin-lost",
                      "no finding spin-weak", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.by_blocks()},
            {.symbol = "both_ways",
             .says = "the same between two fences that acquire and release",
             .must = {"loop polls; sass; strength == strong.gpu"},
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
