// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use an int64 result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: each of them is a sequence of 32-bit instructions; only its sum is measured.
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

extern "C" __global__ void add_s64(sample* out, const word* in) {
  time_chain<32, long long>(
      out, in, [](long long x, long long a, long long b) { return add_s64(add_s64(x, a), b); });
}

extern "C" __global__ void mad_lo_s64(sample* out, const word* in) {
  time_chain<32, long long>(
      out, in, [](long long x, long long a, long long b) { return mad_lo_s64(x, a, b); });
}

extern "C" __global__ void mad_lo_s64_addend(sample* out, const word* in) {
  time_chain<32, long long>(
      out, in, [](long long x, long long a, long long b) { return mad_lo_s64(a, b, x); });
}

extern "C" __global__ void min_s64(sample* out, const word* in) {
  time_chain<32, long long>(out, in,
                            [](long long x, long long a, long long) { return min_s64(x, a); });
}

extern "C" __global__ void mul_lo_s64(sample* out, const word* in) {
  time_chain<32, long long>(out, in,
                            [](long long x, long long a, long long) { return mul_lo_s64(x, a); });
}

extern "C" __global__ void popc_b64(sample* out, const word* in) {
  time_chain<32, word>(out, in, [](word x, word a, word) { return popc_b64(x) + a; });
}

extern "C" __global__ void shl_b64(sample* out, const word* in) {
  time_chain<32, word>(out, in,
                       [](word x, word a, word) { return shl_b64(x, static_cast<unsigned>(a)); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use an int64 result?",
    .variants =
        {
            {.symbol = "add_s64",
             .says = "two add.s64, which ptxas makes one addition of three",
             .measure = {.how = latency, .sass = {"IADD3.X", "IADD3"}, .operands = {1, 3, 5}}},
            {.symbol = "mad_lo_s64",
             .says = "mad.lo.s64",
             .measure = {.how = latency,
                         .sass = {"IMAD.WIDE.U32"},
                         .expands = true,
                         .operands = {1, 0x300000005, 7},
                         .published = "int64 mad.lo dependent latency"}},
            {.symbol = "mad_lo_s64_addend",
             .says = "mad.lo.s64, chained through the addend",
             .measure = {.how = latency,
                         .sass = {"IMAD.WIDE.U32"},
                         .expands = true,
                         .operands = {1, 0x300000005, 7},
                         .published = "int64 mad.lo dependent latency"}},
            {.symbol = "min_s64",
             .says = "min.s64: two comparisons and two selections",
             .measure =
                 {.how = latency, .sass = {"SEL", "ISETP*"}, .per_copy = 2, .chained = 1, .operands = {1, 3}}},
            {.symbol = "mul_lo_s64",
             .says = "mul.lo.s64",
             .measure = {.how = latency,
                         .sass = {"IMAD.WIDE.U32"},
                         .expands = true,
                         .operands = {1, 0x300000005}}},
            {.symbol = "popc_b64",
             .says = "popc.b64, taken back to 64 bits by an addition; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"POPC", "IADD3*", "IMAD.IADD", "VIADD", "IMAD.X"},
                         .per_copy = 2, .chained = 1,
                         .operands = {1, 0x300000005}}},
            {.symbol = "shl_b64",
             .says = "shl.b64 by a register that holds 0",
             .measure = {.how = latency,
                         .sass = {"SHF.L.U64.HI", "SHF.L.U32"},
                         .operands = {0x300000005, 0}}},
        },
});
#endif
