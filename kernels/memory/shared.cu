// SPDX-License-Identifier: Apache-2.0
// Question: what does a shared-memory load cost: in one's own block, and in another one's?
//
// Method: a word that holds its own address; the chain loads it again and again. In the own block by
// ld.shared; by a generic load through the address that mapa gives for the own block, and for the
// other block of a cluster of two. And the index chase that older suites use.
//
// Expectation: 29 cycles for a bare load; near 200 across the cluster's network.
//
// Threats: all 32 lanes read one word, which is a broadcast: no bank conflict is possible. Where
// the two blocks of the cluster run is not ours to say.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/cluster.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// A word of shared memory that holds `value`, seen by the whole block.
static __device__ __forceinline__ void hold(unsigned& place, unsigned value) {
  if (threadIdx.x == 0) place = value;
  __syncthreads();
}

static __device__ __forceinline__ unsigned shared_address(const void* p) {
  return static_cast<unsigned>(__cvta_generic_to_shared(p));
}

#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_2 __cluster_dims__(2, 1, 1)
// Every block of the cluster keeps a word with the address of block `rank`'s word; the first one
// walks it. The addresses are generic ones, so that nothing but the load stands in the chain.
static __device__ __forceinline__ void time_cluster_word(sample* out, const word* in,
                                                         unsigned rank) {
  __shared__ word place;
  word const target = mapa_u64(reinterpret_cast<word>(&place), rank);
  if (threadIdx.x == 0) place = target;
  cluster_barrier();
  if (blockIdx.x == 0)
    time_chain_from<64>(out, in, target, [](word x, word, word) { return ld_u64(x); });
  cluster_barrier();  // nobody leaves while its memory is read
}
#else
#define PTXLAB_CLUSTER_OF_2
#endif

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 cluster_other_block(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  time_cluster_word(out, in, 1);
#endif
}

extern "C" __global__ void PTXLAB_CLUSTER_OF_2 cluster_own_block(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  time_cluster_word(out, in, 0);
#endif
}

extern "C" __global__ void index(sample* out, const word* in) {
  __shared__ unsigned places[2];
  hold(places[1], 1);
  time_chain_from<64>(out, in, operand<unsigned>(in, 0), [](unsigned x, unsigned, unsigned) {
    return ld_shared_u32(shared_address(places) + 4 * x);
  });
}

extern "C" __global__ void pointer(sample* out, const word* in) {
  __shared__ unsigned place;
  hold(place, shared_address(&place));
  time_chain_from<96>(out, in, shared_address(&place), [](unsigned x, unsigned, unsigned) {
    return ld_shared_u32(x);
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does a shared-memory load cost: in one's own block, and in another one's?",
    .variants =
        {
            {.symbol = "cluster_other_block",
             .says = "x = *x in the other block of two: mapa.u64, ld.u64",
             .measure = {.how = latency,
                         .sass = {"LD.E.64"},
                         .copies = 64,
                         .cluster_blocks = 2,
                         .published = "DSMEM remote load latency cluster=2"}},
            {.symbol = "cluster_own_block",
             .says = "x = *x in the own block, through mapa.u64",
             .measure = {.how = latency,
                         .sass = {"LD.E.64"},
                         .copies = 64,
                         .cluster_blocks = 2,
                         .published = "DSMEM own-block load via mapped address"}},
            {.symbol = "index",
             .says = "x = shared[x]: ld.shared.u32 behind the address arithmetic",
             .measure = {.how = latency, .sass = {"LDS", "LEA*", "IMAD*"}, .copies = 64, .operands = {1},
                         .published = "shared memory load latency"}},
            {.symbol = "pointer",
             .says = "x = *x: ld.shared.u32",
             .measure = {.how = latency,
                         .sass = {"LDS"}, .copies = 96,
                         .published = "shared memory load latency"}},
        },
});
#endif
