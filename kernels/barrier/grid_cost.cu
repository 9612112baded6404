// SPDX-License-Identifier: Apache-2.0
// Question: which spellings of a grid barrier's poll make a kernel that cannot be timed?
//
// Method: one counter that only grows, as in barrier/counter, and the same timed rounds. Only the
// poll differs: as C++ without volatile, as inline PTX without an order, and guarded by a deadline.
// The sound barriers are files of their own.
//
// Expectation: a poll with a weak load is lost in a compiler: deleted, so that the kernel does not
// wait, or hoisted, so that it never ends. The gate refuses them all; --run-refused shows what they
// do. The guarded one is sound and tells of a block that never comes.
//
// Threats: blocks that cannot be resident at once would wait forever, so such a grid is refused. The
// counter wraps after 2^32 arrivals.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
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

// The same as `guarded`, for a grid of one block more than can be resident.
extern "C" __global__ void __launch_bounds__(1024) surplus_block(sample* out, const word* in) {
  auto* const seen = reinterpret_cast<watch*>(operand<word>(in, watch_operand));
  time_grid_barrier(out, in, [=](unsigned* count, unsigned target) {
    guarded_wait(seen, target / gridDim.x, [=] { return ld_acquire_gpu_u32(count) >= target; });
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

// 0 is one block on every SM.
#define PTXLAB_GRIDS .threads = {32, 256}, .blocks = {2, 16, 64, 0}

PTXLAB_KERNEL({
    .question = "Which spellings of a grid barrier's poll make a kernel that cannot be timed?",
    .variants =
        {
            {.symbol = "guarded",
             .says = "polled with ld.acquire.gpu, given up after half a second",
             .measure = {.how = grid,
                         .sass = {"LD*.STRONG.GPU"},
                         .per_copy = 2,
                         .expands = true,
                         PTXLAB_GRIDS}},
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
            {.symbol = "surplus_block",
             .says = "one block more than can be resident",
             .measure = {.how = grid,
                         .sass = {"LD*.STRONG.GPU"},
                         .per_copy = 2,
                         .expands = true,
                         .threads = {256},
                         .surplus_blocks = 1}},
        },
});
#endif
