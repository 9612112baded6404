// SPDX-License-Identifier: Apache-2.0
// Question: what does odd-even transposition sort cost in one kernel, with a barrier over the grid
// between passes?
//
// Method: the barrier is the fastest sound one of docs/barriers.md (barrier/mirrored). Either every
// pass ends with it, as a launch would, or every 240th: then each block takes more keys than it
// answers for and passes them on through registers and shared memory, as in sort/launches/tile.
//
// Expectation: a pass costs a barrier, less than a launch; in tiles hardly anything is left of
// either.
//
// Threats: all blocks must be resident, which bounds the number of keys of `tile`. The barrier
// begins with a search for its two counters, some microseconds of every launch.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/mirrored_barrier.cuh"
#include "ptx/device/neighbour_sort.cuh"
#include "ptx/device/three_keys.cuh"

using namespace ptxlab::device;
using barrier_of_grid = mirrored<ordering::sound>;

// Behind the barrier: whether pass `pass` (from 1) and the one before it changed nothing. Blocks
// that are ahead may have told of the next pass already: they saw a change as well.
static __device__ __forceinline__ bool unchanged_since(const sort_counts* counts, unsigned pass) {
  return static_cast<int>(pass - ld_relaxed_gpu_global_u32(&counts->last_change)) >= 2;
}

// All passes of a sort in place, `once` for each; ends after two that changed nothing, if Stops.
template <bool Stops, typename Pass>
static __device__ __forceinline__ void sort_by_passes(sort_counts* counts, unsigned* state,
                                                      unsigned n, const Pass& once) {
  barrier_of_grid const barrier(state);
  unsigned pass = 0;
#pragma unroll 1  // one copy of the pass and of the barrier
  while (pass < n) {
    unsigned const exchanges = once(pass);
    ++pass;
    if constexpr (Stops) {
      auto const all = static_cast<unsigned>(__syncthreads_count(exchanges != 0));
      if (threadIdx.x == 0 && all != 0) atomicMax(&counts->last_change, pass);
    }
    barrier.wait(pass);
    if constexpr (Stops) {
      if (unchanged_since(counts, pass)) break;
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) counts->passes = pass;
}

// CHECK-LABEL: kernel pass{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode REDG.E.ADD.STRONG.GPU 2{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu
extern "C" __global__ void __launch_bounds__(1024)
    pass(unsigned* keys, sort_counts* counts, unsigned* state, unsigned n) {
  sort_by_passes<false>(counts, state, n,
                        [=](unsigned number) { return pass_in_global_memory(keys, n, number); });
}

extern "C" __global__ void __launch_bounds__(1024)
    three_keys(unsigned* words, sort_counts* counts, unsigned* state, unsigned n) {
  count_zero_orders(words, n, counts);
  sort_by_passes<true>(counts, state, n,
                       [=](unsigned number) { return pass_over_elements<4>(words, n, number); });
}

// From one memory to the other and back, until n passes are done or, if Stops, nothing changes.
template <bool Stops>
static __device__ __forceinline__ void sort_by_tiles(unsigned* from, unsigned* to,
                                                     sort_counts* counts, unsigned* state,
                                                     unsigned n) {
  using work = tile<10, 3, 8>;
  __shared__ row_edges<10, 3> edges;
  barrier_of_grid const barrier(state);
  unsigned round = 0;
#pragma unroll 1  // one copy of the passes and of the barrier
  while (round * work::passes < n) {
    bool const change = work::done<Stops>(edges, from, to, static_cast<int>(n));
    unsigned* const other = from;
    from = to;
    to = other;
    ++round;
    if constexpr (Stops) {
      int const any = __syncthreads_or(change);
      if (threadIdx.x == 0 && any != 0) atomicMax(&counts->last_change, round);
    }
    barrier.wait(round);
    if constexpr (Stops) {
      if (static_cast<int>(ld_relaxed_gpu_global_u32(&counts->last_change) - round) < 0) break;
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) counts->passes = round * work::passes;
}

extern "C" __global__ void __launch_bounds__(1024)
    tile_a_barrier(unsigned* from, unsigned* to, sort_counts* counts, unsigned* state, unsigned n) {
  sort_by_tiles<false>(from, to, counts, state, n);
}

// CHECK-LABEL: kernel tile_until_unchanged{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
// CHECK-DAG: sass opcode BAR.RED.OR.DEFER_BLOCKING 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    tile_until_unchanged(unsigned* from, unsigned* to, sort_counts* counts, unsigned* state,
                         unsigned n) {
  sort_by_tiles<true>(from, to, counts, state, n);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::measurement;
using ptxlab::kernels::sort;

static measurement sorting(sort how, std::vector<unsigned> threads,
                           std::vector<std::string_view> rivals = {}) {
  measurement m;
  m.how = ptxlab::kernels::protocol::sorting;
  m.cooperative = true;
  m.threads = std::move(threads);
  how.in = sort::place::grid;
  m.sort = std::move(how);
  m.rivals = std::move(rivals);
  return m;
}

PTXLAB_KERNEL({
    .question = "What does odd-even transposition sort cost behind a barrier over the grid?",
    .variants =
        {
            {.symbol = "pass",
             .says = "a barrier each pass",
             .params = {pointer, pointer, pointer, u32},
             .must = {"no finding spin-lost", "spill_store_bytes == 0"},
             .measure = sorting({.elements = {1024, 4096, 16384, 65536}}, {512})},
            {.symbol = "three_keys",
             .says = "order, level and value, with four columns of payload",
             .params = {pointer, pointer, pointer, u32},
             .must = {"no finding spin-lost", "spill_store_bytes == 0"},
             .measure = sorting({.three_keys = true,
                                 .columns = 4,
                                 .stops = true,
                                 .elements = {1024, 4096, 16384}},
                                {512})},
            {.symbol = "tile_a_barrier",
             .says = "a barrier every 240th pass",
             .params = {pointer, pointer, pointer, pointer, u32},
             .must = {"no finding spin-lost", "spill_store_bytes == 0"},
             .measure = sorting({.warp_keys = 260,
                                 .borrowed = 420,
                                 .passes = 240,
                                 .elements = {1024, 2048, 4096, 8192, 16384, 65536, 262144,
                                              1000000}},
                                {128, 256, 512, 1024})},
            {.symbol = "tile_until_unchanged",
             .says = "the same, until two passes changed nothing",
             .params = {pointer, pointer, pointer, pointer, u32},
             .must = {"no finding spin-lost", "spill_store_bytes == 0"},
             .measure = sorting({.warp_keys = 260,
                                 .borrowed = 420,
                                 .passes = 240,
                                 .stops = true,
                                 .elements = {1024, 4096, 16384, 65536, 262144}},
                                {128, 256, 512, 1024})},
        },
});
#endif
