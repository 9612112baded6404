// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of what the blocks of a cluster share; sm_90 and later.
#pragma once

#if __CUDA_ARCH__ >= 900
namespace ptxlab::device {

// The generic address of what block `rank` of the cluster keeps at generic address `address` of its
// own shared memory. Pure: neither volatile nor "memory".
__device__ __forceinline__ unsigned long long mapa_u64(unsigned long long address, unsigned rank) {
  unsigned long long mapped;
  asm("mapa.u64 %0, %1, %2;" : "=l"(mapped) : "l"(address), "r"(rank));
  return mapped;
}

// A store into another block's shared memory, at the generic address that mapa gave.
__device__ __forceinline__ void st_relaxed_cluster_u32(unsigned long long address, unsigned value) {
  asm volatile("st.relaxed.cluster.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void barrier_cluster_arrive() {
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
}

__device__ __forceinline__ void barrier_cluster_wait() {
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}

__device__ __forceinline__ void cluster_barrier() {
  barrier_cluster_arrive();
  barrier_cluster_wait();
}

}  // namespace ptxlab::device
#endif
