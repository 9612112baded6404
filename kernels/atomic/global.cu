// SPDX-License-Identifier: Apache-2.0
// Question: After how many cycles does an atomic on global memory return?
//
// Method: each operation's operand is the value that the one before returned; one warp, each
// lane on its own word.
//
// Expectation: the round trip to L2 for every scope of GPU and system; the block's scope need not be
// cheaper, since L1 does not do atomics.
//
// Threats: no contention: other warps and blocks make atomics dearer. A warp's 32 words are two
// lines.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// Each lane has a word of its own, all of them in two lines.
static __device__ __forceinline__ word own_word(const word* in) {
  return scratch(in) + 8 * (threadIdx.x % 32);
}

extern "C" __global__ void add_acq_rel_gpu_u32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_acq_rel_gpu_global_add_u32(at, x);
  });
}

extern "C" __global__ void add_cta_u32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_cta_global_add_u32(at, x);
  });
}

extern "C" __global__ void add_gpu_f32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, float>(out, in, [=](float x, float, float) {
    return atom_relaxed_gpu_global_add_f32(at, x);
  });
}

extern "C" __global__ void add_gpu_u32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_gpu_global_add_u32(at, x);
  });
}

extern "C" __global__ void add_gpu_u64(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, word>(out, in, [=](word x, word, word) {
    return atom_relaxed_gpu_global_add_u64(at, x);
  });
}

extern "C" __global__ void add_sys_u32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_sys_global_add_u32(at, x);
  });
}

extern "C" __global__ void cas_gpu_b32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned a, unsigned) {
    return atom_relaxed_gpu_global_cas_b32(at, x, a);
  });
}

extern "C" __global__ void exch_gpu_b32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_gpu_global_exch_b32(at, x);
  });
}

extern "C" __global__ void max_gpu_u32(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<64, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_gpu_global_max_u32(at, x);
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles does an atomic on global memory return?",
    .variants =
        {
            {.symbol = "add_acq_rel_gpu_u32",
             .says = "atom.acq_rel.gpu.global.add.u32",
             .measure = {.how = latency, .sass = {"ATOMG*", "MEMBAR*", "ERRBAR", "CGAERRBAR", "CCTL*", "LDG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "add_cta_u32",
             .says = "atom.relaxed.cta.global.add.u32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "add_gpu_f32",
             .says = "atom.relaxed.gpu.global.add.f32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "add_gpu_u32",
             .says = "atom.relaxed.gpu.global.add.u32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "add_gpu_u64",
             .says = "atom.relaxed.gpu.global.add.u64",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "add_sys_u32",
             .says = "atom.relaxed.sys.global.add.u32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "cas_gpu_b32",
             .says = "atom.relaxed.gpu.global.cas.b32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 16, .operands = {1, 1}}},
            {.symbol = "exch_gpu_b32",
             .says = "atom.relaxed.gpu.global.exch.b32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
            {.symbol = "max_gpu_u32",
             .says = "atom.relaxed.gpu.global.max.u32",
             .measure = {.how = latency, .sass = {"ATOMG*"}, .copies = 64, .operands = {1, 1}}},
        },
});
#endif
