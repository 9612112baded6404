// SPDX-License-Identifier: Apache-2.0
// Question: how long does a word take from one warp or block to another, and back?
//
// Method: each of two parties waits until the other's word has the value of this round and then
// writes its own; the leader waits for the round before, so that both run the same code. R and 2R
// rounds; the slope on the leader's clock is a round trip.
//
// Expectation: two passages through L2 for blocks, each a store and the poll that sees it; a few
// tens of cycles within a block. Release and acquire add the fence and the invalidation.
//
// Threats: where a block runs is the driver's choice; blocks are kept on SMs of their own by their
// shared memory. The poll itself delays what it waits for.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/cluster.cuh"
#include "ptx/device/exchange.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The leader's word and the other's, in lines of their own.
struct places {
  unsigned *mine, *theirs;
  unsigned lead;  // 1 for the leader
};

static __device__ __forceinline__ places places_of(const word* in, bool leader) {
  auto* const words = reinterpret_cast<unsigned*>(scratch(in));
  return {words + (leader ? 0 : 1024), words + (leader ? 1024 : 0), leader ? 1U : 0U};
}

// Block 0 and the block that operand 1 names; the others have nothing to do.
static __device__ __forceinline__ bool takes_part(const word* in) {
  return blockIdx.x == 0 || blockIdx.x == operand<unsigned>(in, 1);
}

extern "C" __global__ void blocks_acquire_release(sample* out, const word* in) {
  if (!takes_part(in)) return;
  places const p = places_of(in, blockIdx.x == 0);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_acquire_gpu_u32(p.theirs) != round - p.lead) {
    }
    st_release_gpu_u32(p.mine, round);
  });
}

extern "C" __global__ void blocks_relaxed(sample* out, const word* in) {
  if (!takes_part(in)) return;
  places const p = places_of(in, blockIdx.x == 0);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_relaxed_gpu_u32(p.theirs) != round - p.lead) {
    }
    st_relaxed_gpu_u32(p.mine, round);
  });
}

extern "C" __global__ void blocks_relaxed_sys(sample* out, const word* in) {
  if (!takes_part(in)) return;
  places const p = places_of(in, blockIdx.x == 0);
  time_exchange(out, in, [=](unsigned round) {
    while (ld_relaxed_sys_u32(p.theirs) != round - p.lead) {
    }
    st_relaxed_sys_u32(p.mine, round);
  });
}

#if __CUDA_ARCH__ >= 900
#define PTXLAB_CLUSTER_OF_2 __cluster_dims__(2, 1, 1)
#else
#define PTXLAB_CLUSTER_OF_2
#endif

// Each block polls its own shared memory and writes into the other's.
extern "C" __global__ void PTXLAB_CLUSTER_OF_2 cluster_blocks(sample* out, const word* in) {
#if __CUDA_ARCH__ >= 900
  __shared__ unsigned place;
  place = 0;
  word const other = mapa_u64(reinterpret_cast<word>(&place), 1 - blockIdx.x);
  unsigned const lead = blockIdx.x == 0 ? 1 : 0;
  cluster_barrier();
  time_exchange(out, in, [=](unsigned round) {
    while (*static_cast<volatile unsigned*>(&place) != round - lead) {
    }
    st_relaxed_cluster_u32(other, round);
  });
  cluster_barrier();  // nobody leaves while its memory is written
#endif
}

extern "C" __global__ void warps_shared(sample* out, const word* in) {
  __shared__ unsigned words[2];
  words[threadIdx.x / 32] = 0;
  __syncthreads();
  volatile unsigned* const mine = &words[threadIdx.x / 32];
  volatile unsigned* const theirs = &words[1 - threadIdx.x / 32];
  unsigned const lead = threadIdx.x < 32 ? 1 : 0;
  time_exchange(out, in, [=](unsigned round) {
    while (*theirs != round - lead) {
    }
    *mine = round;
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

// Blocks 1 to the last one that an H200 has room for.
#define PTXLAB_PARTNERS {1, 2, 3, 8, 16, 33, 66, 99, 131}

PTXLAB_KERNEL({
    .question = "How long does a word take from one warp or block to another, and back?",
    .variants =
        {
            {.symbol = "blocks_acquire_release",
             .says = "ld.acquire.gpu and st.release.gpu of two blocks",
             .must = {"loop polls; strength >= acquire"},
             .measure = {.how = pair,
                         .sass = {"LD*.STRONG.GPU", "ST*.STRONG.GPU", "MEMBAR*", "ERRBAR",
                                  "CGAERRBAR", "CCTL.IVALL"},
                         .partners = PTXLAB_PARTNERS}},
            {.symbol = "blocks_relaxed",
             .says = "ld.relaxed.gpu and st.relaxed.gpu of two blocks",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = pair,
                         .sass = {"LD*.STRONG.GPU", "ST*.STRONG.GPU"},
                         .partners = PTXLAB_PARTNERS}},
            {.symbol = "blocks_relaxed_sys",
             .says = "ld.relaxed.sys and st.relaxed.sys of two blocks",
             .must = {"loop polls; strength >= relaxed"},
             .measure = {.how = pair,
                         .sass = {"LD*.STRONG.SYS", "ST*.STRONG.SYS"},
                         .partners = PTXLAB_PARTNERS}},
            {.symbol = "cluster_blocks",
             .says = "a store into the other block's shared memory, polled there",
             .measure = {.how = pair, .sass = {"LDS", "ST.E*"}, .cluster_blocks = 2}},
            {.symbol = "warps_shared",
             .says = "two warps of a block through shared memory",
             .measure = {.how = pair, .sass = {"LDS", "STS"}, .threads = {64}}},
        },
});
#endif
