// SPDX-License-Identifier: Apache-2.0
// What sums in one launch share: how a thread adds its share of the numbers, a block what its
// threads have, and the grid what its blocks have, in several ways.
//
// Kernels are called with (out, in, n, state): any n; `in` at a multiple of 16 bytes. `state` is
// 1 MiB that was zero before the first launch; every launch leaves it ready for the next one, which
// may have another grid and come to its sum another way.
#pragma once

#include "ptx/device/atomic.cuh"
#include "ptx/device/cluster.cuh"
#include "ptx/device/grid_barrier.cuh"

namespace ptxlab::device {

// --- a thread ------------------------------------------------------------------------------------

/// Numbers of 32 bits that stand side by side and are read by one instruction. (Four at most: loads
/// of 256 bits came with sm_100.)
template <unsigned N>
struct group {
  unsigned at[N];
};

// Neither volatile nor "memory": nobody writes the numbers while the kernel runs, so that a load
// may move, and may go where nobody wants what it reads. The L1 need not keep what is read once.
__device__ __forceinline__ group<4> read_group(const group<4>* from) {
  group<4> g;
  asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
      : "=r"(g.at[0]), "=r"(g.at[1]), "=r"(g.at[2]), "=r"(g.at[3])
      : "l"(__cvta_generic_to_global(from)));
  return g;
}
__device__ __forceinline__ group<1> read_group(const group<1>* from) {
  group<1> g;
  asm("ld.global.nc.L1::no_allocate.u32 %0, [%1];"
      : "=r"(g.at[0])
      : "l"(__cvta_generic_to_global(from)));
  return g;
}

template <typename T>
__device__ __forceinline__ T number_of(unsigned bits) {
  return bits;
}
template <>
__device__ __forceinline__ float number_of<float>(unsigned bits) {
  return __uint_as_float(bits);
}
__device__ __forceinline__ unsigned bits_of(unsigned x) {
  return x;
}
__device__ __forceinline__ unsigned bits_of(float x) {
  return __float_as_uint(x);
}

/// Adds numbers of type T as A, in a chain for each place in a group.
template <typename T, typename A, unsigned N>
struct chains {
  A sum[N] = {};

  __device__ __forceinline__ void take(const group<N>& g) {
#pragma unroll  // they stay in registers
    for (unsigned c = 0; c < N; ++c) sum[c] += number_of<T>(g.at[c]);
  }
  __device__ __forceinline__ void take_one(T x) {
    sum[0] += x;
  }
  __device__ __forceinline__ A all() const {
    if constexpr (N == 4) return (sum[0] + sum[1]) + (sum[2] + sum[3]);
    return sum[0];
  }
};

/// Hands this thread's share of the numbers to `f`. A block of `Threads` goes through tiles of
/// `Loads` groups for each thread, the grid apart; a thread asks for all groups of a tile before it
/// waits for the first, also where fewer are left. Whether ptxas leaves it at that is another
/// matter: without the second launch bound it keeps to the registers that 2048 threads can have.
template <unsigned N, unsigned Threads, unsigned Loads, typename T, typename F>
__device__ __forceinline__ void for_share(const T* in, unsigned long long n, F& f) {
  using word = unsigned long long;
  constexpr unsigned tile = Threads * Loads;
  const auto* const groups = reinterpret_cast<const group<N>*>(in);
  word const count = n / N;
  word i = static_cast<word>(blockIdx.x) * tile + threadIdx.x;
  group<N> held[Loads];
#pragma unroll 1  // the loads in flight are those of one turn
  for (; i + (Loads - 1) * Threads < count; i += static_cast<word>(gridDim.x) * tile) {
#pragma unroll  // all asked for, then all taken
    for (unsigned k = 0; k < Loads; ++k) held[k] = read_group(groups + i + k * Threads);
#pragma unroll
    for (unsigned k = 0; k < Loads; ++k) f.take(held[k]);
  }
  if (i < count) {
    unsigned const left = static_cast<unsigned>(count - i);  // of this tile
#pragma unroll                                               // the same with what is left
    for (unsigned k = 0; k < Loads; ++k) {
      held[k] = {};
      if (k * Threads < left) held[k] = read_group(groups + i + k * Threads);
    }
#pragma unroll
    for (unsigned k = 0; k < Loads; ++k) f.take(held[k]);
  }
  if (N > 1 && blockIdx.x == 0 && threadIdx.x < n % N) f.take_one(in[count * N + threadIdx.x]);
}

// --- a block -------------------------------------------------------------------------------------

/// The sum of a warp's lanes, in the first.
template <typename A>
__device__ __forceinline__ A warp_sum(A x) {
#pragma unroll  // five shuffles
  for (unsigned k = 16; k > 0; k >>= 1) x += __shfl_down_sync(0xffffffff, x, k);
  return x;
}
#if __CUDA_ARCH__ >= 800
template <>
__device__ __forceinline__ unsigned warp_sum<unsigned>(unsigned x) {
  return __reduce_add_sync(0xffffffff, x);
}
#endif

