// SPDX-License-Identifier: Apache-2.0
// The 32-bit clock of an SM, for delays; what is timed has clock64 (timing.cuh).
#pragma once

namespace ptxlab::device {

__device__ __forceinline__ unsigned clock_now() {
  unsigned t;
  // volatile and "memory": where it stands is what it says
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

/// Comes back after `cycles` or somewhat more: a look at the clock takes as long as it takes.
__device__ __forceinline__ void wait_cycles(unsigned cycles) {
  unsigned const start = clock_now();
#pragma unroll 1  // it turns until the time is over
  while (clock_now() - start < cycles) {
  }
}

}  // namespace ptxlab::device
