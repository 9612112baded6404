// SPDX-License-Identifier: Apache-2.0
// Question: what goes wrong without a barrier of the grid, and how far apart must two parties be?
//
// Method: the transform X -> P -> X of barrier/device_barrier, once, from X = 1 and P = 0: with
// nothing between the steps, and with __syncthreads alone. Whoever reads an element of P too early
// gets 0 for it, and its mean is not 1. The grid's first warp, whose elements all others read first,
// begins so many cycles after them; the harness sweeps these.
//
// Expectation: in 2012 P was always right, and X wrong in runs of whole warps, with __syncthreads in
// whole blocks. Who begins when others have ended reads their X, and its P is wrong too.
//
// Threats: how far apart blocks are without any delay is up to the launch, the caches and the sizes.
// Warps that read while P is being written may see some of it.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/clock.cuh"

using namespace ptxlab::device;

static __device__ __forceinline__ unsigned element() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ __forceinline__ float mean(const float* values, unsigned n) {
  float sum = 0;
#pragma unroll 1  // one loop per step
  for (unsigned i = 0; i < n; ++i) sum += values[i];
  return __fdividef(sum, static_cast<float>(n));
}

static __device__ __forceinline__ void begin(unsigned late) {
  if (late != 0 && element() < 32) wait_cycles(late);
}

// CHECK-LABEL: kernel no_barrier{{$}}
// CHECK-DAG: resource barriers 0
// CHECK-NOT: exit load
extern "C" __global__ void no_barrier(float* x, float* p, unsigned n, unsigned late) {
  begin(late);
  p[element()] = mean(x, n);
  x[element()] = mean(p, n);
}

// CHECK-LABEL: kernel syncthreads_only{{$}}
// CHECK-DAG: resource barriers 1{{$}}
// CHECK-NOT: exit load
extern "C" __global__ void syncthreads_only(float* x, float* p, unsigned n, unsigned late) {
  begin(late);
  p[element()] = mean(x, n);
  __syncthreads();
  x[element()] = mean(p, n);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::measurement;
using ptxlab::kernels::rehearsal;

static const measurement raced = {.how = ptxlab::kernels::protocol::races,
                                  .threads = {64, 256},
                                  .blocks = {2, 16, 64, 0},
                                  .skews = {0, 4000, 16000, 64000, 256000}};
static const rehearsal two_blocks = {
    .blocks = 2,
    .threads = 64,
    .arguments = {"buf:f32:128:fill:1:name=x", "buf:f32:128:zero:name=p", "u32:128", "u32:0"},
    .result = "x=1"};

PTXLAB_KERNEL({
    .question = "What goes wrong without a barrier of the grid, and from which delay on?",
    .variants =
        {
            {.symbol = "no_barrier",
             .says = "both steps with nothing between them",
             .params = {pointer, pointer, u32, u32},
             .must = {"barriers == 0", "loop 1 exit other; both", "loop 2 exit counter; both",
                      "loop 3 exit counter; both"},
             .measure = raced,
             .rehearse = two_blocks},
            {.symbol = "syncthreads_only",
             .says = "__syncthreads between the steps: a barrier of the block, not of the grid",
             .params = {pointer, pointer, u32, u32},
             .must = {"barriers == 1", "loop 1 exit other; both", "loop 2 exit counter; both",
                      "loop 3 exit counter; both"},
             .measure = raced,
             .rehearse = two_blocks},
        },
});
#endif