/// The sum of all threads' `x`, in thread 0, which adds those of the warps. `room` holds one number
/// for each warp; who calls this twice with the same puts a barrier between.
template <unsigned Threads, typename A>
__device__ __forceinline__ A block_sum(A x, A* room) {
  constexpr unsigned warps = Threads / 32;  // a power of two
  x = warp_sum(x);
  if (threadIdx.x % 32 == 0) room[threadIdx.x / 32] = x;
  __syncthreads();
  if (threadIdx.x == 0) {
    A held[warps];
#pragma unroll  // four to a load
    for (unsigned w = 0; w < warps; ++w) held[w] = room[w];
#pragma unroll  // a tree: each of the additions waits for few others
    for (unsigned k = warps / 2; k > 0; k /= 2)
#pragma unroll
      for (unsigned w = 0; w < k; ++w) held[w] += held[w + k];
    x = held[0];
  }
  return x;
}

// --- the grid ------------------------------------------------------------------------------------

/// Where what lies in `state`, in bytes.
inline constexpr unsigned ticket_at = 0, count_at = 128, packed_at = 256, total_at = 384,
                          partials_at = 1024, words_at = 512 << 10;

template <typename T>
__device__ __forceinline__ T* place_in(unsigned* state, unsigned bytes) {
  return reinterpret_cast<T*>(reinterpret_cast<char*>(state) + bytes);
}

// `volatile` and "memory" for the reasons in memory.cuh.

/// Adds 1 and comes back to 0 behind `bound`.
__device__ __forceinline__ unsigned atom_relaxed_gpu_global_inc_u32(unsigned* address,
                                                                    unsigned bound) {
  unsigned old;
  asm volatile("atom.relaxed.gpu.global.inc.u32 %0, [%1], %2;"
               : "=r"(old)
               : "l"(global_address(address)), "r"(bound)
               : "memory");
  return old;
}
__device__ __forceinline__ unsigned long long ld_relaxed_gpu_global_u64(
    const unsigned long long* address) {
  unsigned long long value;
  asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];"
               : "=l"(value)
               : "l"(__cvta_generic_to_global(address))
               : "memory");
  return value;
}
__device__ __forceinline__ void st_relaxed_gpu_global_u64(unsigned long long* address,
                                                          unsigned long long value) {
  asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(address)),
               "l"(value)
               : "memory");
}
__device__ __forceinline__ void red_relaxed_gpu_global_add_f32(float* address, float value) {
  asm volatile("red.relaxed.gpu.global.add.f32 [%0], %1;" ::"l"(__cvta_generic_to_global(address)),
               "f"(value)
               : "memory");
}

/// Whether this block is the last of all to get here, in its first thread: it then sees what the
/// others' first threads have written before, and the ticket is 0 again.
template <ordering O>
__device__ __forceinline__ bool last_to_arrive(unsigned* state) {
  fence_before_arrival<O>();
  unsigned const bound = gridDim.x - 1;
  bool const last =
      atom_relaxed_gpu_global_inc_u32(place_in<unsigned>(state, ticket_at), bound) == bound;
  if (last) fence_behind_polls<O>();
  return last;
}

/// A way from the blocks' sums to that of the grid, which has more than one block. leave() is
/// called by all threads with what block_sum() gave; `room` is for another block_sum().
///
/// Here every block leaves its sum in memory and the last to arrive adds them, in the order of the
/// blocks, whichever it is.
template <ordering O = ordering::sound>
struct by_ticket {
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave(T* out, A sum, A* room, unsigned* state) {
    __shared__ bool last;
    A* const partials = place_in<A>(state, partials_at);
    if (threadIdx.x == 0) {
      partials[blockIdx.x] = sum;
      last = last_to_arrive<O>(state);
    }
    __syncthreads();
    if (last) add_partials<Threads>(out, partials, room);
  }
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void add_partials(T* out, const A* partials, A* room) {
    A x = 0;
#pragma unroll 1  // mostly once
    for (unsigned b = threadIdx.x; b < gridDim.x; b += Threads) x += partials[b];
    x = block_sum<Threads>(x, room);
    if (threadIdx.x == 0) *out = static_cast<T>(x);
  }
};

/// The last block by number waits until all others have arrived.
struct by_counter {
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave(T* out, A sum, A* room, unsigned* state) {
    unsigned* const count = place_in<unsigned>(state, count_at);
    A* const partials = place_in<A>(state, partials_at);
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
    if (blockIdx.x != gridDim.x - 1) {
      if (threadIdx.x == 0) arrive_at<ordering::sound>(count);
      return;
    }
    if (threadIdx.x == 0) {
      wait_acquiring<ordering::sound>(count, gridDim.x - 1);
      st_relaxed_gpu_global_u32(count, 0);
    }
    __syncthreads();
    by_ticket<>::add_partials<Threads>(out, partials, room);
  }
};

