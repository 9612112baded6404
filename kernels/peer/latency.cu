// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles does a load, an atomic, or a load of what was just stored come
// back from the memory of another GPU of the same host, and from the host's?
//
// Method: the same copies against memory of the GPU itself, of the other one (cuCtxEnablePeerAccess)
// and of the host (mapped, page-locked). Loads walk a ring of links, weak or relaxed for the system;
// an atomic's operand is the value that the one before returned; a word that holds its own address is
// stored there and loaded again.
//
// Expectation: a GPU's own memory as in memory/l2; the other's about a microsecond more, by NVLink;
// the host's more than that, by PCIe. Weak loads may be kept in L1 wherever they come from, relaxed
// ones of the system may not.
//
// Threats: where in the other GPU's L2 a page lies makes 100 cycles of difference or more. Whether the
// links, and the host's cores, are idle is not known.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/system.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// A word for each lane, all of them in one line.
static __device__ __forceinline__ word own_word(const word* in) {
  return operand<word>(in, peer_operand::mine) + 4 * (threadIdx.x % 32);
}

extern "C" __global__ void atom_add_gpu(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_gpu_global_add_u32(at, x);
  });
}

extern "C" __global__ void atom_add_sys(sample* out, const word* in) {
  word const at = own_word(in);
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_relaxed_sys_global_add_u32(at, x);
  });
}

extern "C" __global__ void __launch_bounds__(1024) ld_relaxed_sys(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_relaxed_sys_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) ld_weak(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}

extern "C" __global__ void store_then_load(sample* out, const word* in) {
  time_chain_from<16, word>(out, in, operand<word>(in, peer_operand::mine),
                            [](word x, word, word) {
                              st_relaxed_sys_global_u64(x, x);
                              return ld_relaxed_sys_global_u64(x);
                            });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::meeting;

// 4 KiB fit L1, a MiB does not, 256 MiB fit no L2.
#define PTXLAB_RING {.footprint_bytes = {4096, 1 << 20, 1 << 28}}

PTXLAB_KERNEL({
    .question = "After how many cycles does a load, an atomic, or a load of what was just stored come back from another GPU's memory, and from the host's?",
    .variants =
        {
            {.symbol = "atom_add_gpu",
             .says = "atom.relaxed.gpu.add.u32, its result awaited",
             .measure = {.how = peer,
                         .sass = {"ATOMG.E.ADD*"},
                         .copies = 16,
                         .operands = {1},
                         .threads = {1, 32},
                         .meets = meeting::chain}},
            {.symbol = "atom_add_sys",
             .says = "atom.relaxed.sys.add.u32, its result awaited",
             .measure = {.how = peer,
                         .sass = {"ATOMG.E.ADD*"},
                         .copies = 16,
                         .operands = {1},
                         .threads = {1, 32},
                         .meets = meeting::chain}},
            {.symbol = "ld_relaxed_sys",
             .says = "ld.relaxed.sys.u64 along a random ring",
             .measure = {.how = peer,
                         .sass = {"LDG.E.64.STRONG.SYS"},
                         .copies = 16,
                         .ring = PTXLAB_RING,
                         .meets = meeting::ring}},
            {.symbol = "ld_weak",
             .says = "ld.u64 along a random ring",
             .measure = {.how = peer,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = PTXLAB_RING,
                         .meets = meeting::ring}},
            {.symbol = "store_then_load",
             .says = "st.relaxed.sys.u64 and the ld.relaxed.sys.u64 that sees it",
             .measure = {.how = peer,
                         .sass = {"LDG.E.64.STRONG.SYS", "STG.E.64.STRONG.SYS"},
                         .copies = 16,
                         .threads = {1},
                         .meets = meeting::chain}},
        },
});
#endif
