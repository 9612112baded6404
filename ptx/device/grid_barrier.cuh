// SPDX-License-Identifier: Apache-2.0
// What barriers over the whole grid share: how a thread arrives at a word and polls one, in order
// or broken on purpose in one way; and the kernels that every barrier is put into: timed, between
// the steps of a transform, and as a litmus test.
//
// A barrier is a class with a constructor from `unsigned* state` (64 KiB at a multiple of 4 KiB,
// all zero), which every thread of the grid runs, and with `wait(round)`, which every thread calls
// with 1, 2, 3, ... It keeps nothing that has to be reset. All blocks must be resident.
#pragma once

#include "ptx/device/atomic.cuh"
#include "ptx/device/exchange.cuh"
#include "ptx/device/fence.cuh"
#include "ptx/device/l2_home.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/transform.cuh"

namespace ptxlab::device {

inline constexpr unsigned barrier_state_bytes = 65536;

/// What a barrier orders. The broken ones still count and wait, so they end; what other blocks
/// wrote before need not be seen behind them.
enum class ordering {
  sound,
  no_release,  ///< who arrives does not push its block's writes ahead
  no_acquire,  ///< who leaves may still read what its caches hold
  narrow       ///< both, but of the block's scope (.cta), which other blocks are not in
};

// fence.acquire and fence.release order one way only (PTX ISA 9.0, membar/fence; sm_90 and later),
// and in SASS that is the half that costs: .release is the MEMBAR, .acquire the CCTL.IVALL,
// .acq_rel both. `volatile` and "memory" for the reasons in fence.cuh.

__device__ __forceinline__ void fence_release_gpu() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.release.gpu;" ::: "memory");
#else
  fence_acq_rel_gpu();
#endif
}

__device__ __forceinline__ void fence_acquire_gpu() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.acquire.gpu;" ::: "memory");
#else
  fence_acq_rel_gpu();
#endif
}

/// Before an arrival by a relaxed access: everything that this block has done.
template <ordering O>
__device__ __forceinline__ void fence_before_arrival() {
  if constexpr (O == ordering::sound || O == ordering::no_acquire) fence_release_gpu();
  if constexpr (O == ordering::narrow) fence_acq_rel_cta();
}

/// Behind polls by relaxed accesses: everything that this block will do.
template <ordering O>
__device__ __forceinline__ void fence_behind_polls() {
  if constexpr (O == ordering::sound || O == ordering::no_release) fence_acquire_gpu();
  if constexpr (O == ordering::narrow) fence_acq_rel_cta();
}

/// Both, for who hands on what it has seen.
template <ordering O>
__device__ __forceinline__ void fence_between() {
  if constexpr (O == ordering::sound) {
    fence_acq_rel_gpu();
  } else {
    fence_behind_polls<O>();
    if constexpr (O == ordering::no_acquire) fence_before_arrival<O>();
  }
}

__device__ __forceinline__ unsigned long long global_address(const unsigned* p) {
  return static_cast<unsigned long long>(__cvta_generic_to_global(p));
}

// The asm statements here are `volatile` and name "memory" for the reasons in memory.cuh; addresses
// are global ones, so that SASS has REDG and LDG and no generic forms.

/// Adds `n` to a counter and does not wait for it.
template <ordering O>
__device__ __forceinline__ void arrive_at(unsigned* count, unsigned n = 1) {
  if constexpr (O == ordering::sound || O == ordering::no_acquire) {
    asm volatile("red.release.gpu.global.add.u32 [%0], %1;" ::"l"(global_address(count)), "r"(n)
                 : "memory");
  } else {
    fence_before_arrival<O>();
    red_relaxed_gpu_global_add_u32(global_address(count), n);
  }
}

__device__ __forceinline__ void st_relaxed_gpu_global_u32(unsigned* address, unsigned value) {
  asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(global_address(address)), "r"(value)
               : "memory");
}

/// Writes a word that others poll.
template <ordering O>
__device__ __forceinline__ void announce(unsigned* flag, unsigned value) {
  fence_before_arrival<O>();
  st_relaxed_gpu_global_u32(flag, value);
}

__device__ __forceinline__ unsigned ld_relaxed_gpu_global_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(global_address(address))
               : "memory");
  return value;
}

__device__ __forceinline__ unsigned ld_acquire_gpu_global_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(global_address(address))
               : "memory");
  return value;
}

/// One look at a word that others write. A broken barrier polls relaxed and still sees the word
/// change, so that it ends.
template <ordering O>
__device__ __forceinline__ unsigned poll(const unsigned* word) {
  if constexpr (O == ordering::sound || O == ordering::no_release)
    return ld_acquire_gpu_global_u32(word);
  else
    return ld_relaxed_gpu_global_u32(word);
}

/// Behind the last poll().
template <ordering O>
__device__ __forceinline__ void leave() {
  if constexpr (O == ordering::narrow) fence_acq_rel_cta();
}

/// Whether a counter or round that only grows, modulo 2^32, is still below `target`.
__device__ __forceinline__ bool behind(unsigned seen, unsigned target) {
  return static_cast<int>(seen - target) < 0;
}

