// SPDX-License-Identifier: Apache-2.0
// Where in L2 a word lies, as seen from here. The L2 of a large GPU has two halves, an address
// belongs to one of them by its page of 4 KiB, and an atomic takes longer to the other half than to
// the near one.
#pragma once

#include "ptx/device/atomic.cuh"
#include "ptx/device/clock.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

namespace ptxlab::device {

inline constexpr unsigned page_words = 4096 / sizeof(unsigned);

/// Cycles until the result of an atomic on `word` is there, which adds 0: the least of some tries,
/// since others may be in the way. The word must not hold 2^32 - 1. Takes no shared memory, which
/// may leave the kernel less L1.
__device__ __forceinline__ unsigned atomic_latency(const unsigned* word) {
  constexpr unsigned tries = 3;
  auto const at = static_cast<unsigned long long>(__cvta_generic_to_global(word));
  unsigned least = ~0U;
#pragma unroll 1  // small rather than fast
  for (unsigned k = 0; k < tries; ++k) {
    unsigned const start = clock_now();
    // Never stored, but looked at: that waits for the result.
    if (atom_relaxed_gpu_global_add_u32(at, 0) == ~0U) st_global_u32(at, 0);
    least = min(least, clock_now() - start);
  }
  return least;
}

}  // namespace ptxlab::device
