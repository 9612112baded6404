// SPDX-License-Identifier: Apache-2.0
// Question: How much memory do the translation caches reach, and what does a miss cost?
//
// Method: A random ring with one link in every 2 MiB page, over more and more pages; the links lie
// in different lines, so that the data itself stays in L2 as long as there are few. Once more with
// one link in every 32 MiB: an entry that covers several pages then serves a single link.
//
// Expectation: A flat start at the latency of L2, then a step for each level of translation that
// the pages overflow. With the links 16 pages apart a level steps at 16 times the footprint if its
// entries cover a page each, and at the same footprint if they cover 32 MiB or more.
//
// Threats: The page size is the driver's choice (2 MiB assumed). The data leaves L1 at some hundred
// KiB of lines, before the translation does. Half of a device's memory is the limit: a footprint
// beyond it is an error row.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) page_walk(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_cg_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "How much memory do the translation caches reach, and what does a miss cost?",
    .variants =
        {
            {.symbol = "page_walk",
             .says = "ld.global.cg.u64, one link a page or every 16th",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64.STRONG.GPU"},
                         .copies = 16,
                         .ring = {.stride_bytes = {2 << 20, 32 << 20},
                                  .footprint_bytes = {8ULL << 20, 16ULL << 20, 32ULL << 20, 64ULL
                                                      << 20, 128ULL << 20, 256ULL << 20, 512ULL <<
                                                      20, 1024ULL << 20, 2048ULL << 20, 4096ULL <<
                                                      20, 6144ULL << 20, 8192ULL << 20, 12288ULL
                                                      << 20, 16384ULL << 20, 24576ULL << 20,
                                                      32768ULL << 20, 40960ULL << 20, 49152ULL
                                                      << 20, 57344ULL << 20, 65536ULL << 20}}}},
        },
});
#endif
