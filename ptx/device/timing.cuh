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

/// The number of rounds, known to ptxas to be the same in all lanes: for a loop that lanes might
/// leave at different times it writes every instruction across lanes twice.
__device__ __forceinline__ unsigned rounds_of(const unsigned long long* in) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(0xffffffff, operand<unsigned>(in, rounds_operand));
#else
  return operand<unsigned>(in, rounds_operand);
#endif
}

/// Four megabytes of global memory on whole pages of 4 KiB, zeroed before each launch; the last of
/// the operands.
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

}  // namespace ptxlab::device
