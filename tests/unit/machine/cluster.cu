// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks read and write each other's shared memory, right and wrong.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

// out[i] is what the next block of the cluster has at its thread's place.
template <bool Before, bool After>
__device__ void next_block(const int* in, int* out) {
  __shared__ int mine[64];
  cg::cluster_group all = cg::this_cluster();
  int const i = blockIdx.x * 64 + threadIdx.x;
  mine[threadIdx.x] = in[i];
  if (Before) all.sync();
  unsigned const next = (all.block_rank() + 1) % all.num_blocks();
  out[i] = *all.map_shared_rank(mine + threadIdx.x, next);
  if (After) all.sync();
}

extern "C" __global__ void next(const int* in, int* out) {
  next_block<true, true>(in, out);
}
extern "C" __global__ void next_without_barrier(const int* in, int* out) {
  next_block<false, true>(in, out);
}
extern "C" __global__ void next_leaves_early(const int* in, int* out) {
  next_block<true, false>(in, out);
}

// The bins of a histogram, 16 in each block of a cluster; every cluster adds to the whole.
extern "C" __global__ void histogram(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned bins[16];
  cg::cluster_group all = cg::this_cluster();
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  all.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned const bin = in[i] % (16 * all.num_blocks());
    atomicAdd(all.map_shared_rank(bins + bin % 16, bin / 16), 1u);
  }
  all.sync();
  if (threadIdx.x < 16) atomicAdd(out + all.block_rank() * 16 + threadIdx.x, bins[threadIdx.x]);
}

// What each block knows of itself, and of an address of the block of rank 3.
extern "C" __global__ void __cluster_dims__(2, 2, 1) who_am_i(unsigned* out) {
  __shared__ unsigned word;
  cg::cluster_group all = cg::this_cluster();
  word = all.block_rank();
  all.sync();
  unsigned* const third = all.map_shared_rank(&word, 3);
  out += 12 * ((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x);
  dim3 const index = all.block_index(), blocks = all.dim_blocks();
  dim3 const cluster = __clusterIdx(), clusters = __clusterGridDimInClusters();
  unsigned const seen[12] = {index.x,
                             index.y,
                             index.z,
                             all.block_rank(),
                             blocks.x * 100 + blocks.y * 10 + blocks.z,
                             all.num_blocks(),
                             cluster.x * 100 + cluster.y * 10 + cluster.z,
                             clusters.x * 100 + clusters.y * 10 + clusters.z,
                             all.query_shared_rank(third),
                             *third,
                             __clusterDimIsSpecified(),
                             all.query_shared_rank(&word)};
  for (int k = 0; k < 12; ++k) out[k] = seen[k];
  all.sync();
}

// Work between the arrival and the wait: on something of one's own.
extern "C" __global__ void split(const int* in, int* out) {
  __shared__ int mine[32], other[32];
  cg::cluster_group all = cg::this_cluster();
  mine[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  auto token = all.barrier_arrive();
  other[threadIdx.x] = 7;
  all.barrier_wait(std::move(token));
  int const x = *all.map_shared_rank(mine + threadIdx.x, 1 - all.block_rank());
  out[blockIdx.x * 32 + threadIdx.x] = x + other[threadIdx.x];
  all.sync();
}
