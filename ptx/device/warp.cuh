// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of what the lanes of a warp do together. The name is the PTX mnemonic
// with underscores; where the instruction wants a predicate, the setp before it or the selp behind
// it is in the wrapper too. The mask is always the whole warp. All asm is `volatile`:
// which lanes take part is no operand, so nvcc must neither merge nor move it.
//
// An architecture without the instruction gets the operand back: the kernels assemble everywhere,
// and the gate says what is missing.
#pragma once

namespace ptxlab::device {

__device__ __forceinline__ unsigned shfl_sync_bfly_b32(unsigned a, unsigned b) {
  unsigned d;
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, -1;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned shfl_sync_up_b32(unsigned a, unsigned b) {
  unsigned d;
  asm volatile("shfl.sync.up.b32 %0, %1, %2, 0, -1;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned shfl_sync_idx_b32(unsigned a, unsigned b) {
  unsigned d;
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, -1;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned vote_sync_ballot_b32(unsigned a, unsigned b) {
  unsigned d;
  asm volatile(
      "{\n\t.reg .pred p;\n\tsetp.lt.u32 p, %1, %2;\n\tvote.sync.ballot.b32 %0, p, -1;\n\t}"
      : "=r"(d)
      : "r"(a), "r"(b));
  return d;
}

__device__ __forceinline__ unsigned vote_sync_all_selp(unsigned a, unsigned b, unsigned c,
                                                       unsigned d) {
  unsigned r;
  asm volatile(
      "{\n\t.reg .pred p, q;\n\tsetp.ne.u32 p, %1, %2;\n\tvote.sync.all.pred q, p, -1;\n\tselp.u32 "
      "%0, %3, %4, q;\n\t}"
      : "=r"(r)
      : "r"(a), "r"(b), "r"(c), "r"(d));
  return r;
}

__device__ __forceinline__ unsigned match_any_sync_b32(unsigned a) {
  unsigned d;
  asm volatile("match.any.sync.b32 %0, %1, -1;" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned match_all_sync_b32(unsigned a) {
  unsigned d;
  asm volatile("{\n\t.reg .pred p;\n\tmatch.all.sync.b32 %0|p, %1, -1;\n\t}" : "=r"(d) : "r"(a));
  return d;
}

__device__ __forceinline__ unsigned redux_sync_add_u32(unsigned a) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm volatile("redux.sync.add.u32 %0, %1, -1;" : "=r"(d) : "r"(a));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned redux_sync_min_u32(unsigned a) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm volatile("redux.sync.min.u32 %0, %1, -1;" : "=r"(d) : "r"(a));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned redux_sync_or_b32(unsigned a) {
#if __CUDA_ARCH__ >= 800
  unsigned d;
  asm volatile("redux.sync.or.b32 %0, %1, -1;" : "=r"(d) : "r"(a));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned elect_sync_selp(unsigned a, unsigned b) {
#if __CUDA_ARCH__ >= 900
  unsigned d;
  asm volatile("{\n\t.reg .pred p;\n\telect.sync _|p, -1;\n\tselp.u32 %0, %1, %2, p;\n\t}"
               : "=r"(d)
               : "r"(a), "r"(b));
  return d;
#else
  return a;
#endif
}

__device__ __forceinline__ unsigned activemask_b32() {
  unsigned d;
  asm volatile("activemask.b32 %0;" : "=r"(d));
  return d;
}

__device__ __forceinline__ void bar_warp_sync() {
  asm volatile("bar.warp.sync -1;" ::: "memory");
}

}  // namespace ptxlab::device
