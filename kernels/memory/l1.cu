// SPDX-License-Identifier: Apache-2.0
// Question: After how many cycles is a global load answered by the L1 cache?
//
// Method: One warp follows a ring of 4 KiB: by addresses, and by indices.
//
// Expectation: The address chase is a bare load; the index chase adds the multiplication that forms
// the address, which explains the older, larger figures.
//
// Threats: All 32 lanes read one word: no coalescing, one line per load.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// The next address is the word: nothing but the load stands between two loads.
extern "C" __global__ void __launch_bounds__(1024) index(sample* out, const word* in) {
  word const base = operand<word>(in, ring_operand::base);
  time_ring<64>(out, in, 0U, [=](unsigned x) { return ld_global_u32_at(base + 4 * word{x}); });
}

extern "C" __global__ void __launch_bounds__(1024) pointer(sample* out, const word* in) {
  time_ring<64>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "After how many cycles is a global load answered by the L1 cache?",
    .variants =
        {
            {.symbol = "index",
             .says = "x = base[x]: ld.global.u32 behind a multiplication",
             .measure = {.how = chase,
                         .sass = {"LDG.E", "IMAD.WIDE*", "LEA*", "IADD3*", "IMAD*"}, .copies = 64,
                         .ring = {.what = ring::link::index, .footprint_bytes = {4096}},
                         .published = "L1 hit latency (index chase)"}},
            {.symbol = "pointer",
             .says = "x = *x: ld.global.u64",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"}, .copies = 64,
                         .ring = {.footprint_bytes = {4096}},
                         .published = "L1 hit latency (pointer chase)"}},
        },
});
#endif
