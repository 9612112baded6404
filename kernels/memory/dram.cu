// SPDX-License-Identifier: Apache-2.0
// Question: After how many cycles does a load that misses every cache come back, and why do
// published figures differ?
//
// Method: Rings of twice and of eight times the L2 and more, in random order with one link a line;
// and sequential rings with 32, 64, 128 and 256 bytes between links.
//
// Expectation: 640 to 720 cycles in random order. Walking on by 32 bytes gives about 480: memory is
// fetched in 64-byte units, so every second load finds its data in L2.
//
// Threats: A random ring of this size also misses the first TLB. A footprint that fits L2 is
// refused.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/memory.cuh"
#include "ptx/device/ring.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) random_ring(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sequential_128(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sequential_256(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sequential_32(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sequential_64(sample* out, const word* in) {
  time_ring<16>(out, in, operand<word>(in, ring_operand::base),
                [](word x) { return ld_global_u64(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::ring;

PTXLAB_KERNEL({
    .question = "After how many cycles does a load that misses every cache come back, and why do published figures differ?",
    .variants =
        {
            {.symbol = "random_ring",
             .says = "ld.global.u64 along a random ring",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.footprint_l2 = {4, 8, 16}, .beyond_l2 = true},
                         .published = "global (DRAM) latency"}},
            {.symbol = "sequential_128",
             .says = "ld.global.u64, each link 128 bytes behind the last",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.how = ring::order::sequential,
                                  .stride_bytes = {128},
                                  .footprint_l2 = {8},
                                  .beyond_l2 = true}}},
            {.symbol = "sequential_256",
             .says = "ld.global.u64, each link 256 bytes behind the last",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.how = ring::order::sequential,
                                  .stride_bytes = {256},
                                  .footprint_l2 = {8},
                                  .beyond_l2 = true}}},
            {.symbol = "sequential_32",
             .says = "ld.global.u64, each link 32 bytes behind the last",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.how = ring::order::sequential,
                                  .stride_bytes = {32},
                                  .footprint_l2 = {8},
                                  .beyond_l2 = true},
                         .published = "global (DRAM) latency (32 B sequential stride)"}},
            {.symbol = "sequential_64",
             .says = "ld.global.u64, each link 64 bytes behind the last",
             .measure = {.how = chase,
                         .sass = {"LDG.E.64"},
                         .copies = 16,
                         .ring = {.how = ring::order::sequential,
                                  .stride_bytes = {64},
                                  .footprint_l2 = {8},
                                  .beyond_l2 = true}}},
        },
});
#endif
