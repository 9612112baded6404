// SPDX-License-Identifier: Apache-2.0
// Question: which barriers stand under a condition that differs between the lanes of a block?
//
// Method: one __syncthreads: under a test of the thread index, under a test of a parameter, under a
// test of the block index, and behind a test of the thread index.
//
// Expectation: only the first is wrong, and it assembles like the others: BAR.SYNC behind a branch.
// Nothing in the machine code of the barrier itself tells them apart; the predicate must be
// followed to the thread index.
//
// Threats: whether the branch really diverges depends on the data; a condition that is loaded is
// not called lane-dependent here.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel after_lane_branch{{$}}
// CHECK-DAG: ptx opcode bar.sync 1{{$}}
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 1{{$}}
// CHECK-NOT: finding barrier-divergent
extern "C" __global__ void after_lane_branch(int* out, const int* a) {
  int value = a[threadIdx.x];
  if (threadIdx.x & 1) value += a[threadIdx.x + 1];
  __syncthreads();
  out[threadIdx.x] = value;
}

// CHECK-LABEL: kernel under_block_branch{{$}}
// CHECK-DAG: ptx opcode bar.sync 1{{$}}
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 1{{$}}
// CHECK-NOT: finding barrier-divergent
extern "C" __global__ void under_block_branch(int* out, const int* a) {
  int value = a[threadIdx.x];
  if (blockIdx.x == 0) {
    __syncthreads();
    value += 1;
  }
  out[threadIdx.x] = value;
}

// CHECK-LABEL: kernel under_lane_branch{{$}}
// CHECK-DAG: ptx opcode bar.sync 1{{$}}
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 1{{$}}
// CHECK: finding barrier-divergent
extern "C" __global__ void under_lane_branch(int* out, const int* a) {
  int value = a[threadIdx.x];
  if (threadIdx.x & 1) {
    __syncthreads();
    value += 1;
  }
  out[threadIdx.x] = value;
}

// CHECK-LABEL: kernel under_uniform_branch{{$}}
// CHECK-DAG: ptx opcode bar.sync 1{{$}}
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 1{{$}}
// CHECK-NOT: finding barrier-divergent
extern "C" __global__ void under_uniform_branch(int* out, const int* a, int n) {
  int value = a[threadIdx.x];
  if (n > 3) {
    __syncthreads();
    value += 1;
  }
  out[threadIdx.x] = value;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Which barriers stand under a condition that differs between the lanes of a block?",
    .variants =
        {
            {.symbol = "after_lane_branch",
             .says = "barrier behind a lane-dependent branch that has closed",
             .params = {pointer, pointer},
             .must = {"barriers == 1", "no finding barrier-divergent"}},
            {.symbol = "under_block_branch",
             .says = "barrier under a test of the block index",
             .params = {pointer, pointer},
             .must = {"barriers == 1", "no finding barrier-divergent"}},
            {.symbol = "under_lane_branch",
             .says = "barrier under a test of the thread index",
             .params = {pointer, pointer},
             .must = {"barriers == 1", "finding barrier-divergent"}},
            {.symbol = "under_uniform_branch",
             .says = "barrier under a test of a parameter",
             .params = {pointer, pointer, u32},
             .must = {"barriers == 1", "no finding barrier-divergent"}},
        },
});
#endif
