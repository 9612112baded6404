// SPDX-License-Identifier: Apache-2.0
// How a kernel times itself: the clock reads, what stands between them, and where the samples go.
// The harness (driver/bench) and the gate (analysis/timing) know this shape and no kernel.
//
// A timed region is: read %globaltimer, read %clock64, the copies, a store that needs their result,
// read %clock64, read %smid. One kernel holds the same copies at several lengths, so that what the
// clock reads and the store cost is the same in each and cancels in the slope.
#pragma once

#include "ptx/device/sample.hpp"

namespace ptxlab::device {

// The asm here is `volatile` and names "memory" so that nvcc keeps its order against the copies.
// ptxas promises nothing; analysis/timing looks at what it did, kernel by kernel.

__device__ __forceinline__ unsigned long long clock64_now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

__device__ __forceinline__ unsigned long long globaltimer_now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
  return t;
}

__device__ __forceinline__ unsigned smid_now() {
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id)::"memory");
  return id;
}

/// Operand `index` of this lane. It comes from memory, so neither compiler knows its value.
template <typename T>
__device__ __forceinline__ T operand(const unsigned long long* in, unsigned index) {
  static_assert(sizeof(T) <= sizeof(unsigned long long));
  return *reinterpret_cast<const T*>(in + (index + 1) * 32 + threadIdx.x % 32);
}

/// The samples of one launch, held in shared memory until the last region is over, so that no
/// store to global memory runs into a timed region.
template <unsigned Samples>
struct sample_store {
  sample held[Samples];
  unsigned long long sink;
};

/// Shared-memory address of `store`, in a register: it depends on word 0 of the operands (always
/// 0), so ptxas cannot compute it again inside a timed region.
template <typename T>
__device__ __forceinline__ unsigned address_of(T& store, const unsigned long long* in) {
  return static_cast<unsigned>(__cvta_generic_to_shared(&store)) +
         static_cast<unsigned>(in[threadIdx.x % 32]);
}

// A store waits for the value it stores, and issue is in order: the clock read behind it comes
// after the value.
__device__ __forceinline__ void consume(unsigned at, unsigned x) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(x) : "memory");
}
__device__ __forceinline__ void consume(unsigned at, int x) {
  consume(at, static_cast<unsigned>(x));
}
__device__ __forceinline__ void consume(unsigned at, float x) {
  asm volatile("st.shared.f32 [%0], %1;" ::"r"(at), "f"(x) : "memory");
}
__device__ __forceinline__ void consume(unsigned at, double x) {
  asm volatile("st.shared.f64 [%0], %1;" ::"r"(at), "d"(x) : "memory");
}
__device__ __forceinline__ void consume(unsigned at, unsigned long long x) {
  asm volatile("st.shared.u64 [%0], %1;" ::"r"(at), "l"(x) : "memory");
}
__device__ __forceinline__ void consume(unsigned at, long long x) {
  consume(at, static_cast<unsigned long long>(x));
}

__device__ __forceinline__ void put(unsigned at, const sample& s) {
  asm volatile("st.shared.v2.u64 [%0], {%1, %2};" ::"r"(at), "l"(s.begin), "l"(s.end) : "memory");
  asm volatile("st.shared.u64 [%0+16], %1;" ::"r"(at), "l"(s.time_ns) : "memory");
  asm volatile("st.shared.v2.u32 [%0+24], {%1, %2};" ::"r"(at), "r"(s.sm), "r"(s.region)
               : "memory");
}

/// One timed region: `Copies` steps of each of `Streams` values, the streams taken in turn. Their
/// results go to `sink`, 8 bytes each: ptxas drops a store that the next one overwrites. Every warp
/// writes its sample to `at`.
template <unsigned Copies, unsigned Region, unsigned Streams, typename T, typename Step>
__device__ __forceinline__ void timed(unsigned at, unsigned sink, T (&x)[Streams],
                                      const Step& step) {
  sample s;
  s.time_ns = globaltimer_now();
  s.begin = clock64_now();
#pragma unroll  // no loop overhead between the clock reads
  for (unsigned i = 0; i < Copies; ++i) {
#pragma unroll
    for (unsigned k = 0; k < Streams; ++k) x[k] = step(x[k]);
  }
#pragma unroll
  for (unsigned k = 0; k < Streams; ++k) consume(sink + k * sizeof(unsigned long long), x[k]);
  s.end = clock64_now();
  s.sm = smid_now();
  s.region = Region;
  put(at, s);
}

