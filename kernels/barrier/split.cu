// SPDX-License-Identifier: Apache-2.0
// Question: how much of a barrier can be hidden behind work that does not need it?
//
// Method: barrier/fenced in two parts. `arrive` releases and counts; `wait` polls and acquires.
// `overlapped` has arithmetic of about 500 cycles between the two parts, `in_a_row` the same behind
// both, and `bare` none.
//
// Expectation: overlapped costs about as much as bare, for as long as the work is shorter than the
// way of an arrival; the poll that sees the last arrival is then often the first.
//
// Threats: the work needs registers while the barrier is open, and there must be some that is
// independent.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/grid_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <ordering O>
struct split {
  unsigned* count;

  __device__ explicit split(unsigned* state) : count(state) {}

  __device__ __forceinline__ void arrive() const {
    __syncthreads();
    if (threadIdx.x == 0) arrive_at<O>(count);
  }
  __device__ __forceinline__ void finish(unsigned round) const {
    if (threadIdx.x == 0) wait_relaxed<O>(count, round * gridDim.x);
    __syncthreads();
  }
  __device__ __forceinline__ void wait(unsigned round) const {
    arrive();
    finish(round);
  }
};
using sound = split<ordering::sound>;

// Steps of 4 cycles each, every one of which needs the one before.
constexpr unsigned work_steps = 125;

static __device__ __forceinline__ void work() {
  __shared__ unsigned sink;
  unsigned x = threadIdx.x;
#pragma unroll 25  // few branches among them
  for (unsigned i = 0; i < work_steps; ++i)
    // volatile: nvcc would compute what it knows of it
    asm volatile("mad.lo.u32 %0, %0, %0, %0;" : "+r"(x));
  consume(static_cast<unsigned>(__cvta_generic_to_shared(&sink)), x);  // ptxas keeps what is stored
}

struct overlapping : sound {
  using sound::split;

  __device__ __forceinline__ void wait(unsigned round) const {
    arrive();
    work();
    finish(round);
  }
};

struct one_after_the_other : sound {
  using sound::split;

  __device__ __forceinline__ void wait(unsigned round) const {
    arrive();
    finish(round);
    work();
  }
};

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu
extern "C" __global__ void __launch_bounds__(1024, 2) bare(sample* out, const word* in) {
  time_barrier<sound>(out, in);
}

extern "C" __global__ void __launch_bounds__(1024, 2) dirty(sample* out, const word* in) {
  time_dirty_barrier<sound>(out, in);
}

// CHECK-LABEL: kernel in_a_row{{$}}
// CHECK: sass opcode IMAD {{[2-9][0-9]$}}
extern "C" __global__ void __launch_bounds__(1024, 2) in_a_row(sample* out, const word* in) {
  time_barrier<one_after_the_other>(out, in);
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
  litmus_of<split<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<split<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<split<ordering::no_release>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel overlapped{{$}}
// CHECK: sass opcode IMAD {{[2-9][0-9]$}}
extern "C" __global__ void __launch_bounds__(1024, 2) overlapped(sample* out, const word* in) {
  time_barrier<overlapping>(out, in);
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
    .question = "How much of a barrier can be hidden behind work that does not need it?",
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
            {.symbol = "in_a_row",
             .says = "500 cycles of work behind the barrier",
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.by_blocks()},
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
            {.symbol = "overlapped",
             .says = "500 cycles of work between arriving and waiting",
             .must = {"loop polls; sass; strength == strong.gpu"},
             .measure = family.by_blocks()},
            {.symbol = "transform",
             .says = "X -> P -> X behind it",
             .params = family.steps(),
             .must = {"no finding spin-lost", "blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = family.surface(),
             .rehearse = family.of_ones()},
        },
});
#endif
