// SPDX-License-Identifier: Apache-2.0
// Question: what do the compilers make of the five reductions of 2009, and of the last one
// repaired?
//
// Method: one block sums blockDim.x words (from the fourth on, twice as many) in shared memory:
// interleaved with modulo, interleaved without divergence, sequential, first addition during the
// load, last warp unrolled without a barrier as then; then the last with volatile, with __syncwarp,
// with shuffles and with redux.sync.
//
// Expectation: the modulo is a division routine inside the loop. The last warp as of 2009 is wrong
// at compile time already: nvcc reads all seven words first and stores once. volatile keeps six
// stores, and still nothing orders the lanes. __syncwarp is in the PTX and a NOP in SASS, with a
// branch to a path for a split warp.
//
// Threats: blockDim.x must be a power of two, at least 64. redux.sync takes integers, so that
// variant sums int; before sm_80 it shuffles instead.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
extern __shared__ float words[];
extern __shared__ int integers[];  // the same memory, for the one kernel that sums int

// From sm_100 on nvcc sees that k is a power of two and takes a mask.
// EXPECT[nvcc>=13.0,sm_90](reduce1_modulo): opcode(rem.u32) == 1; ptx
// EXPECT[nvcc>=13.0,sm_90](reduce1_modulo): opcode(MUFU.RCP) == 1
// EXPECT[nvcc>=13.0,sm>=100](reduce1_modulo): opcode(rem*) == 0; ptx
// CHECK-LABEL: kernel reduce1_modulo{{$}}
// CHECK-DAG: ptx opcode rem.u32 1{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-DAG: sass opcode MUFU.RCP 1{{$}}
// CHECK-DAG: loop line [[#@LINE+5]] kept
extern "C" __global__ void reduce1_modulo(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  words[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    if (t % (2 * k) == 0) words[t] += words[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// CHECK-LABEL: kernel reduce2_interleaved{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-NOT: ptx opcode rem
// CHECK-DAG: loop line [[#@LINE+5]] kept
extern "C" __global__ void reduce2_interleaved(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  words[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned const to = 2 * k * t;
    if (to < blockDim.x) words[to] += words[to + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// CHECK-LABEL: kernel reduce3_sequential{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-DAG: ptx opcode st.shared.f32 2{{$}}
// CHECK-DAG: loop line [[#@LINE+5]] kept
extern "C" __global__ void reduce3_sequential(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  words[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// CHECK-LABEL: kernel reduce4_first_add{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 2{{$}}
// CHECK-DAG: loop line [[#@LINE+6]] kept
extern "C" __global__ void reduce4_first_add(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  words[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// Six additions in the source, one store in the PTX: the lanes no longer see each other.
// CHECK-LABEL: kernel reduce5_as_in_2009{{$}}
// CHECK-DAG: ptx opcode st.shared.f32 3{{$}}
// CHECK-DAG: ptx opcode ld.shared.f32 10{{$}}
// CHECK-DAG: sass opcode STS 3{{$}}
// CHECK-DAG: finding warp-sync-missing
extern "C" __global__ void reduce5_as_in_2009(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  words[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t < 32) {
    words[t] += words[t + 32];
    words[t] += words[t + 16];
    words[t] += words[t + 8];
    words[t] += words[t + 4];
    words[t] += words[t + 2];
    words[t] += words[t + 1];
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// EXPECT[nvcc>=13.0,sm>=80](reduce5_redux): opcode(redux.sync*) == 1; ptx
// EXPECT[nvcc>=13.0,sm>=80](reduce5_redux): opcode(REDUX*) == 1
// CHECK-LABEL: kernel reduce5_redux{{$}}
// CHECK-DAG: ptx opcode redux.sync.add.s32 1{{$}}
// CHECK-DAG: sass opcode REDUX.SUM.S32 1{{$}}
// CHECK-NOT: finding warp-sync-missing
extern "C" __global__ void reduce5_redux(int* out, const int* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  integers[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) integers[t] += integers[t + k];
    __syncthreads();
  }
  if (t < 32) {
    int sum = integers[t] + integers[t + 32];
#if __CUDA_ARCH__ >= 800
    sum = __reduce_add_sync(0xffffffff, sum);
#else
#pragma unroll  // five shuffles
    for (unsigned k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);
#endif
    if (t == 0) out[blockIdx.x] = sum;
  }
}

// CHECK-LABEL: kernel reduce5_shuffle{{$}}
// CHECK-DAG: ptx opcode shfl.sync.down.b32 5{{$}}
// CHECK-DAG: sass opcode SHFL.DOWN 5{{$}}
// CHECK-NOT: finding warp-sync-missing
extern "C" __global__ void reduce5_shuffle(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  words[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t < 32) {
    float sum = words[t] + words[t + 32];
#pragma unroll  // five shuffles
    for (unsigned k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

// CHECK-LABEL: kernel reduce5_syncwarp{{$}}
// CHECK-DAG: ptx opcode bar.warp.sync 12{{$}}
// CHECK-DAG: ptx opcode st.shared.f32 8{{$}}
// CHECK-NOT: finding warp-sync-missing
extern "C" __global__ void reduce5_syncwarp(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  words[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t < 32) {
    float sum = words[t];
#pragma unroll  // six steps, as the variants beside this one
    for (unsigned k = 32; k > 0; k >>= 1) {
      sum += words[t + k];
      __syncwarp();  // all lanes have read before any writes
      words[t] = sum;
      __syncwarp();  // all lanes have written before any reads
    }
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// CHECK-LABEL: kernel reduce5_volatile{{$}}
// CHECK-DAG: ptx opcode st.volatile.shared.f32 6{{$}}
// CHECK-DAG: ptx opcode ld.volatile.shared.f32 12{{$}}
// CHECK-DAG: sass opcode STS 8{{$}}
// CHECK-DAG: finding warp-sync-missing
extern "C" __global__ void reduce5_volatile(float* out, const float* in) {
  unsigned const t = threadIdx.x;
  unsigned const i = 2 * blockIdx.x * blockDim.x + t;
  words[t] = in[i] + in[i + blockDim.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) words[t] += words[t + k];
    __syncthreads();
  }
  if (t < 32) {
    volatile float* last = words;  // volatile: each step is stored and read again, in program order
    last[t] = last[t] + last[t + 32];
    last[t] = last[t] + last[t + 16];
    last[t] = last[t] + last[t + 8];
    last[t] = last[t] + last[t + 4];
    last[t] = last[t] + last[t + 2];
    last[t] = last[t] + last[t + 1];
  }
  if (t == 0) out[blockIdx.x] = words[0];
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question =
        "What do the compilers make of the five reductions of 2009, and of the last one repaired?",
    .variants =
        {
            {.symbol = "reduce1_modulo",
             .says = "interleaved addressing, every 2k-th thread by modulo",
             .params = {pointer, pointer},
             .must = {"loop kept", "opcode(BAR.SYNC*) == 2"}},
            {.symbol = "reduce2_interleaved",
             .says = "interleaved addressing without divergence",
             .params = {pointer, pointer},
             .must = {"opcode(rem*) == 0; ptx", "opcode(MUFU*) == 0", "loop kept",
                      "opcode(BAR.SYNC*) == 2"}},
            {.symbol = "reduce3_sequential",
             .says = "sequential addressing",
             .params = {pointer, pointer},
             .must = {"loop kept", "opcode(BAR.SYNC*) == 2"}},
            {.symbol = "reduce4_first_add",
             .says = "sequential addressing, first addition during the load",
             .params = {pointer, pointer},
             .must = {"loop kept", "opcode(LDG*) == 2", "opcode(BAR.SYNC*) == 2"}},
            {.symbol = "reduce5_as_in_2009",
             .says = "last warp unrolled, no synchronisation, no volatile",
             .params = {pointer, pointer},
             .must = {"opcode(st.shared*) == 3; ptx", "opcode(STS*) == 3",
                      "finding warp-sync-missing"}},
            {.symbol = "reduce5_redux",
             .says = "last warp by redux.sync, on int",
             .params = {pointer, pointer},
             .must = {"no finding warp-sync-missing"}},
            {.symbol = "reduce5_shuffle",
             .says = "last warp by shuffles",
             .params = {pointer, pointer},
             .must = {"opcode(shfl*) == 5; ptx", "opcode(SHFL*) == 5",
                      "no finding warp-sync-missing"}},
            {.symbol = "reduce5_syncwarp",
             .says = "last warp unrolled with __syncwarp between read and write",
             .params = {pointer, pointer},
             .must = {"opcode(bar.warp.sync) == 12; ptx", "opcode(st.shared*) == 8; ptx",
                      "no finding warp-sync-missing"}},
            {.symbol = "reduce5_volatile",
             .says = "last warp unrolled, no synchronisation, through a volatile pointer",
             .params = {pointer, pointer},
             .must = {"opcode(st.volatile.shared*) == 6; ptx", "opcode(STS*) == 8",
                      "finding warp-sync-missing"}},
        },
});
#endif
