// SPDX-License-Identifier: Apache-2.0
// Question: what does a barrier of one block cost, by its warps, and one of a cluster?
//
// Method: N, 2N and 4N barriers in a row, run by 1 to 32 warps; the first warp's clock. bar.sync of
// the whole block, bar.red which also combines a predicate, bar.warp.sync, and arrive and wait of a
// cluster of two blocks.
//
// Expectation: bar.sync grows with the number of warps; bar.warp.sync of a converged warp is no
// instruction at all.
//
// Threats: all warps arrive at nearly the same time: this is the barrier, not the waiting.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/cluster.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) bar_red_popc(sample* out, const word* in) {
  time_chain<64, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    // volatile: it is a barrier; "memory": accesses stay on their side of it
    asm volatile(
        "{\n"
        " .reg .pred p;\n"
        " setp.ne.u32 p, %0, 0;\n"
        " bar.red.popc.u32 %0, 0, p;\n"
        "}"
        : "+r"(x)::"memory");
    return x;
  });
}

extern "C" __global__ void __launch_bounds__(1024) bar_sync(sample* out, const word* in) {
  time_chain<320, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    __syncthreads();
    return x;
  });
}

extern "C" __global__ void bar_warp_sync(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    __syncwarp();
    return x;
  });
}

// With the size of the cluster known, ptxas need not ask at run time whether there is one.
#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_2 __cluster_dims__(2, 1, 1)
#else
#define PTXLAB_CLUSTER_OF_2
#endif

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024)
    barrier_cluster(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    cluster_barrier();
    return x;
  });
#endif
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does a barrier of one block cost, by its warps, and one of a cluster?",
    .variants =
        {
            {.symbol = "bar_red_popc",
             .says = "bar.red.popc.u32: how many threads say yes",
             .measure = {.how = rounds,
                         .sass = {"BAR.RED*"},
                         .copies = 64,
                         .expands = true,
                         .operands = {1},
                         .threads = {32, 64, 128, 256, 512, 1024}}},
            {.symbol = "bar_sync",
             .says = "bar.sync 0 (__syncthreads)",
             .measure = {.how = rounds,
                         .sass = {"BAR.SYNC*"},
                         .copies = 320,
                         .threads = {32, 64, 128, 256, 512, 1024}}},
            {.symbol = "bar_warp_sync",
             .says = "bar.warp.sync of all lanes (__syncwarp)",
             .measure = {.how = rounds, .sass = {"WARPSYNC*"}, .copies = 16, .refused = "0 of WARPSYNC"}},
            {.symbol = "barrier_cluster",
             .says = "barrier.cluster.arrive and .wait, two blocks",
             .measure = {.how = rounds,
                         .sass = {"UCGABAR_ARV", "UCGABAR_WAIT", "ERRBAR", "CGAERRBAR", "MEMBAR*",
                                  "CCTL*", "NOP"},
                         .copies = 16,
                         .threads = {32, 256, 1024},
                         .cluster_blocks = 2}},
        },
});
#endif
