// SPDX-License-Identifier: Apache-2.0
// Question: what does one more kernel launch cost the host, and what passes between two kernels?
//
// Method: kernels that only note when they start and end, one behind the other: launched one by one
// into a stream, as a graph of as many nodes, and as programmatic dependents, which may start before
// the one in front has ended and wait for it inside.
//
// Expectation: the host takes about two microseconds for a launch and far less for a node of a
// graph; the device needs about a microsecond from one kernel to the next, less if it may overlap.
//
// Threats: %globaltimer moves in steps; the period of a stream is the host's if the host is slower.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The first thread of the grid notes both times.
static __device__ __forceinline__ void note(sample* out, word start) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    out->time_ns = start;
    out->sm = smid_now();
    out->end = globaltimer_now();
  }
}

extern "C" __global__ void dependent(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  // volatile and "memory": what stands before the wait must not run behind it, nor the other way
  asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
  asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
  note(out, globaltimer_now());
}

extern "C" __global__ void graph(sample* out, const word* in) {
  note(out, globaltimer_now());
}

extern "C" __global__ void stream(sample* out, const word* in) {
  note(out, globaltimer_now());
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::launcher;

PTXLAB_KERNEL({
    .question = "What does one more kernel launch cost, and what passes between two kernels?",
    .variants =
        {
            {.symbol = "dependent",
             .says = "programmatic dependents in a stream",
             .measure = {.how = launch, .by = launcher::dependent}},
            {.symbol = "graph",
             .says = "nodes of a graph",
             .measure = {.how = launch, .by = launcher::graph}},
            {.symbol = "stream",
             .says = "launches into a stream",
             .measure = {.how = launch, .by = launcher::stream}},
        },
});
#endif