/// Copies what the warps of this block hold to global memory: block by block, warp by warp, each
/// with its samples in order.
template <unsigned Samples>
__device__ __forceinline__ void flush(sample* out, const sample* held, unsigned warps) {
  __syncthreads();
  out += blockIdx.x * warps * Samples;
  for (unsigned i = threadIdx.x; i < warps * Samples; i += blockDim.x) out[i] = held[i];
}

/// A megabyte of global memory, zeroed before each launch; the last of the operands.
__device__ __forceinline__ unsigned long long scratch(const unsigned long long* in) {
  return operand<unsigned long long>(in, scratch_operand);
}

/// Latency: N, 2N and 4N steps, each fed by the one before, the first by `start`. `step(x, a, b)`
/// gets operands 1 and 2 as well. Any number of warps may run it (a barrier wants them); the first
/// one's samples are kept.
template <unsigned N, typename T, typename Step>
__device__ __forceinline__ void time_chain_from(sample* out, const unsigned long long* in, T start,
                                                const Step& step) {
  constexpr unsigned all = 3 * samples_per_launch;
  __shared__ sample_store<all + 3> store;  // three more for the warps that are not kept
  unsigned const base = address_of(store, in);
  unsigned const sink = base + sizeof store.held;
  unsigned at = threadIdx.x < 32 ? base : base + all * sizeof(sample);
  unsigned const stride = threadIdx.x < 32 ? 3 * sizeof(sample) : 0;
  T const a = operand<T>(in, 1), b = operand<T>(in, 2);
  auto const with_operands = [&](T x) { return step(x, a, b); };
  T x[1] = {start};
#pragma unroll 1  // one copy of the three regions
  for (unsigned i = 0; i < samples_per_launch; ++i, at += stride) {
    timed<N, 0>(at, sink, x, with_operands);
    timed<2 * N, 1>(at + sizeof(sample), sink, x, with_operands);
    timed<4 * N, 2>(at + 2 * sizeof(sample), sink, x, with_operands);
  }
  flush<all>(out, store.held, 1);
}

/// The same, the first step fed by operand 0.
template <unsigned N, typename T, typename Step>
__device__ __forceinline__ void time_chain(sample* out, const unsigned long long* in,
                                           const Step& step) {
  time_chain_from<N, T>(out, in, operand<T>(in, 0), step);
}

/// Position of the j-th stop of a walk through 2^bits places: j itself, or for a random walk a
/// bijection that mixes its bits (multiplication by an odd number and xor with a right shift, both
/// of which can be undone modulo 2^bits).
__device__ __forceinline__ unsigned long long ring_place(unsigned long long j, unsigned bits,
                                                         bool random) {
  if (!random) return j;
  unsigned long long const mask = (1ULL << bits) - 1;
  unsigned const half = bits / 2 + 1;
#pragma unroll
  for (int round = 0; round < 3; ++round) {
    j = j * 0x9e3779b97f4a7c15ULL & mask;
    j ^= j >> half;
  }
  return j;
}

