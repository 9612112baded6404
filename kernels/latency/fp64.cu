// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use an fp64 result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: add, multiply and fma are one instruction of about eight cycles; division and roots
// are sequences of them.
//
// Threats: operands that never change the value may hide data-dependent power, not latency. Where
// a copy is a pair, its parts are not told apart.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void add_rn_f64(sample* out, const word* in) {
  time_chain<32, double>(out, in, [](double x, double a, double) { return __dadd_rn(x, a); });
}

extern "C" __global__ void div_rn_f64(sample* out, const word* in) {
  time_chain<8, double>(out, in, [](double x, double a, double) { return __ddiv_rn(a, x); });
}

extern "C" __global__ void fma_rn_f64(sample* out, const word* in) {
  time_chain<32, double>(out, in, [](double x, double a, double b) { return __fma_rn(x, a, b); });
}

extern "C" __global__ void max_f64(sample* out, const word* in) {
  time_chain<16, double>(out, in, [](double x, double a, double) { return max_f64(x, a); });
}

extern "C" __global__ void min_f64(sample* out, const word* in) {
  time_chain<16, double>(out, in, [](double x, double a, double) { return min_f64(x, a); });
}

extern "C" __global__ void mul_rn_f64(sample* out, const word* in) {
  time_chain<32, double>(out, in, [](double x, double a, double) { return __dmul_rn(x, a); });
}

extern "C" __global__ void rcp_rn_f64(sample* out, const word* in) {
  time_chain<8, double>(out, in, [](double x, double, double) { return __drcp_rn(x); });
}

extern "C" __global__ void sqrt_rn_f64(sample* out, const word* in) {
  time_chain<8, double>(out, in, [](double x, double, double) { return __dsqrt_rn(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use an fp64 result?",
    .variants =
        {
            {.symbol = "add_rn_f64",
             .says = "add.rn.f64",
             .measure = {.how = latency, .sass = {"DADD"}, .operands = {bits(1.0), bits(0.5)}}},
            {.symbol = "div_rn_f64",
             .says = "div.rn.f64",
             .measure = {.how = latency,
                         .sass = {"MUFU.RCP64H"},
                         .copies = 8,
                         .expands = true,
                         .operands = {bits(3.0), bits(5.0)}}},
            {.symbol = "fma_rn_f64",
             .says = "fma.rn.f64",
             .measure = {.how = latency,
                         .sass = {"DFMA"},
                         .operands = {bits(1.0), bits(0.5), bits(2.0)},
                         .published = "fp64 fma dependent latency"}},
            {.symbol = "max_f64",
             .says = "max.f64: a comparison and two selections",
             .measure = {.how = latency,
                         .sass = {"DSETP.MAX.AND"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(5.0), bits(3.0)}}},
            {.symbol = "min_f64",
             .says = "min.f64: a comparison and two selections",
             .measure = {.how = latency,
                         .sass = {"DSETP.MIN.AND"},
                         .copies = 16,
                         .expands = true,
                         .operands = {bits(1.0), bits(3.0)}}},
            {.symbol = "mul_rn_f64",
             .says = "mul.rn.f64 by the next number above 1",
             .measure = {.how = latency,
                         .sass = {"DMUL"},
                         .operands = {bits(1.0), 0x3ff0000000000001}}},
            {.symbol = "rcp_rn_f64",
             .says = "rcp.rn.f64",
             .measure = {.how = latency,
                         .sass = {"MUFU.RCP64H"},
                         .copies = 8,
                         .expands = true,
                         .operands = {bits(3.0)}}},
            {.symbol = "sqrt_rn_f64",
             .says = "sqrt.rn.f64",
             .measure = {.how = latency,
                         .sass = {"MUFU.RSQ64H"},
                         .copies = 8,
                         .expands = true,
                         .operands = {bits(3.0)}}},
        },
});
#endif