/// Each block's sum and the mark that it is there are one word of 64 bits, so that nothing has to
/// be ordered: the last block by number polls the words of all others and clears them.
struct by_words {
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave(T* out, A sum, A* room, unsigned* state) {
    leave_of<Threads>(out, sum, room, state, blockIdx.x, gridDim.x);
  }
  /// The same of sums that are numbered otherwise than blocks.
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave_of(T* out, A sum, A* room, unsigned* state,
                                                  unsigned number, unsigned numbers) {
    using word = unsigned long long;
    word* const words = place_in<word>(state, words_at);
    constexpr word there = word{1} << 32;
    if (number != numbers - 1) {
      if (threadIdx.x == 0) st_relaxed_gpu_global_u64(words + number, there | bits_of(sum));
      return;
    }
    A x = 0;
#pragma unroll 1  // mostly once
    for (unsigned b = threadIdx.x; b < numbers - 1; b += Threads) {
      word seen = 0;
#pragma unroll 1  // one poll, in the loop
      while ((seen = ld_relaxed_gpu_global_u64(words + b)) == 0) {
      }
      st_relaxed_gpu_global_u64(words + b, 0);
      x += number_of<A>(static_cast<unsigned>(seen));
    }
    x = block_sum<Threads>(x, room);
    if (threadIdx.x == 0) *out = static_cast<T>(x + sum);
  }
};

/// An integer's sum and the number of blocks in it are the halves of one word, which blocks add to:
/// the count below, where it cannot carry into the sum.
struct by_packed {
  template <unsigned Threads>
  static __device__ __forceinline__ void leave(unsigned* out, unsigned sum, unsigned*,
                                               unsigned* state) {
    using word = unsigned long long;
    if (threadIdx.x != 0) return;
    word* const both = place_in<word>(state, packed_at);
    word const before = atom_relaxed_gpu_global_add_u64(
        static_cast<word>(__cvta_generic_to_global(both)), word{sum} << 32 | 1);
    if (static_cast<unsigned>(before) != gridDim.x - 1) return;
    *out = static_cast<unsigned>(before >> 32) + sum;
    st_relaxed_gpu_global_u64(both, 0);
  }
};

/// Blocks add to one float as they come, so that the order is another one every time.
struct by_addition {
  template <unsigned Threads>
  static __device__ __forceinline__ void leave(float* out, float sum, float*, unsigned* state) {
    if (threadIdx.x != 0) return;
    float* const total = place_in<float>(state, total_at);
    red_relaxed_gpu_global_add_f32(total, sum);
    if (!last_to_arrive<ordering::sound>(state)) return;
    auto* const bits = reinterpret_cast<unsigned*>(total);
    *out = number_of<float>(ld_relaxed_gpu_global_u32(bits));
    st_relaxed_gpu_global_u32(bits, 0);
  }
};

#if __CUDA_ARCH__ >= 900
/// The blocks of a cluster store their sums into the shared memory of the first, which adds them.
/// The kernel arrives at the cluster's barrier in the beginning: then all blocks have begun.
template <unsigned Blocks>
struct by_cluster {
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave(T* out, A sum, A* room, unsigned* state) {
    __shared__ unsigned sums[Blocks];
    unsigned const rank = blockIdx.x % Blocks;
    barrier_cluster_wait();
    if (threadIdx.x == 0)
      st_relaxed_cluster_u32(mapa_u64(reinterpret_cast<unsigned long long>(sums + rank), 0),
                             bits_of(sum));
    cluster_barrier();
    if (rank != 0) return;
    A x = 0;
#pragma unroll  // four to a load
    for (unsigned b = 0; b < Blocks; ++b) x += number_of<A>(sums[b]);
    unsigned const clusters = gridDim.x / Blocks;
    if (clusters > 1)
      by_words::leave_of<Threads>(out, x, room, state, blockIdx.x / Blocks, clusters);
    else if (threadIdx.x == 0)
      *out = static_cast<T>(x);
  }
};
#endif

/// The sum of all numbers, added as A, in out[0]; read in groups of N. A grid of one block has
/// nobody to wait for.
template <typename Way, unsigned N, unsigned Threads, unsigned Loads, typename A, typename T>
__device__ __forceinline__ void sum_groups(T* out, const T* in, unsigned long long n,
                                           unsigned* state) {
  __shared__ __align__(16) A room[2][Threads / 32];
  chains<T, A, N> sums;
  for_share<N, Threads, Loads>(in, n, sums);
  A const sum = block_sum<Threads>(sums.all(), room[0]);
  if (gridDim.x > 1)
    Way::template leave<Threads>(out, sum, room[1], state);
  else if (threadIdx.x == 0)
    *out = static_cast<T>(sum);
}
template <typename Way, unsigned Threads, unsigned Loads, typename A, typename T>
__device__ __forceinline__ void sum_all(T* out, const T* in, unsigned long long n,
                                        unsigned* state) {
  sum_groups<Way, 4, Threads, Loads, A>(out, in, n, state);
}

}  // namespace ptxlab::device
