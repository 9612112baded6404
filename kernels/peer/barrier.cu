// SPDX-License-Identifier: Apache-2.0
// Question: what does a barrier over the blocks of two GPUs cost, and is it one?
//
// Method: two words that only grow, one in each GPU's memory; each GPU polls its own. `flat`: every
// block adds to both words and polls. `leaders`: blocks meet at a counter of their GPU; block 0 then
// adds to both words, which all blocks poll. `relay`: block 0 alone polls, and passes it on by a word of
// its GPU. R and 2R rounds; the slope of the slowest block of the first GPU. The checked ones also store
// the number of the round, once in their own memory and once in the other GPU's, and behind the barrier
// count what they do not see of the other's; `leaders_narrow_checked` orders for the GPU only and is a
// mutant.
//
// Expectation: a grid's barrier (barrier/grid_cost) and one passage through NVLink. `flat` sends a
// message for every block and saves the meeting before.
//
// Threats: both launches have to be resident at once, each on its GPU. That a check counts nothing
// proves nothing. Cooperative groups had a barrier over several GPUs (multi_grid_group) up to CUDA 12;
// CUDA 13 has dropped it, so there is none to compare with.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/exchange.cuh"
#include "ptx/device/fence.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/system.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The other GPU's word, the own one, the counter of the own blocks, and a line behind it what block 0
// relays.
struct places {
  word other, own;
  unsigned *count, *relayed;
};

static __device__ __forceinline__ places places_of(const word* in) {
  auto* const count = reinterpret_cast<unsigned*>(operand<word>(in, peer_operand::count));
  return {operand<word>(in, peer_operand::mine), operand<word>(in, peer_operand::theirs), count,
          count + 32};
}

// Each is run by one thread of each block, between two barriers of the block.

static __device__ __forceinline__ void flat_barrier(const places& p, unsigned round) {
  fence_acq_rel_sys();
  red_relaxed_sys_global_add_u32(p.other, 1);
  red_relaxed_sys_global_add_u32(p.own, 1);
  while (ld_acquire_sys_global_u32(p.own) < 2 * gridDim.x * round) {
  }
}

// Until all blocks of this GPU have arrived.
static __device__ __forceinline__ void meet(const places& p, unsigned round) {
  red_release_gpu_add_u32(p.count, 1);
  if (blockIdx.x != 0) return;
  while (ld_acquire_gpu_u32(p.count) < gridDim.x * round) {
  }
}

static __device__ __forceinline__ void leaders_barrier(const places& p, unsigned round) {
  meet(p, round);
  if (blockIdx.x == 0) {
    fence_acq_rel_sys();
    red_relaxed_sys_global_add_u32(p.other, 1);
    red_relaxed_sys_global_add_u32(p.own, 1);
  }
  while (ld_acquire_sys_global_u32(p.own) < 2 * round) {
  }
}

// Only what orders is narrower: the words' own scope stays the system, so that the other GPU sees them.
static __device__ __forceinline__ void narrow_barrier(const places& p, unsigned round) {
  meet(p, round);
  if (blockIdx.x == 0) {
    fence_acq_rel_gpu();
    red_relaxed_sys_global_add_u32(p.other, 1);
    red_relaxed_sys_global_add_u32(p.own, 1);
  }
  while (ld_relaxed_sys_global_u32(p.own) < 2 * round) {
  }
  fence_acq_rel_gpu();
}

static __device__ __forceinline__ void relay_barrier(const places& p, unsigned round) {
  meet(p, round);
  if (blockIdx.x == 0) {
    red_release_sys_global_add_u32(p.other, 1);
    while (ld_acquire_sys_global_u32(p.own) < round) {
    }
    st_release_gpu_u32(p.relayed, round);
  } else {
    while (ld_acquire_gpu_u32(p.relayed) < round) {
    }
  }
}

template <typename Barrier>
static __device__ __forceinline__ void time_barrier(sample* out, const word* in,
                                                    const Barrier& barrier) {
  places const p = places_of(in);
  time_exchange(out, in, [&](unsigned round) {
    __syncthreads();
    if (threadIdx.x == 0) barrier(p, round);
    __syncthreads();
  });
}

