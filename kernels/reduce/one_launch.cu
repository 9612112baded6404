// SPDX-License-Identifier: Apache-2.0
// Question: which way do blocks best come to one sum in one launch?
//
// Method: all variants read alike, 16 bytes to a load and 16 loads in flight, and add a block's
// sums by shuffles (integers by redux.sync) and through shared memory. Then the blocks' sums are
// added: by the last block to take a ticket, by a block that waits for a counter, for the whole
// grid or for words that hold a sum and its mark, through a cluster's shared memory, or by atomic
// additions. A grid of one block needs none of that.
//
// Expectation: a ticket costs a MEMBAR, a trip to the L2 for the atomic and one for the others'
// sums. Words that hold sum and mark need no MEMBAR and no atomic; integers that are added with
// their count need one trip in all. Clusters of eight leave SMs idle, where an SM's group has no
// multiple of eight left. From some MiB on it is the reading that counts.
//
// Threats: all but float_addition add in an order that does not depend on who comes first, but it
// depends on the grid. A block that waits takes up room; others must get on without it, which holds
// for any grid, as only one block waits. In the two mutants the order of memory is left out, which
// a run may or may not show.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include <cooperative_groups.h>

#include "ptx/device/reduction.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static constexpr unsigned threads = 128, loads = 16, resident = 5;

// CHECK-LABEL: kernel float_addition{{$}}
// CHECK-DAG: ptx opcode red.relaxed.gpu.global.add.f32 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_addition(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_addition, threads, loads, float>(out, in, n, state);
}

// With the size of the cluster known, ptxas need not ask at run time whether there is one.
#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_8 __cluster_dims__(8, 1, 1)
#else
#define PTXLAB_CLUSTER_OF_8
#endif

extern "C" __global__ void PTXLAB_CLUSTER_OF_8 __launch_bounds__(threads, resident)
    float_cluster(float* out, const float* in, word n, unsigned* state) {
#if __CUDA_ARCH__ >= 900
  barrier_cluster_arrive();
  sum_all<by_cluster<8>, threads, loads, float>(out, in, n, state);
#endif
}

// CHECK-LABEL: kernel float_counter{{$}}
// CHECK-DAG: ptx opcode red.release.gpu.global.add.u32 1{{$}}
// CHECK-DAG: sass loop {{.*}} poll global 32 strong.gpu {{.*}}acquire
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_counter(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_counter, threads, loads, float>(out, in, n, state);
}

// All blocks wait for all, though only one has something to do.
struct by_grid {
  template <unsigned Threads, typename T, typename A>
  static __device__ __forceinline__ void leave(T* out, A sum, A* room, unsigned* state) {
    A* const partials = place_in<A>(state, partials_at);
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
    cooperative_groups::this_grid().sync();
    if (blockIdx.x == 0) by_ticket<>::add_partials<Threads>(out, partials, room);
  }
};
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_grid(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_grid, threads, loads, float>(out, in, n, state);
}

// CHECK-LABEL: kernel float_ticket{{$}}
// CHECK-DAG: ptx opcode atom.relaxed.gpu.global.inc.u32 1{{$}}
// CHECK-DAG: sass opcode ATOMG.E.INC.STRONG.GPU 1{{$}}
// CHECK-DAG: sass opcode CCTL.IVALL 1{{$}}
// CHECK-DAG: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_ticket(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_ticket<>, threads, loads, float>(out, in, n, state);
}

// CHECK-LABEL: kernel float_ticket_no_acquire{{$}}
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode MEMBAR.ALL.GPU 1{{$}}
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_ticket_no_acquire(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_ticket<ordering::no_acquire>, threads, loads, float>(out, in, n, state);
}

// CHECK-LABEL: kernel float_ticket_no_release{{$}}
// CHECK: sass opcode CCTL.IVALL 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_ticket_no_release(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_ticket<ordering::no_release>, threads, loads, float>(out, in, n, state);
}

// CHECK-LABEL: kernel float_wide{{$}}
// CHECK-DAG: sass opcode DADD
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_wide(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_ticket<>, threads, loads, double>(out, in, n, state);
}

// CHECK-LABEL: kernel float_words{{$}}
// CHECK-NOT: sass opcode ATOMG
// CHECK-NOT: sass opcode CCTL
// CHECK: sass opcode LDG.E.64.STRONG.GPU 1{{$}}
// CHECK-NOT: sass opcode MEMBAR
// CHECK: sass loop {{.*}} poll global 64 strong.gpu
extern "C" __global__ void __launch_bounds__(threads, resident)
    float_words(float* out, const float* in, word n, unsigned* state) {
  sum_all<by_words, threads, loads, float>(out, in, n, state);
}

