// SPDX-License-Identifier: Apache-2.0
// Question: how many fp64 results does one SM deliver per cycle, and what does it take to get
// there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: the width of the unit that the counted instruction runs on, or of the narrowest one
// that its copy needs.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) add_rn_f64(sample* out, const word* in) {
  time_streams<64, double>(out, in, [](double x, double a, double) { return __dadd_rn(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) div_rn_f64(sample* out, const word* in) {
  time_streams<16, double>(out, in, [](double x, double a, double) { return __ddiv_rn(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) fma_rn_f64(sample* out, const word* in) {
  time_streams<64, double>(out, in, [](double x, double a, double b) { return __fma_rn(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) max_f64(sample* out, const word* in) {
  time_streams<32, double>(out, in, [](double x, double a, double) { return max_f64(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) min_f64(sample* out, const word* in) {
  time_streams<32, double>(out, in, [](double x, double a, double) { return min_f64(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_rn_f64(sample* out, const word* in) {
  time_streams<64, double>(out, in, [](double x, double a, double) { return __dmul_rn(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) rcp_rn_f64(sample* out, const word* in) {
  time_streams<16, double>(out, in, [](double x, double, double) { return __drcp_rn(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sqrt_rn_f64(sample* out, const word* in) {
  time_streams<16, double>(out, in, [](double x, double, double) { return __dsqrt_rn(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "How many fp64 results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "add_rn_f64",
             .says = "add.rn.f64",
             .measure = {.how = throughput,
                         .sass = {"DADD"},
                         .copies = 64,
                         .operands = {bits(1.0), bits(0.5)}}},
            {.symbol = "div_rn_f64",
             .says = "div.rn.f64",
             .measure = {.how = throughput,
                         .sass = {"MUFU.RCP64H"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(3.0), bits(5.0)}}},
            {.symbol = "fma_rn_f64",
             .says = "fma.rn.f64",
             .measure = {.how = throughput,
                         .sass = {"DFMA"},
                         .copies = 64,
                         .operands = {bits(1.0), bits(0.5), bits(2.0)},
                         .published = "fp64 FMA lanes nominal"}},
            {.symbol = "max_f64",
             .says = "max.f64: a comparison and two selections",
             .measure = {.how = throughput,
                         .sass = {"DSETP.MAX.AND"},
                         .expands = true,
                         .operands = {bits(5.0), bits(3.0)}}},
            {.symbol = "min_f64",
             .says = "min.f64: a comparison and two selections",
             .measure = {.how = throughput,
                         .sass = {"DSETP.MIN.AND"},
                         .expands = true,
                         .operands = {bits(1.0), bits(3.0)}}},
            {.symbol = "mul_rn_f64",
             .says = "mul.rn.f64 by the next number above 1",
             .measure = {.how = throughput,
                         .sass = {"DMUL"},
                         .copies = 64,
                         .operands = {bits(1.0), 0x3ff0000000000001}}},
            {.symbol = "rcp_rn_f64",
             .says = "rcp.rn.f64",
             .measure = {.how = throughput,
                         .sass = {"MUFU.RCP64H"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(3.0)}}},
            {.symbol = "sqrt_rn_f64",
             .says = "sqrt.rn.f64",
             .measure = {.how = throughput,
                         .sass = {"MUFU.RSQ64H"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(3.0)}}},
        },
});
#endif
