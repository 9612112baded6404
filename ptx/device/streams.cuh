// SPDX-License-Identifier: Apache-2.0
// Independent streams of copies in many warps, timed as a whole.
#pragma once

#include "ptx/device/timing.cuh"

namespace ptxlab::device {

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
