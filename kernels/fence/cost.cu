// SPDX-License-Identifier: Apache-2.0
// Question: what does each fence cost, with nothing to wait for and behind a store?
//
// Method: N, 2N and 4N fences in a row, in one warp; idle, and each behind a store to a line of its
// block's own. The slope is the cost of a fence, or of a store and its fence; once with nothing else
// on the device, and once with a block on every SM that stores and fences as well.
//
// Expectation: a fence of the block costs little; one of the GPU or the system waits until the store
// is acknowledged by L2. The cluster's is the GPU's on this machine.
//
// Threats: traffic of another kind, to the same lines or to DRAM, may cost more. A fence of the system
// with a host that polls is another question.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/fence.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// A line for each block.
static __device__ __forceinline__ word own_line(const word* in) {
  return scratch(in) + 128 * blockIdx.x;
}

extern "C" __global__ void fence_acq_rel_cluster_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_acq_rel_cluster();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_cluster_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_acq_rel_cluster();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_cta_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<256, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_acq_rel_cta();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_cta_idle(sample* out, const word* in) {
  time_chain<256, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_acq_rel_cta();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_gpu_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_acq_rel_gpu();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_gpu_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_acq_rel_gpu();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_sys_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_acq_rel_sys();
    return x;
  });
}

extern "C" __global__ void fence_acq_rel_sys_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_acq_rel_sys();
    return x;
  });
}

extern "C" __global__ void fence_sc_cluster_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_sc_cluster();
    return x;
  });
}

extern "C" __global__ void fence_sc_cluster_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_sc_cluster();
    return x;
  });
}

extern "C" __global__ void fence_sc_cta_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<256, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_sc_cta();
    return x;
  });
}

extern "C" __global__ void fence_sc_cta_idle(sample* out, const word* in) {
  time_chain<256, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_sc_cta();
    return x;
  });
}

extern "C" __global__ void fence_sc_gpu_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_sc_gpu();
    return x;
  });
}

extern "C" __global__ void fence_sc_gpu_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_sc_gpu();
    return x;
  });
}

extern "C" __global__ void fence_sc_sys_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    fence_sc_sys();
    return x;
  });
}

extern "C" __global__ void fence_sc_sys_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    fence_sc_sys();
    return x;
  });
}

extern "C" __global__ void membar_cta_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<256, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    membar_cta();
    return x;
  });
}

extern "C" __global__ void membar_cta_idle(sample* out, const word* in) {
  time_chain<256, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    membar_cta();
    return x;
  });
}

extern "C" __global__ void membar_gl_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    membar_gl();
    return x;
  });
}

extern "C" __global__ void membar_gl_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    membar_gl();
    return x;
  });
}

extern "C" __global__ void membar_sys_after_store(sample* out, const word* in) {
  word const at = own_line(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    st_global_u32(at, x);
    membar_sys();
    return x;
  });
}

extern "C" __global__ void membar_sys_idle(sample* out, const word* in) {
  time_chain<16, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    membar_sys();
    return x;
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "What does each fence cost, idle and behind a store?",
    .variants =
        {
            {.symbol = "fence_acq_rel_cluster_after_store",
             .says = "fence.acq_rel.cluster behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_acq_rel_cluster_idle",
             .says = "fence.acq_rel.cluster, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "fence_acq_rel_cta_after_store",
             .says = "fence.acq_rel.cta behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.CTA", "NOP", "STG*"},
                         .copies = 256,
                         .blocks = {1, 0}}},
            {.symbol = "fence_acq_rel_cta_idle",
             .says = "fence.acq_rel.cta, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.CTA", "NOP"},
                         .copies = 256}},
            {.symbol = "fence_acq_rel_gpu_after_store",
             .says = "fence.acq_rel.gpu behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_acq_rel_gpu_idle",
             .says = "fence.acq_rel.gpu, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "fence_acq_rel_sys_after_store",
             .says = "fence.acq_rel.sys behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_acq_rel_sys_idle",
             .says = "fence.acq_rel.sys, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.ALL.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "fence_sc_cluster_after_store",
             .says = "fence.sc.cluster behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_sc_cluster_idle",
             .says = "fence.sc.cluster, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "fence_sc_cta_after_store",
             .says = "fence.sc.cta behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.CTA", "STG*"},
                         .copies = 256,
                         .blocks = {1, 0}}},
            {.symbol = "fence_sc_cta_idle",
             .says = "fence.sc.cta, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.CTA"},
                         .copies = 256}},
            {.symbol = "fence_sc_gpu_after_store",
             .says = "fence.sc.gpu behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_sc_gpu_idle",
             .says = "fence.sc.gpu, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "fence_sc_sys_after_store",
             .says = "fence.sc.sys behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "fence_sc_sys_idle",
             .says = "fence.sc.sys, nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "membar_cta_after_store",
             .says = "membar.cta (__threadfence_block) behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.CTA", "STG*"},
                         .copies = 256,
                         .blocks = {1, 0}}},
            {.symbol = "membar_cta_idle",
             .says = "membar.cta (__threadfence_block), nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.CTA"},
                         .copies = 256}},
            {.symbol = "membar_gl_after_store",
             .says = "membar.gl (__threadfence) behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "membar_gl_idle",
             .says = "membar.gl (__threadfence), nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.GPU", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
            {.symbol = "membar_sys_after_store",
             .says = "membar.sys (__threadfence_system) behind a store",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL", "STG*"},
                         .copies = 16,
                         .blocks = {1, 0}}},
            {.symbol = "membar_sys_idle",
             .says = "membar.sys (__threadfence_system), nothing to wait for",
             .measure = {.how = rounds,
                         .sass = {"MEMBAR.SC.SYS", "ERRBAR", "CGAERRBAR", "CCTL.IVALL"},
                         .copies = 16}},
        },
});
#endif
