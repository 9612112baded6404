// SPDX-License-Identifier: Apache-2.0
// Loads along a ring of links through memory, timed one after the other.
#pragma once

#include "ptx/device/timing.cuh"

namespace ptxlab::device {

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

}  // namespace ptxlab::device