// Before the barrier the last thread stores the round in this block's line, in its own memory and in
// the other GPU's; behind it one in the middle reads the lines of the same block over there. Two slots
// in turn: that of round r + 2 is written only once all have read that of round r.
template <typename Barrier>
static __device__ __forceinline__ void check_barrier(sample* out, const word* in,
                                                     const Barrier& barrier) {
  places const p = places_of(in);
  auto const data = operand<word>(in, peer_operand::data) + 128 * blockIdx.x;
  auto const other = operand<word>(in, peer_operand::other_data) + 128 * blockIdx.x;
  unsigned stale = 0, read = 0;
  time_exchange(out, in, [&](unsigned round) {
    unsigned const slot = (round & 1) * gridDim.x * 128;
    if (threadIdx.x == blockDim.x - 1) {
      st_global_u32(data + slot, round);
      st_global_u32(other + slot + peer_pushed_bytes, round);
    }
    __syncthreads();
    if (threadIdx.x == 0) barrier(p, round);
    __syncthreads();
    if (threadIdx.x == blockDim.x / 2) {
      stale += ld_global_u32_at(other + slot) != round ? 1 : 0;
      stale += ld_global_u32_at(data + slot + peer_pushed_bytes) != round ? 1 : 0;
      read += 2;
    }
  });
  if (threadIdx.x == blockDim.x / 2) {
    word const log = operand<word>(in, peer_operand::log);
    red_relaxed_sys_global_add_u32(log, stale);
    red_relaxed_sys_global_add_u32(log + 4, read);
  }
}

#define PTXLAB_BARRIER(name, run, barrier)                                               \
  extern "C" __global__ void __launch_bounds__(1024) name(sample* out, const word* in) { \
    run(out, in, [](const places& p, unsigned round) { barrier(p, round); });            \
  }

PTXLAB_BARRIER(flat, time_barrier, flat_barrier)
PTXLAB_BARRIER(flat_checked, check_barrier, flat_barrier)
PTXLAB_BARRIER(leaders, time_barrier, leaders_barrier)
PTXLAB_BARRIER(leaders_checked, check_barrier, leaders_barrier)
PTXLAB_BARRIER(leaders_narrow_checked, check_barrier, narrow_barrier)
PTXLAB_BARRIER(relay, time_barrier, relay_barrier)
PTXLAB_BARRIER(relay_checked, check_barrier, relay_barrier)
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::meeting;

// 0 is one block on every SM.
#define PTXLAB_MEASURE(...)                                                                \
  {.how = peer, .sass = {"LDG*.STRONG.SYS"}, .expands = true, .threads = {32, 256}, \
   .blocks = {1, 16, 0}, __VA_ARGS__}

PTXLAB_KERNEL({
    .question = "What does a barrier over the blocks of two GPUs cost, and is it one?",
    .variants =
        {
            {.symbol = "flat",
             .says = "every block adds to both GPUs' words",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::barrier)},
            {.symbol = "flat_checked",
             .says = "the same, with a look at the other GPU's writes",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::checked_barrier)},
            {.symbol = "leaders",
             .says = "block 0 adds to both GPUs' words once its GPU is complete",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::barrier)},
            {.symbol = "leaders_checked",
             .says = "the same, with a look at the other GPU's writes",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::checked_barrier)},
            {.symbol = "leaders_narrow_checked",
             .says = "the same, ordered for the GPU only",
             .must = {"loop polls; strength >= relaxed"},
             .measure = PTXLAB_MEASURE(.mutant = true, .meets = meeting::checked_barrier)},
            {.symbol = "relay",
             .says = "block 0 polls the GPU's word and passes it on",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::barrier)},
            {.symbol = "relay_checked",
             .says = "the same, with a look at the other GPU's writes",
             .must = {"loop polls; strength >= acquire"},
             .measure = PTXLAB_MEASURE(.meets = meeting::checked_barrier)},
        },
});
#endif