/// Polls until the word has reached `target`, every time with a load that acquires.
template <ordering O>
__device__ __forceinline__ void wait_acquiring(const unsigned* word, unsigned target) {
#pragma unroll 1  // one poll, in the loop
  while (behind(poll<O>(word), target)) {
  }
  leave<O>();
}

/// Polls relaxed until the word has reached `target`, and acquires once.
template <ordering O>
__device__ __forceinline__ void wait_relaxed(const unsigned* word, unsigned target) {
#pragma unroll 1  // one poll, in the loop
  while (behind(ld_relaxed_gpu_global_u32(word), target)) {
  }
  fence_behind_polls<O>();
}

// --- timed ---------------------------------------------------------------------------------------

__device__ __forceinline__ unsigned* barrier_state(const unsigned long long* in) {
  return reinterpret_cast<unsigned*>(scratch(in));
}

/// Rounds of the barrier alone.
template <typename Barrier>
__device__ __forceinline__ void time_barrier(sample* out, const unsigned long long* in) {
  Barrier const barrier(barrier_state(in));
  time_exchange(out, in, [&](unsigned round) { barrier.wait(round); });
}

/// The same behind a weak store by every thread to a word of its own, which the barrier has to push
/// ahead.
template <typename Barrier>
__device__ __forceinline__ void time_dirty_barrier(sample* out, const unsigned long long* in) {
  Barrier const barrier(barrier_state(in));
  unsigned long long const own = scratch(in) + barrier_state_bytes +
                                 (blockIdx.x * blockDim.x + threadIdx.x) * sizeof(unsigned);
  time_exchange(out, in, [&](unsigned round) {
    st_global_u32(own, round);
    barrier.wait(round);
  });
}

inline constexpr unsigned late_cycles = 4000;

/// The same where block 0 arrives `late_cycles` after it could have: what is more than these is
/// what the others take to see the last arrival.
template <typename Barrier>
__device__ __forceinline__ void time_late_barrier(sample* out, const unsigned long long* in) {
  Barrier const barrier(barrier_state(in));
  time_exchange(out, in, [&](unsigned round) {
    if (blockIdx.x == 0) wait_cycles(late_cycles);
    barrier.wait(round);
  });
}

// --- between the steps of a transform ------------------------------------------------------------

/// X -> P -> X, so many times, in one launch.
template <typename Barrier>
__device__ __forceinline__ void transform_behind(float* x, float* p, const float* weights,
                                                 unsigned* state, unsigned n, unsigned terms,
                                                 unsigned transforms) {
  Barrier const barrier(state);
  float const share = reciprocal_of(terms);
  unsigned round = 0;
#pragma unroll 1  // one copy of the two steps
  for (unsigned i = 0; i < transforms; ++i) {
    weighted_means(x, p, weights, n, terms, share);
    barrier.wait(++round);
    weighted_means(p, x, weights, n, terms, share);
    barrier.wait(++round);
  }
}

// --- litmus --------------------------------------------------------------------------------------

/// In round r each block writes r to a word of its own, then comes the barrier, then it reads the
/// word of the block `distance` further on. Words of odd and of even rounds lie apart: the other
/// block writes the word again only when two more barriers are behind everybody.
///
///   late   what it reads behind the barrier: r. Less is stale; where both blocks of a pair find
///   each
///          other's word stale, they have buffered their stores.
///   early  the word of the round to come, read before the barrier: never r + 1, which nobody
///   writes
///          before all have passed this barrier.
///
/// Thread 0 arrives and polls in most barriers; the last thread writes, and one from the middle
/// reads, so that __syncthreads() has to carry the order on. `stress` weak stores of every thread
/// to words of its own stand before, for the release to wait for. All data accesses are weak.
///
/// data: 2 x blocks words, 128 bytes apart, zeroed; behind them room for the stores. log: for each
/// round and block `late` and `early`.
template <typename Barrier>
__device__ __forceinline__ void litmus_of(unsigned* state, unsigned* data, unsigned* log,
                                          unsigned rounds, unsigned distance, unsigned stress) {
  constexpr unsigned apart = 32;  // words between blocks' words: lines of their own
  Barrier const barrier(state);
  unsigned const blocks = gridDim.x, me = blockIdx.x, other = (me + distance) % blocks;
  bool const reads = threadIdx.x == blockDim.x / 2, writes = threadIdx.x == blockDim.x - 1;
  unsigned* const junk = data + 2 * blocks * apart + (me * blockDim.x + threadIdx.x) * stress;
#pragma unroll 1  // each round is the same code
  for (unsigned r = 1; r <= rounds; ++r) {
    unsigned* const now = data + r % 2 * blocks * apart;
    unsigned* const next = data + (r + 1) % 2 * blocks * apart;
    unsigned early = 0;
    if (reads) early = ld_global_u32(next + other * apart);
#pragma unroll 1  // stores as they come, not gathered
    for (unsigned i = 0; i < stress; ++i) st_global_u32(global_address(junk + i), r);
    if (writes) st_global_u32(global_address(now + me * apart), r);
    barrier.wait(r);
    if (reads) {
      unsigned* const entry = log + ((r - 1) * blocks + me) * 2;
      entry[0] = ld_global_u32(now + other * apart);
      entry[1] = early;
    }
  }
}

}  // namespace ptxlab::device
