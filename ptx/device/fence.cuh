// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of the fences. The name is the PTX mnemonic with underscores. A cluster
// exists from sm_90 on; before that the block is the widest thing it could mean, so the block's
// fence stands in for the cluster's and the kernels assemble everywhere.
#pragma once

namespace ptxlab::device {

// Every asm here is `volatile`, because a fence has no output and is all side effect, and names
// "memory", because nvcc must not move an access across it: a fence it can step around is none.

__device__ __forceinline__ void fence_acq_rel_cta() {
  asm volatile("fence.acq_rel.cta;" ::: "memory");
}

__device__ __forceinline__ void fence_acq_rel_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.acq_rel.cluster;" ::: "memory");
#else
  fence_acq_rel_cta();
#endif
}

__device__ __forceinline__ void fence_acq_rel_gpu() {
  asm volatile("fence.acq_rel.gpu;" ::: "memory");
}

__device__ __forceinline__ void fence_acq_rel_sys() {
  asm volatile("fence.acq_rel.sys;" ::: "memory");
}

__device__ __forceinline__ void fence_sc_cta() {
  asm volatile("fence.sc.cta;" ::: "memory");
}

__device__ __forceinline__ void fence_sc_cluster() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.sc.cluster;" ::: "memory");
#else
  fence_sc_cta();
#endif
}

__device__ __forceinline__ void fence_sc_gpu() {
  asm volatile("fence.sc.gpu;" ::: "memory");
}

__device__ __forceinline__ void fence_sc_sys() {
  asm volatile("fence.sc.sys;" ::: "memory");
}

__device__ __forceinline__ void membar_cta() {
  asm volatile("membar.cta;" ::: "memory");
}

__device__ __forceinline__ void membar_gl() {
  asm volatile("membar.gl;" ::: "memory");
}

__device__ __forceinline__ void membar_sys() {
  asm volatile("membar.sys;" ::: "memory");
}

}  // namespace ptxlab::device
