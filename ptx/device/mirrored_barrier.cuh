// SPDX-License-Identifier: Apache-2.0
// A barrier over the grid with a counter in each half of the L2: every block arrives at both and
// polls the nearer one (kernels/barrier/mirrored.cu says what it costs).
#pragma once

#include "ptx/device/grid_barrier.cuh"

namespace ptxlab::device {

inline constexpr unsigned candidate_pages = 8;  // pages 1 to 8 of the state

struct page_pair {
  unsigned nearest, farthest;
};

// As this block sees them; two different ones.
__device__ __forceinline__ page_pair extremes(const unsigned* state) {
  page_pair found = {1, 1};
  unsigned least = ~0U, most = 0;
#pragma unroll 1  // once per launch: small rather than fast
  for (unsigned page = 1; page <= candidate_pages; ++page) {
    unsigned const latency = atomic_latency(state + page * page_words);
    if (latency < least) {
      least = latency;
      found.nearest = page;
    }
    if (latency > most) {
      most = latency;
      found.farthest = page;
    }
  }
  if (found.nearest == found.farthest) found.farthest = found.nearest % candidate_pages + 1;
  return found;
}

template <ordering O>
struct mirrored {
  unsigned* state;
  unsigned near = 0, far = 0;  // words from there; numbers, not pointers, to save registers

  __device__ __forceinline__ explicit mirrored(unsigned* words) : state(words) {
    if (threadIdx.x == 0) choose();
    __syncwarp();  // the others of the warp wait here and not in the first round
  }

  __device__ __forceinline__ void choose() {
    if (blockIdx.x == 0) {
      page_pair const found = extremes(state);
      st_relaxed_gpu_global_u32(state, found.nearest * 16 + found.farthest);
    }
    unsigned chosen;
#pragma unroll 1  // one poll, in the loop
    do {
      chosen = ld_relaxed_gpu_global_u32(state);
    } while (chosen == 0);
    near = chosen / 16 * page_words;
    far = chosen % 16 * page_words;
    if (atomic_latency(state + far) < atomic_latency(state + near)) {
      unsigned const other = near;
      near = far;
      far = other;
    }
  }

  __device__ __forceinline__ void wait(unsigned round) const {
    __syncthreads();
    if (threadIdx.x == 0) {
      fence_before_arrival<O>();
      red_relaxed_gpu_global_add_u32(global_address(state + far), 1);  // it has the longer way
      red_relaxed_gpu_global_add_u32(global_address(state + near), 1);
      wait_relaxed<O>(state + near, round * gridDim.x);
    }
    __syncthreads();
  }
};

}  // namespace ptxlab::device
