// SPDX-License-Identifier: Apache-2.0
// Question: what does odd-even transposition sort cost where each pass is a launch, as in document
// C, and where a launch does many passes?
//
// Method: n / 2 comparisons a launch, the parity alternates; into a stream, or as the nodes of one
// graph. The counting kernel also says which launch changed something, so that the host can stop
// once two behind each other did not; how often it looks is an axis. `tile` does 240 passes a
// launch: each block takes more keys than it answers for, and what it holds of its neighbours' is
// used up when it ends. Document C's three keys move four columns of payload with every exchange.
//
// Expectation: a pass costs a launch, about 2 us, however few keys there are; a node of a graph
// less; a look of the host several more. In tiles the launches no longer count and the minima and
// maxima do.
//
// Threats: random keys need nearly n passes, so that looking gains nothing for them. A stream takes
// some hundred launches ahead: with more, the time is that of the host, which launches more slowly
// than the device ends them. In odd passes a thread's two words are not aligned to 8 bytes.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/neighbour_sort.cuh"
#include "ptx/device/three_keys.cuh"

using namespace ptxlab::device;

// Says that pass `pass` changed something, if any thread of the block did.
static __device__ __forceinline__ void tell_exchanges(sort_counts* counts, unsigned pass,
                                                      bool exchanged) {
  auto const all = static_cast<unsigned>(__syncthreads_count(exchanged));
  if (threadIdx.x == 0 && all != 0) {
    atomicMax(&counts->last_change, pass + 1);
    atomicAdd(&counts->exchanges, all);
  }
}

// CHECK-LABEL: kernel pass{{$}}
// CHECK: ptx instructions
// CHECK-NOT: ptx opcode bar
// CHECK: sass opcode STG.E 2{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    pass(unsigned* keys, sort_counts*, unsigned n, unsigned number) {
  pass_in_global_memory(keys, n, number);
}

// CHECK-LABEL: kernel pass_counted{{$}}
// CHECK-DAG: ptx opcode bar.red.popc.u32 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    pass_counted(unsigned* keys, sort_counts* counts, unsigned n, unsigned number) {
  tell_exchanges(counts, number, pass_in_global_memory(keys, n, number) != 0);
}

extern "C" __global__ void __launch_bounds__(1024)
    pass_in_graph(unsigned* keys, sort_counts*, unsigned n, unsigned number) {
  pass_in_global_memory(keys, n, number);
}

// Seven words of each element.
// CHECK-LABEL: kernel three_keys{{$}}
// CHECK-DAG: sass opcode STG.E 14{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    three_keys(unsigned* words, sort_counts* counts, unsigned n, unsigned number) {
  if (number == 0) count_zero_orders(words, n, counts);
  tell_exchanges(counts, number, pass_over_elements<4>(words, n, number) != 0);
}

// CHECK-LABEL: kernel tile{{$}}
// CHECK-DAG: sass opcode BAR.SYNC.DEFER_BLOCKING 1{{$}}
extern "C" __global__ void __launch_bounds__(1024)
    tile(const unsigned* from, unsigned* to, sort_counts*, unsigned n) {
  using work = ptxlab::device::tile<10, 3, 8>;
  __shared__ row_edges<10, 3> edges;
  work::done<false>(edges, from, to, static_cast<int>(n));
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;
using ptxlab::kernels::launcher;
using ptxlab::kernels::measurement;
using ptxlab::kernels::sort;

static measurement sorting(sort how, std::vector<unsigned> threads,
                           std::vector<std::string_view> rivals = {},
                           launcher by = launcher::stream) {
  measurement m;
  m.by = by;
  m.how = ptxlab::kernels::protocol::sorting;
  m.threads = std::move(threads);
  how.in = sort::place::launches;
  m.sort = std::move(how);
  m.rivals = std::move(rivals);
  return m;
}

static const ptxlab::kernels::rehearsal of_one_pass = {
    .blocks = 2,
    .threads = 64,
    .arguments = {"buf:u32:150:fill:1:name=keys", "buf:u32:8:zero:name=counts", "u32:150", "u32:1"},
    .result = "keys=1"};

PTXLAB_KERNEL({
    .question = "What does odd-even transposition sort cost where each pass is a launch?",
    .variants =
        {
            {.symbol = "pass",
             .says = "n / 2 comparisons a launch",
             .params = {pointer, pointer, u32, u32},
             .measure = sorting({.elements = {1024, 4096, 16384, 65536}}, {256}),
             .rehearse = of_one_pass},
            {.symbol = "pass_counted",
             .says = "the same, says whether it changed anything and counts its exchanges",
             .params = {pointer, pointer, u32, u32},
             .measure = sorting(
                 {.counts = true, .looks = {0, 1, 64}, .elements = {1024, 4096, 16384}}, {256}),
             .rehearse = of_one_pass},
            {.symbol = "pass_in_graph",
             .says = "the same as pass, all launches the nodes of one graph",
             .params = {pointer, pointer, u32, u32},
             .measure = sorting({.elements = {1024, 4096, 16384}}, {256}, {}, launcher::graph),
             .rehearse = of_one_pass},
            {.symbol = "three_keys",
             .says = "order, level and value, with four columns of payload",
             .params = {pointer, pointer, u32, u32},
             .measure = sorting({.three_keys = true,
                                 .columns = 4,
                                 .counts = true,
                                 .looks = {1, 64},
                                 .elements = {1024, 4096, 16384}},
                                {256})},
            {.symbol = "tile",
             .says = "240 passes a launch",
             .params = {pointer, pointer, pointer, u32},
             .must = {"spill_store_bytes == 0"},
             .measure = sorting({.warp_keys = 260,
                                 .borrowed = 420,
                                 .passes = 240,
                                 .elements = {1024, 4096, 16384, 65536, 262144, 1000000}},
                                {128, 256, 512, 1024}, {"cub", "one core"})},
        },
});
#endif