/// Writes the ring into memory: `n` links of `stride` bytes each from `base` on, at 8 bytes of each
/// place; all threads of the block. A stride of pages or more moves on by a line in every page, so
/// that the links do not all fall into one set of a cache. Link i holds the address of the next
/// one, or (`words`) its distance from `base` in 4-byte words.
__device__ __forceinline__ void write_ring(unsigned long long base, unsigned long long n,
                                           unsigned long long stride, bool random, bool words) {
  unsigned bits = 0;
  while (1ULL << bits < n) ++bits;
  unsigned long long const lines = stride >= 4096 ? stride / 128 : 1;
  for (unsigned long long j = threadIdx.x; j < 1ULL << bits; j += blockDim.x) {
    unsigned long long const here = ring_place(j, bits, random);
    if (here >= n) continue;
    unsigned long long next = n;
    for (unsigned long long k = j + 1; next >= n; ++k)
      next = ring_place(k & ((1ULL << bits) - 1), bits, random);
    unsigned long long const from = here * stride + here % lines * 128;
    unsigned long long const to = next * stride + next % lines * 128;
    if (words) {
      *reinterpret_cast<unsigned*>(base + from) = static_cast<unsigned>(to / 4);
    } else {
      *reinterpret_cast<unsigned long long*>(base + from) = base + to;
    }
  }
  __threadfence();
  __syncthreads();
}

/// Latency of loads along a ring. The block writes the ring (unless the host did), then the first
/// warp walks it: `ring_operand::warm` links without timing, then N, 2N and 4N links, each load's
/// address being the value of the one before. `step(x)` follows one link; `start` is the first.
template <unsigned N, typename T, typename Step>
__device__ __forceinline__ void time_ring(sample* out, const unsigned long long* in, T start,
                                          const Step& step) {
  constexpr unsigned all = 3 * samples_per_launch;
  __shared__ sample_store<all> store;
  unsigned const base = address_of(store, in);
  unsigned const sink = base + sizeof store.held;
  auto const order = operand<unsigned>(in, ring_operand::order);
  if (order != ring_written)
    write_ring(operand<unsigned long long>(in, ring_operand::base),
               operand<unsigned long long>(in, ring_operand::links),
               operand<unsigned long long>(in, ring_operand::stride), (order & 1) != 0,
               (order & 2) != 0);
  if (threadIdx.x < 32) {
    T x[1] = {start};
    auto const warm = operand<unsigned>(in, ring_operand::warm);
#pragma unroll 1
    for (unsigned i = 0; i < warm; ++i) x[0] = step(x[0]);
    unsigned at = base;
#pragma unroll 1  // one copy of the three regions
    for (unsigned i = 0; i < samples_per_launch; ++i, at += 3 * sizeof(sample)) {
      timed<N, 0>(at, sink, x, step);
      timed<2 * N, 1>(at + sizeof(sample), sink, x, step);
      timed<4 * N, 2>(at + 2 * sizeof(sample), sink, x, step);
    }
  }
  flush<all>(out, store.held, 1);
}

/// The number of rounds, known to ptxas to be the same in all lanes: for a loop that lanes might
/// leave at different times it writes every instruction across lanes twice.
__device__ __forceinline__ unsigned rounds_of(const unsigned long long* in) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffff, operand<unsigned>(in, rounds_operand));
#else
  return operand<unsigned>(in, rounds_operand);
#endif
}

/// Says that this block begins pass `pass` (from 1), to whoever watches.
__device__ __forceinline__ void begin_pass(watch* w, unsigned pass) {
  if (threadIdx.x != 0 || blockIdx.x >= watch::blocks) return;
  // Once a wait was given up, all blocks run on: what is to be seen is how far they were then.
  if (*static_cast<volatile unsigned*>(&w->abandoned) != 0) return;
  *static_cast<volatile unsigned*>(&w->begun[blockIdx.x]) = pass;
}

/// A word handed to and fro, or a barrier of the grid: rounds of `step(round)`, counted from 1 and
/// not reset between passes. The first warp of each block keeps the samples of one region.
template <typename Step>
__device__ __forceinline__ void time_exchange(sample* out, const unsigned long long* in,
                                              const Step& step) {
  __shared__ sample_store<exchange_samples> store;
  unsigned const base = address_of(store, in);
  unsigned const sink = base + sizeof store.held;
  unsigned const rounds = rounds_of(in);
  auto* const seen = reinterpret_cast<watch*>(operand<unsigned long long>(in, watch_operand));
  unsigned round = 0;
#pragma unroll 1
  for (unsigned i = 0; i < exchange_samples; ++i) {
    begin_pass(seen, i + 1);
    unsigned const last = round + rounds;
    sample s;
    s.time_ns = globaltimer_now();
    s.begin = clock64_now();
#pragma unroll 1  // the rounds are what the slope is over
    do {
      ++round;
      step(round);
    } while (round != last);
    consume(sink, round);
    s.end = clock64_now();
    s.sm = smid_now();
    s.region = 0;
    if (threadIdx.x < 32) put(base + i * sizeof(sample), s);
  }
  __syncwarp();
  if (threadIdx.x < 32) {
    out += blockIdx.x * exchange_samples;
    for (unsigned i = threadIdx.x; i < exchange_samples; i += 32) out[i] = store.held[i];
  }
}

