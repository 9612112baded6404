// SPDX-License-Identifier: Apache-2.0
// Question: how long do the five reductions of 2009 take today, and the last one repaired?
//
// Method: the kernels of reductions.cu over many numbers: each block leaves the sum of its tile of
// 256 numbers (from the fourth on, of 512) and the host launches again over these sums, until one
// is left. Numbers beyond the last count as 0.
//
// Expectation: the order of 2009 holds. A block adds so few numbers that what it does in shared
// memory, and how many blocks there are, takes longer than reading: modulo and divergence show, and
// adding while loading halves the blocks. The last one is no sum: nvcc keeps the last warp's words
// in registers and stores once, so that most of them are never added.
//
// Threats: a thread loads a number or two, so that it is the number of blocks that counts. The
// volatile form is right as long as lanes keep in step, which nothing promises.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
using word = unsigned long long;

static constexpr unsigned threads = 256;

// The thread's number in `room`: the first of the tile's, or that and its partner half a tile on.
template <typename T>
static __device__ __forceinline__ void load_one(T* room, const T* in, word n) {
  word const i = static_cast<word>(blockIdx.x) * blockDim.x + threadIdx.x;
  room[threadIdx.x] = i < n ? in[i] : T(0);
  __syncthreads();
}
template <typename T>
static __device__ __forceinline__ void load_two(T* room, const T* in, word n) {
  word const i = 2 * static_cast<word>(blockIdx.x) * blockDim.x + threadIdx.x;
  T sum = i < n ? in[i] : T(0);
  if (i + blockDim.x < n) sum += in[i + blockDim.x];
  room[threadIdx.x] = sum;
  __syncthreads();
}
// The upper half onto the lower, until `left` sums are left.
template <typename T>
static __device__ __forceinline__ void halve(T* room, unsigned left) {
  unsigned const t = threadIdx.x;
  for (unsigned k = blockDim.x / 2; k >= left; k >>= 1) {
    if (t < k) room[t] += room[t + k];
    __syncthreads();
  }
}

