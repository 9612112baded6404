// SPDX-License-Identifier: Apache-2.0
// Question: what does a step of the transform cost where each step is a launch, and the end of a
// kernel the barrier?
//
// Method: one step, the same code as in the barriers' `transform`, launched again and again with X
// and P exchanged: into a stream, as the nodes of a graph, and as programmatic dependents in a
// stream, which may start before the step in front of them has ended and wait for it before they
// read.
//
// Expectation: a graph's node about 1.3 us, a launch into a stream twice that; dependents less,
// where the next step's blocks find room beside this one's.
//
// Threats: two blocks of 1024 threads fill an SM, so that a dependent has nowhere to start early. A
// step is work as well as a barrier; the work is the same in every rival.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/transform.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel dependent{{$}}
// CHECK-DAG: ptx opcode griddepcontrol.launch_dependents 1{{$}}
// CHECK-DAG: ptx opcode griddepcontrol.wait 1{{$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    dependent(const float* from, float* to, const float* weights, unsigned n, unsigned terms) {
#if __CUDA_ARCH__ >= 900
  // volatile and "memory": what stands before the wait must not run behind it, nor the other way.
  // The next step may start at once: it waits for the end of this one, whatever it finds.
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  weighted_means(from, to, weights, n, terms, reciprocal_of(terms));
}

extern "C" __global__ void __launch_bounds__(1024, 2)
    graph(const float* from, float* to, const float* weights, unsigned n, unsigned terms) {
  weighted_means(from, to, weights, n, terms, reciprocal_of(terms));
}

// CHECK-LABEL: kernel stream{{$}}
// CHECK: ptx instructions
// CHECK-NOT: ptx opcode griddepcontrol
// CHECK: sass opcode LDG.E {{[0-9]+$}}
extern "C" __global__ void __launch_bounds__(1024, 2)
    stream(const float* from, float* to, const float* weights, unsigned n, unsigned terms) {
  weighted_means(from, to, weights, n, terms, reciprocal_of(terms));
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using enum ptxlab::kernels::protocol;
using ptxlab::kernels::launcher;
using ptxlab::kernels::rehearsal;

// The points of the barriers' transforms.
#define PTXLAB_SURFACE(launched)                                                       \
  {.how = transform, .threads = {32, 64, 128, 256, 512, 1024},                         \
   .blocks = {2, 4, 8, 16, 32, 64, 0}, .blocks_per_sm = {2}, .by = launcher::launched, \
   .terms = {4, 0}}
#define PTXLAB_STEP {pointer, pointer, pointer, u32, u32}

static const rehearsal of_ones = {
    .blocks = 2,
    .threads = 64,
    .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p",
                  "buf:f32:4:fill:1:name=weights", "u32:128", "u32:4"},
    .result = "p=1"};

PTXLAB_KERNEL({
    .question = "What does a step of the transform cost where each step is a launch?",
    .variants =
        {
            {.symbol = "dependent",
             .says = "each step a programmatic dependent of the one before",
             .params = PTXLAB_STEP,
             .must = {"blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = PTXLAB_SURFACE(dependent),
             .rehearse = of_ones},
            {.symbol = "graph",
             .says = "each step a node of a graph",
             .params = PTXLAB_STEP,
             .must = {"blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = PTXLAB_SURFACE(graph),
             .rehearse = of_ones},
            {.symbol = "stream",
             .says = "each step a launch into a stream",
             .params = PTXLAB_STEP,
             .must = {"blocks_per_sm(1024) >= 2", "spill_store_bytes == 0"},
             .measure = PTXLAB_SURFACE(stream),
             .rehearse = of_ones},
        },
});
#endif
