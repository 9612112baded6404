// SPDX-License-Identifier: Apache-2.0
// One-instruction wrappers of atomic operations. The name is the PTX mnemonic with underscores;
// global addresses are 64-bit ones of the global window, shared ones 32-bit of the shared window.
#pragma once

namespace ptxlab::device {

// Every asm here is `volatile` and names "memory": each changes a word that others may see.
#define PTXLAB_ATOM(name, text, type, constraint)                                \
  __device__ __forceinline__ type name(unsigned long long address, type value) { \
    type old;                                                                    \
    asm volatile(text " %0, [%1], %2;"                                           \
                 : "=" constraint(old)                                           \
                 : "l"(address), constraint(value)                               \
                 : "memory");                                                    \
    return old;                                                                  \
  }
#define PTXLAB_ATOM_SHARED(name, text, type, constraint)               \
  __device__ __forceinline__ type name(unsigned address, type value) { \
    type old;                                                          \
    asm volatile(text " %0, [%1], %2;"                                 \
                 : "=" constraint(old)                                 \
                 : "r"(address), constraint(value)                     \
                 : "memory");                                          \
    return old;                                                        \
  }

PTXLAB_ATOM(atom_acq_rel_gpu_global_add_u32, "atom.acq_rel.gpu.global.add.u32", unsigned, "r")
PTXLAB_ATOM(atom_relaxed_cta_global_add_u32, "atom.relaxed.cta.global.add.u32", unsigned, "r")
PTXLAB_ATOM(atom_relaxed_gpu_global_add_f32, "atom.relaxed.gpu.global.add.f32", float, "f")
PTXLAB_ATOM(atom_relaxed_gpu_global_add_u32, "atom.relaxed.gpu.global.add.u32", unsigned, "r")
PTXLAB_ATOM(atom_relaxed_gpu_global_add_u64, "atom.relaxed.gpu.global.add.u64", unsigned long long,
            "l")
PTXLAB_ATOM(atom_relaxed_gpu_global_exch_b32, "atom.relaxed.gpu.global.exch.b32", unsigned, "r")
PTXLAB_ATOM(atom_relaxed_gpu_global_max_u32, "atom.relaxed.gpu.global.max.u32", unsigned, "r")
PTXLAB_ATOM(atom_relaxed_sys_global_add_u32, "atom.relaxed.sys.global.add.u32", unsigned, "r")
PTXLAB_ATOM_SHARED(atom_shared_add_f32, "atom.shared.add.f32", float, "f")
PTXLAB_ATOM_SHARED(atom_shared_add_u32, "atom.shared.add.u32", unsigned, "r")
PTXLAB_ATOM_SHARED(atom_shared_add_u64, "atom.shared.add.u64", unsigned long long, "l")
PTXLAB_ATOM_SHARED(atom_shared_exch_b32, "atom.shared.exch.b32", unsigned, "r")
PTXLAB_ATOM_SHARED(atom_shared_max_u32, "atom.shared.max.u32", unsigned, "r")

#undef PTXLAB_ATOM
#undef PTXLAB_ATOM_SHARED

// Without a result: who issues it does not wait for it.
__device__ __forceinline__ void red_relaxed_cta_global_add_u32(unsigned long long address,
                                                               unsigned value) {
  asm volatile("red.relaxed.cta.global.add.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
__device__ __forceinline__ void red_relaxed_gpu_global_add_u32(unsigned long long address,
                                                               unsigned value) {
  asm volatile("red.relaxed.gpu.global.add.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
__device__ __forceinline__ void red_relaxed_sys_global_add_u32(unsigned long long address,
                                                               unsigned value) {
  asm volatile("red.relaxed.sys.global.add.u32 [%0], %1;" ::"l"(address), "r"(value) : "memory");
}
__device__ __forceinline__ void red_shared_add_u32(unsigned address, unsigned value) {
  asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}

// Swaps in `value` where the word still is `compare`.
__device__ __forceinline__ unsigned atom_relaxed_gpu_global_cas_b32(unsigned long long address,
                                                                    unsigned compare,
                                                                    unsigned value) {
  unsigned old;
  asm volatile("atom.relaxed.gpu.global.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "l"(address), "r"(compare), "r"(value)
               : "memory");
  return old;
}

__device__ __forceinline__ unsigned atom_shared_cas_b32(unsigned address, unsigned compare,
                                                        unsigned value) {
  unsigned old;
  asm volatile("atom.shared.cas.b32 %0, [%1], %2, %3;"
               : "=r"(old)
               : "r"(address), "r"(compare), "r"(value)
               : "memory");
  return old;
}

}  // namespace ptxlab::device