// CHECK-LABEL: kernel integer_packed{{$}}
// CHECK-DAG: ptx opcode atom.relaxed.gpu.global.add.u64 1{{$}}
// CHECK-DAG: sass opcode REDUX
extern "C" __global__ void __launch_bounds__(threads, resident)
    integer_packed(unsigned* out, const unsigned* in, word n, unsigned* state) {
  sum_all<by_packed, threads, loads, unsigned>(out, in, n, state);
}

extern "C" __global__ void __launch_bounds__(threads, resident)
    integer_ticket(unsigned* out, const unsigned* in, word n, unsigned* state) {
  sum_all<by_ticket<>, threads, loads, unsigned>(out, in, n, state);
}

extern "C" __global__ void __launch_bounds__(threads, resident)
    integer_words(unsigned* out, const unsigned* in, word n, unsigned* state) {
  sum_all<by_words, threads, loads, unsigned>(out, in, n, state);
}
#else
#include "kernels/reduce/family.hpp"

using namespace ptxlab::kernels;
using u64s = std::vector<std::uint64_t>;

static measurement in_one_launch(u64s elements, number of = number::f32,
                                 std::vector<std::string_view> rivals = {}) {
  return {.how = protocol::reduction,
          .threads = {128},
          .blocks_per_sm = {4},
          .sum = {.of = of, .tile = 128 * 16 * 4, .elements = std::move(elements)},
          .rivals = std::move(rivals)};
}
// On the PTX machine: 20001 ones, for three of the eight blocks.
static rehearsal of_ones(const measurement& m) {
  const bool integers = m.sum.of == number::u32;
  return {.blocks = 8,
          .threads = 128,
          .cooperative = m.cooperative,
          .arguments = {integers ? "buf:u32:1:zero:name=out" : "buf:f32:1:zero:name=out",
                        integers ? "buf:u32:20001:fill:1" : "buf:f32:20001:fill:1", "u64:20001",
                        "buf:u32:262144:zero"},
          .result = "out=20001"};
}
static variant of_blocks(std::string_view symbol, std::string_view says, measurement m,
                         std::vector<std::string_view> must = {}) {
  must.insert(must.begin(), {"opcode(LDG.*128*) == 32", "spill_store_bytes == 0",
                             "blocks_per_sm(128) >= 5"});
  return {.symbol = symbol,
          .says = says,
          .params = reduction_family::one_launch(),
          .must = std::move(must),
          .measure = m,
          .rehearse = of_ones(m)};
}
static measurement any_order(measurement m) {
  m.sum.any_order = true;
  return m;
}
static measurement cooperative(measurement m) {
  m.cooperative = true;
  return m;
}
static measurement of_clusters(measurement m) {
  m.cluster_blocks = 8;
  return m;
}
static measurement mutant(measurement m) {
  m.mutant = true;
  return m;
}
static measurement with_copies(measurement m) {
  m.sum.with_copies = true;
  return m;
}
static measurement wide(measurement m) {
  m.sum.wide = true;
  return m;
}
// Every size for what may be the best, a few for what stands beside it.
static const u64s few = reduction_family::powers(10, 30, 4), every = reduction_family::of_2012();
static const u64s from_none = reduction_family::from_none();

PTXLAB_KERNEL({
    .question = "Which way do blocks best come to one sum in one launch?",
    .variants =
        {
            of_blocks("float_addition", "atomic additions, as blocks come",
                      any_order(in_one_launch(few))),
            of_blocks("float_cluster", "through the shared memory of clusters of 8",
                      of_clusters(in_one_launch(few))),
            of_blocks("float_counter", "the last block waits for a counter", in_one_launch(few)),
            of_blocks("float_grid", "all wait for all, by cooperative groups",
                      cooperative(in_one_launch(few))),
            of_blocks("float_ticket", "the last to take a ticket",
                      in_one_launch(from_none, number::f32, {"cub"})),
            of_blocks("float_ticket_no_acquire", "the last to take a ticket, without acquire",
                      mutant(in_one_launch({1 << 20}))),
            of_blocks("float_ticket_no_release", "the last to take a ticket, without release",
                      mutant(in_one_launch({1 << 20}))),
            of_blocks("float_wide", "added in f64, the last to take a ticket",
                      wide(in_one_launch(few))),
            of_blocks("float_words", "the last block waits for words that hold sum and mark",
                      with_copies(in_one_launch(every, number::f32,
                                                {"cub", "one core", "all cores"}))),
            of_blocks("integer_packed", "integers, sum and count added at once",
                      in_one_launch(few, number::u32, {"cub"})),
            of_blocks("integer_ticket", "integers, the last to take a ticket",
                      in_one_launch(few, number::u32, {"cub"})),
            of_blocks("integer_words", "integers, words that hold sum and mark",
                      in_one_launch(few, number::u32, {"cub"})),
        },
});
#endif
