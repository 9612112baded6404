// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of accesses whose order the whole system sees: other GPUs and the host.
// The name is the PTX mnemonic with underscores; addresses are 64-bit ones of the global window,
// which memory of another GPU and mapped memory of the host belong to.
#pragma once

namespace ptxlab::device {

// Every asm here is `volatile` and names "memory": others write these words, and nvcc must move no
// plain access across one of them.

__device__ __forceinline__ unsigned ld_relaxed_sys_global_u32(unsigned long long address) {
  unsigned value;
  asm volatile("ld.relaxed.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ unsigned ld_acquire_sys_global_u32(unsigned long long address) {
  unsigned value;
  asm volatile("ld.acquire.sys.global.u32 %0, [%1];" : "=r"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ unsigned long long ld_relaxed_sys_global_u64(
    unsigned long long address) {
  unsigned long long value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(address) : "memory");
  return value;
}

__device__ __forceinline__ void st_relaxed_sys_global_u32(unsigned long long address,
                                                          unsigned value) {
  asm volatile("st.relaxed.sys.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void st_release_sys_global_u32(unsigned long long address,
                                                          unsigned value) {
  asm volatile("st.release.sys.global.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

__device__ __forceinline__ void st_relaxed_sys_global_u64(unsigned long long address,
                                                          unsigned long long value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(address), "l"(value) : "memory");
}

__device__ __forceinline__ void red_release_sys_global_add_u32(unsigned long long address,
                                                               unsigned value) {
  asm volatile("red.release.sys.global.add.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}

}  // namespace ptxlab::device
