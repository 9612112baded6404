// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of loads and reductions whose ordering is part of the question. The name
// is the PTX mnemonic with underscores; addresses are generic, as C++ pointers are, unless
// the name says otherwise.
#pragma once

namespace ptxlab::device {

// Every asm here is `volatile`, because the value may change between two executions with equal
// operands: without it nvcc may merge them or move one out of a loop. Every one names "memory",
// because nvcc cannot see which address is touched and would else move plain accesses across it.

__device__ __forceinline__ unsigned ld_relaxed_gpu_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.relaxed.gpu.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ unsigned ld_acquire_gpu_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

// The weak load: `volatile` and "memory" bind nvcc only. ptxas reads "ld" and may drop repeats.
__device__ __forceinline__ unsigned ld_global_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.global.u32 %0, [%1];"
               : "=r"(value)
               : "l"(__cvta_generic_to_global(address))
               : "memory");
  return value;
}

// The same for a 64-bit word at a global address, such as the next link of a pointer chase.
__device__ __forceinline__ unsigned long long ld_global_u64(unsigned long long address) {
  unsigned long long value;
  asm volatile("ld.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

// A 32-bit word at a global address.
__device__ __forceinline__ unsigned ld_global_u32_at(unsigned long long address) {
  unsigned value;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

// Cached in L2 only.
__device__ __forceinline__ unsigned long long ld_global_cg_u64(unsigned long long address) {
  unsigned long long value;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void st_global_u32(unsigned long long address, unsigned value) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

// A 64-bit word at a generic address.
__device__ __forceinline__ unsigned long long ld_u64(unsigned long long address) {
  unsigned long long value;
  asm volatile("ld.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

// Shared memory: the address is the 32-bit one of the shared window.
__device__ __forceinline__ unsigned ld_shared_u32(unsigned address) {
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  return value;
}

__device__ __forceinline__ void st_relaxed_gpu_u32(unsigned* address, unsigned value) {
  asm volatile("st.relaxed.gpu.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void st_release_gpu_u32(unsigned* address, unsigned value) {
  asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ unsigned ld_relaxed_sys_u32(const unsigned* address) {
  unsigned value;
  asm volatile("ld.relaxed.sys.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void st_relaxed_sys_u32(unsigned* address, unsigned value) {
  asm volatile("st.relaxed.sys.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void red_release_gpu_add_u32(unsigned* address, unsigned value) {
  asm volatile("red.release.gpu.add.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

}  // namespace ptxlab::device
