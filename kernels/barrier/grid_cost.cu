// SPDX-License-Identifier: Apache-2.0
// Question: what does a barrier over the whole grid cost, and which of its spellings is one?
//
// Method: one counter that only grows. The first thread of each block adds to it and polls until all
// blocks have arrived for this round; __syncthreads() around it joins the rest of the block. Only the
// poll differs. R and 2R rounds; the slope of the slowest block.
//
// Expectation: a microsecond or less. A poll with a weak load is lost in a compiler: deleted, so that
// the kernel does not wait, or hoisted, so that it never ends. The gate refuses them all;
// --run-refused shows what they do.
//
// Threats: blocks that cannot be resident at once would wait forever, so such a grid is refused. The
// counter wraps after 2^32 arrivals.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include <cooperative_groups.h>

#include "ptx/device/exchange.cuh"
#include "ptx/device/guard.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// One round: `wait(count, target)` returns once `count` has reached `target`.
template <typename Wait>
static __device__ __forceinline__ void time_grid_barrier(sample* out, const word* in,
                                                         const Wait& wait) {
  auto* const count = reinterpret_cast<unsigned*>(scratch(in));
  unsigned const blocks = gridDim.x;
  time_exchange(out, in, [=](unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) {
      red_release_gpu_add_u32(count, 1);
      wait(count, round * blocks);
    }
    __syncthreads();
  });
}

extern "C" __global__ void __launch_bounds__(1024) acquire(sample* out, const word* in) {
  time_grid_barrier(out, in, [](unsigned* count, unsigned target) {
    while (ld_acquire_gpu_u32(count) < target) {
    }
  });
}

extern "C" __global__ void __launch_bounds__(1024) cooperative(sample* out, const word* in) {
  time_exchange(out, in, [](unsigned) { cooperative_groups::this_grid().sync(); });
}

extern "C" __global__ void __launch_bounds__(1024) guarded(sample* out, const word* in) {
  auto* const seen = reinterpret_cast<watch*>(operand<word>(in, watch_operand));
  time_grid_barrier(out, in, [=](unsigned* count, unsigned target) {
    guarded_wait(seen, target / gridDim.x, [=] { return ld_acquire_gpu_u32(count) >= target; });
  });
}

extern "C" __global__ void __launch_bounds__(1024) inline_ptx(sample* out, const word* in) {
  time_grid_barrier(out, in, [](unsigned* count, unsigned target) {
    while (ld_global_u32(count) < target) {
    }
  });
}

extern "C" __global__ void __launch_bounds__(1024) plain(sample* out, const word* in) {
  time_grid_barrier(out, in, [](unsigned* count, unsigned target) {
    while (*count != target) {
    }
  });
}

// As in 2012: the counter wraps to 0 when the last block has arrived, and 0 is what is waited for.
extern "C" __global__ void __launch_bounds__(1024) plain_to_zero(sample* out, const word* in) {
  auto* const count = reinterpret_cast<unsigned*>(scratch(in));
  time_exchange(out, in, [=](unsigned) {
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      atomicInc(count, gridDim.x - 1);
      while (*count != 0) {
      }
    }
    __syncthreads();
  });
}

extern "C" __global__ void __launch_bounds__(1024) relaxed_and_fence(sample* out,
                                                                     const word* in) {
  time_grid_barrier(out, in, [](unsigned* count, unsigned target) {
    while (ld_relaxed_gpu_u32(count) < target) {
    }
    __threadfence();
  });
}

// The same as `guarded`, for a grid of one block more than can be resident.
extern "C" __global__ void __launch_bounds__(1024) surplus_block(sample* out, const word* in) {
  auto* const seen = reinterpret_cast<watch*>(operand<word>(in, watch_operand));
  time_grid_barrier(out, in, [=](unsigned* count, unsigned target) {
    guarded_wait(seen, target / gridDim.x, [=] { return ld_acquire_gpu_u32(count) >= target; });
  });
}

extern "C" __global__ void __launch_bounds__(1024) volatile_poll(sample* out, const word* in) {
  time_grid_barrier(out, in, [](unsigned* count, unsigned target) {
    while (*static_cast<volatile unsigned*>(count) < target) {
    }
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

// 0 is one block on every SM.
#define PTXLAB_GRIDS .threads = {32, 256}, .blocks = {2, 16, 64, 0}

PTXLAB_KERNEL({
    .question = "What does a barrier over the whole grid cost, and which of its spellings is one?",
    .variants =
        {
            {.symbol = "acquire",
             .says = "polled with ld.acquire.gpu",
             .measure = {.how = grid, .sass = {"LD*.STRONG.GPU"}, .expands = true, PTXLAB_GRIDS}},
            {.symbol = "cooperative",
             .says = "cooperative_groups grid sync",
             .measure = {.how = grid,
                         .sass = {"LD*.STRONG.GPU"},
                         .expands = true,
                         PTXLAB_GRIDS,
                         .cooperative = true}},
            {.symbol = "guarded",
             .says = "polled with ld.acquire.gpu, given up after half a second",
             .measure = {.how = grid, .sass = {"LD*.STRONG.GPU"}, .per_copy = 2, .expands = true, PTXLAB_GRIDS}},
            {.symbol = "inline_ptx",
             .says = "polled with ld.global in inline PTX",
             .measure = {.how = grid,
                         .sass = {"LDG.E"},
                         .expands = true,
                         .threads = {32},
                         .refused = "of LDG.E stand in the timed region"}},
            {.symbol = "plain",
             .says = "polled as plain C++",
             .measure = {.how = grid,
                         .sass = {"LD*.E"},
                         .expands = true,
                         .threads = {32},
                         .refused = "0 of LD*.E stand in the timed region"}},
            {.symbol = "plain_to_zero",
             .says = "polled as plain C++ until it is 0, as in 2012",
             .measure = {.how = grid,
                         .sass = {"LD*.E"},
                         .expands = true,
                         .threads = {32},
                         .refused = "need not see another's write"}},
            {.symbol = "relaxed_and_fence",
             .says = "polled with ld.relaxed.gpu, a fence behind",
             .measure = {.how = grid, .sass = {"LD*.STRONG.GPU"}, .expands = true, PTXLAB_GRIDS}},
            {.symbol = "surplus_block",
             .says = "one block more than can be resident",
             .measure = {.how = grid,
                         .sass = {"LD*.STRONG.GPU"}, .per_copy = 2,
                         .expands = true,
                         .threads = {256},
                         .surplus_blocks = 1}},
            {.symbol = "volatile_poll",
             .says = "polled as volatile",
             .measure = {.how = grid, .sass = {"LD*.STRONG.SYS"}, .expands = true, PTXLAB_GRIDS}},
        },
});
#endif
