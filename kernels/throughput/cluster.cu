// SPDX-License-Identifier: Apache-2.0
// Question: how many bytes does one SM load per cycle from the shared memory of another one?
//
// Method: a cluster of two blocks. Every lane has words in the other block's shared memory that hold
// their own address (mapa.u64), one for each stream, and loads them again and again. Once the other
// block waits meanwhile, once it does the same in the opposite direction.
//
// Expectation: well below the 128 bytes of the own shared memory: published are 3.28 TB/s for a whole
// H800 PCIe, which are 16 bytes per cycle and SM if it has 114 of them at 1755 MHz.
//
// Threats: the two blocks are measured where the driver puts them; two SMs of one cluster of SMs may
// share a path to the network. Nothing else uses the network here. The blocks start a region together
// only as far as they keep step.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/cluster.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_2 __cluster_dims__(2, 1, 1)
// The words of each block hold the addresses by which the other one reads them. `readers` of the
// blocks do so.
static __device__ __forceinline__ void time_cluster_words(sample* out, const word* in,
                                                          unsigned readers) {
  __shared__ word rows[8][32];
  unsigned const lane = threadIdx.x % 32;
  auto const own = reinterpret_cast<word>(&rows[0][lane]);
  word const seen = mapa_u64(own, blockIdx.x);
  for (unsigned k = 0; k < 8; ++k) rows[k][lane] = seen + 256 * k;
  cluster_barrier();
  if (blockIdx.x < readers) {
    word const row = mapa_u64(own, 1 - blockIdx.x);
    time_streams_from<64, word>(
        out, in, [=](unsigned k) { return row + 256 * k; },
        [](word x, word, word) { return ld_u64(x); });
  }
  cluster_barrier();  // nobody leaves while its memory is read
}
#else
#define PTXLAB_CLUSTER_OF_2
#endif

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024)
    both_ways(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  time_cluster_words(out, in, 2);
#endif
}

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 __launch_bounds__(1024)
    one_way(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  time_cluster_words(out, in, 1);
#endif
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many bytes does one SM load per cycle from the shared memory of another one?",
    .variants =
        {
            {.symbol = "both_ways",
             .says = "x = *x in the other block of two, which does the same: mapa.u64, ld.u64",
             .measure = {.how = throughput,
                         .sass = {"LD.E.64"},
                         .copies = 64,
                         .cluster_blocks = 2,
                         .traffic = 8}},
            {.symbol = "one_way",
             .says = "x = *x in the other block of two, which waits: mapa.u64, ld.u64",
             .measure = {.how = throughput,
                         .sass = {"LD.E.64"},
                         .copies = 64,
                         .cluster_blocks = 2,
                         .traffic = 8}},
        },
});
#endif
