// SPDX-License-Identifier: Apache-2.0
// What blocks or warps of a grid hand to each other, timed round by round.
#pragma once

#include "ptx/device/timing.cuh"

namespace ptxlab::device {

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

}  // namespace ptxlab::device
