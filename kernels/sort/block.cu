// SPDX-License-Identifier: Apache-2.0
// Question: what does a pass of odd-even transposition sort cost within one block, and of what is
// it made?
//
// Method: n keys in one block, all passes in one launch. In shared memory each thread compares one
// pair and __syncthreads() ends the pass: as a loop; written out, so that a thread's places are
// known beforehand; and with even and odd places apart, so that no two lanes meet in a bank. In
// registers each lane holds some neighbouring keys, and shuffles pass keys between lanes; the
// outermost lanes of a warp hold keys of the warps beside it, so that only every second pass, or
// every 30th, needs the barrier. Then the rule for stopping early, floats by their total order, and
// document C's three keys.
//
// Expectation: in shared memory a pass is a barrier, a round trip to shared memory, and whatever
// all loads and stores take one behind the other: about a hundred cycles for 1024 keys. In
// registers it is a shuffle every other pass, and soon the minima and maxima themselves, of which
// an SM takes 64 a cycle. To stop early costs a barrier that also reduces, each time somebody
// looks.
//
// Threats: random keys need nearly n passes, so that stopping early gains nothing for them. The
// launch is in the time but not in the cycles. Passes come in groups of two or 30, so that some
// more than n are done.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/neighbour_sort.cuh"
#include "ptx/device/three_keys.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel edges{{$}}
// CHECK-DAG: ptx opcode shfl.sync.down.b32 1{{$}}
// CHECK-DAG: ptx opcode shfl.sync.up.b32 1{{$}}
// CHECK-DAG: ptx opcode bar.sync 3{{$}}
// Two keys a lane and one lane borrowed on each side: a barrier every other pass.
extern "C" __global__ void __launch_bounds__(1024)
    edges(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_registers<2, 1, unsigned_order>(from, to, counts, n);
}

// Ten passes of five pairs each, and nothing else but what the five odd ones shuffle.
// CHECK-LABEL: kernel registers{{$}}
// CHECK-DAG: ptx opcode max.u32 50{{$}}
// CHECK-DAG: ptx opcode min.u32 50{{$}}
// CHECK-DAG: sass opcode VIMNMX.U32 100{{$}}
// CHECK-DAG: sass opcode SHFL.DOWN 5{{$}}
// CHECK-DAG: sass opcode SHFL.UP 5{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    registers(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_registers<10, 3, unsigned_order>(from, to, counts, n);
}

extern "C" __global__ void __launch_bounds__(1024)
    registers_f32(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_registers<10, 3, total_order>(from, to, counts, n);
}

// CHECK-LABEL: kernel registers_until_unchanged{{$}}
// CHECK-DAG: sass opcode BAR.RED.OR.DEFER_BLOCKING 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    registers_until_unchanged(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_registers<10, 3, unsigned_order, stopping::after_two>(from, to, counts, n);
}

// The exchange is stores under a predicate, neither a minimum nor a maximum.
// CHECK-LABEL: kernel shared{{$}}
// CHECK-NOT: ptx opcode max
// CHECK: ptx opcode setp.ge.u32
extern "C" __global__ void __launch_bounds__(1024)
    shared(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_shared_memory(from, to, counts, n);
}

extern "C" __global__ void __launch_bounds__(1024)
    shared_counted(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_shared_memory<stopping::after_two, true>(from, to, counts, n);
}

extern "C" __global__ void __launch_bounds__(1024)
    shared_split(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_unrolled<true>(from, to, counts, n);
}

// CHECK-LABEL: kernel shared_unrolled{{$}}
// CHECK-DAG: ptx opcode max.u32 2{{$}}
// CHECK-DAG: sass opcode LDS.64 1{{$}}
// CHECK-DAG: sass opcode STS.64 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    shared_unrolled(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_unrolled<false>(from, to, counts, n);
}

// Broken on purpose: {0, 2, 1, 3} stays as it is.
extern "C" __global__ void __launch_bounds__(1024)
    shared_until_one_unchanged(const unsigned* from, unsigned* to, sort_counts* counts,
                               unsigned n) {
  sort_in_shared_memory<stopping::after_one>(from, to, counts, n);
}

