// SPDX-License-Identifier: Apache-2.0
// Question: is it faster if nobody adds, and every block looks at every other one's flag?
//
// Method: each block writes the round into a word of its own; the words of all lie in a row. The
// threads of every block poll them, four neighbouring words by one load each, and __syncthreads()
// joins what they found.
//
// Expectation: one hop and no atomics, but every block reads all the lines that all blocks write.
//
// Threats: a grid of 132 needs 33 threads that poll, so that a block of one warp looks twice. A
// load of four words is four loads to the memory model, in no order.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

struct four {
  unsigned a, b, c, d;
};

static __device__ __forceinline__ four ld_relaxed_gpu_global_v4_u32(const unsigned* address) {
  four v;
  // volatile and "memory" for the reasons in memory.cuh
  asm volatile("ld.relaxed.gpu.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(v.a), "=r"(v.b), "=r"(v.c), "=r"(v.d)
               : "l"(global_address(address))
               : "memory");
  return v;
}

template <ordering O>
struct all_to_all {
  unsigned* flags;

  __device__ explicit all_to_all(unsigned* state) : flags(state) {}

  // Whether block `b` is still on its way; there are none behind the last one.
  static __device__ __forceinline__ bool missing(unsigned seen, unsigned b, unsigned round) {
    return b < gridDim.x && behind(seen, round);
  }

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) announce<O>(flags + blockIdx.x, round);
#pragma unroll 1  // once, mostly
    for (unsigned b = 4 * threadIdx.x; b < gridDim.x; b += 4 * blockDim.x) {
      four seen;
#pragma unroll 1  // one poll, in the loop
      do {
        seen = ld_relaxed_gpu_global_v4_u32(flags + b);
        // One branch for all four: `|` and not `||`.
      } while (missing(seen.a, b, round) | missing(seen.b, b + 1, round) |
               missing(seen.c, b + 2, round) | missing(seen.d, b + 3, round));
      fence_behind_polls<O>();
    }
    __syncthreads();
  }
};
using sound = all_to_all<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: ptx loop {{.*}} poll global 128 relaxed.gpu
// CHECK-DAG: sass opcode LDG.E.128.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode STG.E.STRONG.GPU 1{{$}}
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
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<all_to_all<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<all_to_all<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode STG.E.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<all_to_all<ordering::no_release>>(state, data, log, rounds, distance, stress);
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
    .question = "Is it faster if nobody adds, and every block looks at every other one's flag?",
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