// CHECK-LABEL: kernel reduce1_modulo{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-DAG: ptx opcode rem.u32 1{{$}}
extern "C" __global__ void __launch_bounds__(threads)
    reduce1_modulo(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_one(words, in, n);
  unsigned const t = threadIdx.x;
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    if (t % (2 * k) == 0) words[t] += words[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

// CHECK-LABEL: kernel reduce2_interleaved{{$}}
// CHECK-DAG: ptx opcode bar.sync 2{{$}}
// CHECK-NOT: ptx opcode rem
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 2{{$}}
extern "C" __global__ void __launch_bounds__(threads)
    reduce2_interleaved(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_one(words, in, n);
  unsigned const t = threadIdx.x;
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    unsigned const to = 2 * k * t;
    if (to < blockDim.x) words[to] += words[to + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = words[0];
}

extern "C" __global__ void __launch_bounds__(threads)
    reduce3_sequential(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_one(words, in, n);
  halve(words, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = words[0];
}

extern "C" __global__ void __launch_bounds__(threads)
    reduce4_first_add(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_two(words, in, n);
  halve(words, 1);
  if (threadIdx.x == 0) out[blockIdx.x] = words[0];
}

// Six additions in the source, one store in the PTX: the lanes no longer see each other.
// CHECK-LABEL: kernel reduce5_as_in_2009{{$}}
// CHECK-DAG: ptx opcode st.shared.f32 3{{$}}
// CHECK-DAG: sass opcode STS 3{{$}}
// CHECK-DAG: finding warp-sync-missing
extern "C" __global__ void __launch_bounds__(threads)
    reduce5_as_in_2009(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_two(words, in, n);
  halve(words, 64);
  unsigned const t = threadIdx.x;
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

// CHECK-LABEL: kernel reduce5_redux{{$}}
// CHECK-DAG: ptx opcode redux.sync.add.u32 1{{$}}
extern "C" __global__ void __launch_bounds__(threads)
    reduce5_redux(unsigned* out, const unsigned* in, word n) {
  __shared__ unsigned words[threads];
  load_two(words, in, n);
  halve(words, 64);
  unsigned const t = threadIdx.x;
  if (t < 32) {
    unsigned sum = words[t] + words[t + 32];
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
// CHECK-NOT: finding warp-sync-missing
extern "C" __global__ void __launch_bounds__(threads)
    reduce5_shuffle(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_two(words, in, n);
  halve(words, 64);
  unsigned const t = threadIdx.x;
  if (t < 32) {
    float sum = words[t] + words[t + 32];
#pragma unroll  // five shuffles
    for (unsigned k = 16; k > 0; k >>= 1) sum += __shfl_down_sync(0xffffffff, sum, k);
    if (t == 0) out[blockIdx.x] = sum;
  }
}

// CHECK-LABEL: kernel reduce5_syncwarp{{$}}
// CHECK-DAG: ptx opcode bar.warp.sync 12{{$}}
// CHECK-NOT: finding warp-sync-missing
extern "C" __global__ void __launch_bounds__(threads)
    reduce5_syncwarp(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_two(words, in, n);
  halve(words, 64);
  unsigned const t = threadIdx.x;
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
// CHECK-DAG: finding warp-sync-missing
extern "C" __global__ void __launch_bounds__(threads)
    reduce5_volatile(float* out, const float* in, word n) {
  __shared__ float words[threads];
  load_two(words, in, n);
  halve(words, 64);
  unsigned const t = threadIdx.x;
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
#include "kernels/reduce/family.hpp"

using namespace ptxlab::kernels;

static variant over_tiles(std::string_view symbol, std::string_view says,
                          std::vector<std::string_view> must, unsigned tile, bool mutant = false,
                          number of = number::f32) {
  return {.symbol = symbol,
          .says = says,
          .params = reduction_family::partials(),
          .must = std::move(must),
          .measure = {.how = protocol::reduction,
                      .threads = {256},
                      .mutant = mutant,
                      .sum = {.of = of,
                              .by = summation::leaves::partials,
                              .tile = tile,
                              .elements = reduction_family::some()}}};
}

PTXLAB_KERNEL({
    .question = "How long do the five reductions of 2009 take today, and the last one repaired?",
    .variants =
        {
            over_tiles("reduce1_modulo", "interleaved addressing, every 2k-th thread by modulo",
                       {"opcode(BAR.SYNC*) == 2"}, 256),
            over_tiles("reduce2_interleaved", "interleaved addressing without divergence",
                       {"opcode(rem*) == 0; ptx", "opcode(BAR.SYNC*) == 2"}, 256),
            over_tiles("reduce3_sequential", "sequential addressing", {"opcode(BAR.SYNC*) == 2"},
                       256),
            over_tiles("reduce4_first_add", "sequential addressing, first addition in the load",
                       {"opcode(LDG*) == 2", "opcode(BAR.SYNC*) == 2"}, 512),
            over_tiles("reduce5_as_in_2009", "last warp unrolled, no synchronisation, no volatile",
                       {"opcode(st.shared*) == 3; ptx"}, 512, true),
            over_tiles("reduce5_redux", "last warp by redux.sync, on integers",
                       {"no finding warp-sync-missing"}, 512, false, number::u32),
            over_tiles("reduce5_shuffle", "last warp by shuffles",
                       {"opcode(SHFL*) == 5", "no finding warp-sync-missing"}, 512),
            over_tiles("reduce5_syncwarp", "last warp with __syncwarp between read and write",
                       {"opcode(bar.warp.sync) == 12; ptx", "no finding warp-sync-missing"}, 512),
            over_tiles("reduce5_volatile", "last warp unrolled, through a volatile pointer",
                       {"opcode(st.volatile.shared*) == 6; ptx"}, 512,
                       true),
        },
});
#endif