// CHECK-LABEL: kernel shared_until_unchanged{{$}}
// CHECK-DAG: sass opcode BAR.RED.OR.DEFER_BLOCKING 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    shared_until_unchanged(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_in_shared_memory<stopping::after_two>(from, to, counts, n);
}

extern "C" __global__ void __launch_bounds__(1024)
    three_keys(const unsigned* from, unsigned* to, sort_counts* counts, unsigned n) {
  sort_elements<4>(from, to, counts, n);
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::measurement;
using ptxlab::kernels::number;
using ptxlab::kernels::sort;

static const std::vector<ptxlab::kernels::param> in_one_launch = {pointer, pointer, pointer, u32};
static const ptxlab::kernels::rehearsal of_ones = {
    .blocks = 1,
    .threads = 96,
    .arguments = {"buf:u32:150:fill:1:name=from", "buf:u32:150:zero:name=to",
                  "buf:u32:8:zero:name=counts", "u32:150"},
    .result = "to=1"};

static measurement sorting(sort how, std::vector<std::string_view> rivals = {}) {
  measurement m;
  m.how = ptxlab::kernels::protocol::sorting;
  if (how.elements.empty()) how.elements = {64, 256, 1000, 1024, 2048, 8192};
  m.sort = std::move(how);
  m.rivals = std::move(rivals);
  return m;
}

PTXLAB_KERNEL({
    .question = "What does a pass of odd-even transposition sort cost within one block?",
    .variants =
        {
            {.symbol = "edges",
             .says = "two keys a lane, a barrier every other pass",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0"},
             .measure = sorting({.warp_keys = 60, .most = 1920, .elements = {64, 256, 1000, 1024}}),
             .rehearse = of_ones},
            {.symbol = "registers",
             .says = "ten keys a lane, a barrier every 30th pass",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0", "registers <= 64"},
             .measure = sorting({.warp_keys = 260, .most = 8320}, {"cub", "one core"}),
             .rehearse = of_ones},
            {.symbol = "registers_f32",
             .says = "the same, floats by their total order",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0", "registers <= 64"},
             .measure = sorting({.of = number::f32, .warp_keys = 260, .most = 8320}),
             .rehearse = of_ones},
            {.symbol = "registers_until_unchanged",
             .says = "the same as registers, until two passes changed nothing",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0", "registers <= 64"},
             .measure = sorting({.warp_keys = 260, .most = 8320, .stops = true}),
             .rehearse = of_ones},
            {.symbol = "shared",
             .says = "a pair for each thread in shared memory, a barrier each pass",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0", "shared_bytes == 32768"},
             .measure = sorting({.most = 8192}),
             .rehearse = of_ones},
            {.symbol = "shared_counted",
             .says = "the same, until two passes changed nothing, and counts its exchanges",
             .params = in_one_launch,
             .measure = sorting({.most = 8192, .stops = true, .counts = true}),
             .rehearse = of_ones},
            {.symbol = "shared_split",
             .says = "as shared_unrolled, keys at even and at odd places apart",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0"},
             .measure = sorting({.most = 2048, .elements = {64, 256, 1000, 1024, 2048}}),
             .rehearse = of_ones},
            {.symbol = "shared_unrolled",
             .says = "the same, an even and an odd pass written out, both keys always stored",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0"},
             .measure = sorting({.most = 2048, .elements = {64, 256, 1000, 1024, 2048}}),
             .rehearse = of_ones},
            {.symbol = "shared_until_one_unchanged",
             .says = "the same, ends too early: after one pass that changed nothing",
             .params = in_one_launch,
             .rehearse = of_ones},
            {.symbol = "shared_until_unchanged",
             .says = "the same, until two passes changed nothing",
             .params = in_one_launch,
             .measure = sorting({.most = 8192, .stops = true}),
             .rehearse = of_ones},
            {.symbol = "three_keys",
             .says = "order, level and value, four columns of payload moved once at the end",
             .params = in_one_launch,
             .must = {"spill_store_bytes == 0"},
             .measure = sorting({.three_keys = true,
                                 .columns = 4,
                                 .most = 2048,
                                 .stops = true,
                                 .counts = true,
                                 .elements = {64, 256, 1000, 1024, 2048}},
                                {"one core"})},
        },
});
#endif
