// SPDX-License-Identifier: Apache-2.0
// Question: how many int64 results does one SM deliver per cycle, and what does it take to get
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

extern "C" __global__ void __launch_bounds__(1024) add_s64(sample* out, const word* in) {
  time_streams<64, long long>(
      out, in, [](long long x, long long a, long long b) { return add_s64(add_s64(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) mad_lo_s64(sample* out, const word* in) {
  time_streams<64, long long>(
      out, in, [](long long x, long long a, long long b) { return mad_lo_s64(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) min_s64(sample* out, const word* in) {
  time_streams<64, long long>(out, in,
                              [](long long x, long long a, long long) { return min_s64(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_lo_s64(sample* out, const word* in) {
  time_streams<64, long long>(out, in,
                              [](long long x, long long a, long long) { return mul_lo_s64(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) popc_b64(sample* out, const word* in) {
  time_streams<64, word>(out, in, [](word x, word a, word) { return popc_b64(x) + a; });
}

extern "C" __global__ void __launch_bounds__(1024) shl_b64(sample* out, const word* in) {
  time_streams<64, word>(out, in,
                         [](word x, word a, word) { return shl_b64(x, static_cast<unsigned>(a)); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many int64 results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "add_s64",
             .says = "two add.s64, which ptxas makes one addition of three",
             .measure = {.how = throughput,
                         .sass = {"IADD3.X", "IADD3"},
                         .copies = 64,
                         .operands = {1, 3, 5}}},
            {.symbol = "mad_lo_s64",
             .says = "mad.lo.s64",
             .measure = {.how = throughput,
                         .sass = {"IMAD.WIDE.U32"},
                         .copies = 64,
                         .expands = true,
                         .operands = {1, 0x300000005, 7}}},
            {.symbol = "min_s64",
             .says = "min.s64: two comparisons and two selections",
             .measure = {.how = throughput,
                         .sass = {"SEL", "ISETP*"},
                         .per_copy = 2,
                         .copies = 64,
                         .operands = {1, 3}}},
            {.symbol = "mul_lo_s64",
             .says = "mul.lo.s64",
             .measure = {.how = throughput,
                         .sass = {"IMAD.WIDE.U32"},
                         .copies = 64,
                         .expands = true,
                         .operands = {1, 0x300000005}}},
            {.symbol = "popc_b64",
             .says = "popc.b64, taken back to 64 bits by an addition; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"POPC", "IADD3*", "IMAD.IADD", "VIADD", "IMAD.X"},
                         .per_copy = 2,
                         .copies = 64,
                         .operands = {1, 0x300000005}}},
            {.symbol = "shl_b64",
             .says = "shl.b64 by a register that holds 0",
             .measure = {.how = throughput,
                         .sass = {"SHF.L.U64.HI", "SHF.L.U32"},
                         .copies = 64,
                         .operands = {0x300000005, 0}}},
        },
});
#endif
