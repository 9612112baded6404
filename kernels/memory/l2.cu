// SPDX-License-Identifier: Apache-2.0
// Question: After how many cycles is a global load answered by the L2 cache, near and far?
//
// Method: A ring of random order that fits L2, walked with loads that pass L1 by (ld.global.cg);
// and single words at 32 places, each its own ring, to tell near partitions from far ones.
//
// Expectation: 260 to 290 cycles on average over a small ring; single words fall into two groups.
//
// Threats: Which partition is near depends on the SM; the block runs where the driver puts it.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) pointer(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_cg_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) single_word(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_cg_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "After how many cycles is a global load answered by the L2 cache, near and far?",
    .variants =
        {
            {.symbol = "pointer",
             .says = "ld.global.cg.u64 along a random ring",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64.STRONG.GPU"},
                         .copies = 16,
                         .ring = {.footprint_bytes = {1 << 20, 2 << 20, 4 << 20, 8 << 20, 16 << 20}},
                         .published = "L2 hit latency plateau"}},
            {.symbol = "single_word",
             .says = "ld.global.cg.u64 of one word, at 32 places",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64.STRONG.GPU"},
                         .copies = 16,
                         .ring = {.footprint_bytes = {128}, .offset_bytes = {0, 69632, 139264, 208896, 278528, 348160, 417792, 487424, 557056, 626688, 696320, 765952, 835584, 905216, 974848, 1044480, 1114112, 1183744, 1253376, 1323008, 1392640, 1462272, 1531904, 1601536, 1671168, 1740800, 1810432, 1880064, 1949696, 2019328, 2088960, 2158592}}}},
        },
});
#endif
