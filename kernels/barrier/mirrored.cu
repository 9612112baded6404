// SPDX-License-Identifier: Apache-2.0
// Question: does it help to have a counter in each half of the L2 and to poll the near one?
//
// Method: barrier/fenced with two counters. Before the first round block 0 looks for two pages of
// the state that seem to lie in different halves; every block then measures which of the two is the
// nearer. All arrive at both, behind one fence, and each polls its nearer one.
//
// Expectation: every poll is a short one; the last arrival takes as long as the longer way.
//
// Threats: two reductions for each arrival. If the choice were wrong, it would be slower and still
// right: both counters get all arrivals. The choice costs some microseconds of every launch.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/mirrored_barrier.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

using sound = mirrored<ordering::sound>;

// CHECK-LABEL: kernel bare{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
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
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus(unsigned* state, unsigned* data, unsigned* log, unsigned rounds, unsigned distance,
           unsigned stress) {
  litmus_of<sound>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_narrow{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.CTA 2{{$}}
// CHECK-NOT: sass opcode MEMBAR.ALL.GPU
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_narrow(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                  unsigned distance, unsigned stress) {
  litmus_of<mirrored<ordering::narrow>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL.IVALL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_acquire(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<mirrored<ordering::no_acquire>>(state, data, log, rounds, distance, stress);
}

// CHECK-LABEL: kernel litmus_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    litmus_no_release(unsigned* state, unsigned* data, unsigned* log, unsigned rounds,
                      unsigned distance, unsigned stress) {
  litmus_of<mirrored<ordering::no_release>>(state, data, log, rounds, distance, stress);
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
    .question = "Does it help to have a counter in each half of the L2 and to poll the near one?",
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
