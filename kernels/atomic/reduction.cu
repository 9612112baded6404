// SPDX-License-Identifier: Apache-2.0
// Question: what does it take until a reduction, which returns nothing, has been done?
//
// Method: as many reductions as fences, each fence waiting for the reduction in front of it; one
// warp, each lane on its own word. fence/cost has the same fences behind stores and behind nothing.
//
// Expectation: about an atomic's round trip and a fence for the GPU; nothing but the issue within a
// block.
//
// Threats: the fence is in the number, and no way is known to leave it out.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/fence.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ word own_word(const word* in) {
  return scratch(in) + 8 * (threadIdx.x % 32);
}

extern "C" __global__ void red_cta_fence_cta(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<256, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    red_relaxed_cta_global_add_u32(at, x);
    fence_acq_rel_cta();
    return x;
  });
}

extern "C" __global__ void red_gpu_fence_gpu(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    red_relaxed_gpu_global_add_u32(at, x);
    fence_acq_rel_gpu();
    return x;
  });
}

extern "C" __global__ void red_shared_fence_cta(sample* out, const word* in) {
  __shared__ word words[32];
  words[threadIdx.x % 32] = 0;
  auto const at = static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x % 32]));
  time_chain<256, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    red_shared_add_u32(at, x);
    fence_acq_rel_cta();
    return x;
  });
}

extern "C" __global__ void red_sys_fence_sys(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    red_relaxed_sys_global_add_u32(at, x);
    fence_acq_rel_sys();
    return x;
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does it take until a reduction, which returns nothing, has been done?",
    .variants =
        {
            {.symbol = "red_cta_fence_cta",
             .says = "red.relaxed.cta.global.add.u32 and fence.acq_rel.cta",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.CTA", "RED*", "NOP"},
                         .copies = 256,
                         .operands = {1}}},
            {.symbol = "red_gpu_fence_gpu",
             .says = "red.relaxed.gpu.global.add.u32 and fence.acq_rel.gpu",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.GPU", "RED*", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16,
                         .operands = {1}}},
            {.symbol = "red_shared_fence_cta",
             .says = "red.shared.add.u32 and fence.acq_rel.cta",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.CTA", "ATOMS*", "NOP"},
                         .copies = 256,
                         .operands = {1}}},
            {.symbol = "red_sys_fence_sys",
             .says = "red.relaxed.sys.global.add.u32 and fence.acq_rel.sys",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.SYS", "RED*", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16,
                         .operands = {1}}},
        },
});
#endif
