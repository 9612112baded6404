// SPDX-License-Identifier: Apache-2.0
// A wait that cannot last forever: the guarded twin of a spin. After half a second by %globaltimer,
// or once another block has given up, it stops waiting and says so to the host.
#pragma once

#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

namespace ptxlab::device {

inline constexpr unsigned long long guard_ns = 500'000'000;

/// Waits until `done()` is true. The clock and the other blocks' word are looked at once in 1024
/// polls, so that the wait itself is hardly slower than the unguarded one.
template <typename Done>
__device__ __forceinline__ void guarded_wait(watch* w, unsigned round, const Done& done) {
  unsigned long long const start = globaltimer_now();
  unsigned polls = 0;
  while (!done()) {
    if (++polls % 1024 != 0) continue;
    bool const late = globaltimer_now() - start > guard_ns;
    if (late && atomicCAS_system(&w->abandoned, 0U, 1U) == 0) {
      w->abandoned_by = blockIdx.x;
      w->abandoned_in = round;
    }
    if (late || ld_relaxed_sys_u32(&w->abandoned) != 0) return;
  }
}

}  // namespace ptxlab::device
