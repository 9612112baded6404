// SPDX-License-Identifier: Apache-2.0
// Question: What does a load cost as the memory it walks grows, from L1 to DRAM?
//
// Method: One warp follows a random ring, one link a line, over footprints from 4 KiB to 1 GiB.
//
// Expectation: Steps at the capacity of L1 and of L2, and a second level inside L2 beyond the half
// of it that is near.
//
// Threats: Beyond L2 the TLB adds its part. The ring is written by the SM that walks it.
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
                [](word x) { return ld_global_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "What does a load cost as the memory it walks grows, from L1 to DRAM?",
    .variants =
        {
            {.symbol = "pointer",
             .says = "ld.global.u64 along a random ring",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.footprint_bytes = {4096, 8192, 16384, 32768, 65536, 98304, 131072,
                                             163840, 196608, 212992, 229376, 245760, 262144,
                                             327680, 524288, 1048576, 2097152, 4194304, 8388608,
                                             16777216, 20971520, 25165824, 29360128, 33554432,
                                             41943040, 50331648, 58720256, 67108864, 83886080,
                                             100663296, 134217728, 268435456, 536870912,
                                             1073741824}}}},
        },
});
#endif