/// One timed region of `rounds` rounds of N steps in all, over `Streams` streams. The warps of a
/// block start it together.
template <unsigned N, unsigned Region, unsigned Streams, typename T, typename Step>
__device__ __forceinline__ void timed_rounds(unsigned at, unsigned sink, unsigned rounds,
                                             T (&x)[Streams], const Step& step) {
  __syncthreads();
  sample s;
  s.time_ns = globaltimer_now();
  s.begin = clock64_now();
  unsigned left = rounds;
#pragma unroll 1  // the rounds are what the slope is over
  do {
#pragma unroll
    for (unsigned i = 0; i < N / Streams; ++i) {
#pragma unroll
      for (unsigned k = 0; k < Streams; ++k) x[k] = step(x[k]);
    }
  } while (--left != 0);
#pragma unroll
  for (unsigned k = 0; k < Streams; ++k) consume(sink + k * sizeof(unsigned long long), x[k]);
  s.end = clock64_now();
  s.sm = smid_now();
  s.region = Region;
  put(at + Region * sizeof(sample), s);
}

/// Throughput: rounds of N steps in all, over 1, 2, 4 and 8 independent streams; the host launches
/// it with two numbers of rounds. Stream k starts with `start(k)`; `step(x, a, b)` gets operands 1
/// and 2. Every warp keeps its samples, in throughput_bytes(warps) of dynamic shared memory.
template <unsigned N, typename T, typename Start, typename Step>
__device__ __forceinline__ void time_streams_from(sample* out, const unsigned long long* in,
                                                  const Start& start, const Step& step) {
  constexpr unsigned all = throughput_regions * throughput_samples;
  extern __shared__ sample held_by_warp[];
  __shared__ unsigned long long sink_words[8];
  unsigned at = address_of(held_by_warp, in) + threadIdx.x / 32 * all * sizeof(sample);
  unsigned const sink = address_of(sink_words, in);
  unsigned const rounds = rounds_of(in);
  T const a = operand<T>(in, 1), b = operand<T>(in, 2);
  auto const with_operands = [&](T x) { return step(x, a, b); };
  T x1[1], x2[2], x4[4], x8[8];
#pragma unroll
  for (unsigned k = 0; k < 8; ++k) {
    x8[k] = start(k);
    if (k < 1) x1[k] = x8[k];
    if (k < 2) x2[k] = x8[k];
    if (k < 4) x4[k] = x8[k];
  }
#pragma unroll 1  // one copy of the four regions
  for (unsigned i = 0; i < throughput_samples; ++i, at += throughput_regions * sizeof(sample)) {
    timed_rounds<N, 0>(at, sink, rounds, x1, with_operands);
    timed_rounds<N, 1>(at, sink, rounds, x2, with_operands);
    timed_rounds<N, 2>(at, sink, rounds, x4, with_operands);
    timed_rounds<N, 3>(at, sink, rounds, x8, with_operands);
  }
  flush<all>(out, held_by_warp, blockDim.x / 32);
}

/// The same, stream k starting with operand 3 + k.
template <unsigned N, typename T, typename Step>
__device__ __forceinline__ void time_streams(sample* out, const unsigned long long* in,
                                             const Step& step) {
  time_streams_from<N, T>(
      out, in, [in](unsigned k) { return operand<T>(in, 3 + k); }, step);
}

}  // namespace ptxlab::device
