// SPDX-License-Identifier: Apache-2.0
// Question: how many bit results does one SM deliver per cycle, and what does it take to get
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

extern "C" __global__ void __launch_bounds__(1024) and_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(and_b32(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) bfe_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned b) { return bfe_u32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) bfi_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return bfi_b32(x, a, b, b); });
}

extern "C" __global__ void __launch_bounds__(1024) bfind_u32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return bfind_u32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) brev_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return brev_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) clz_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return clz_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) lop3_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return lop3_b32<0x6a>(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) or_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(or_b32(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) popc_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return popc_b32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) prmt_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned b) { return prmt_b32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) shf_l_wrap_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return shf_l_wrap_b32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) shf_r_clamp_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return shf_r_clamp_b32(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) shl_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(out, in,
                             [](unsigned x, unsigned a, unsigned) { return shl_b32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) shr_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return shr_s32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) xor_b32(sample* out, const word* in) {
  time_streams<64, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(xor_b32(x, a), b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "How many bit results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "and_b32",
             .says = "and.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .operands = {1, 0xff, 5}}},
            {.symbol = "bfe_u32",
             .says = "bfe.u32 with position and length in registers: a shift and a mask",
             .measure = {.how = throughput,
                         .sass = {"SGXT.U32"},
                         .copies = 64,
                         .expands = true,
                         .operands = {0x1234, 0, 32}}},
            {.symbol = "bfi_b32",
             .says = "bfi.b32 with position and length in a register: no instruction of its own",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT"},
                         .copies = 64,
                         .expands = true,
                         .operands = {0x1234, 0x5678, 4}}},
            {.symbol = "bfind_u32",
             .says = "bfind.u32",
             .measure =
                 {.how = throughput, .sass = {"FLO.U32"}, .copies = 64, .operands = {0xffff}}},
            {.symbol = "brev_b32",
             .says = "brev.b32",
             .measure = {.how = throughput, .sass = {"BREV"}, .copies = 64, .operands = {0xffff}}},
            {.symbol = "clz_b32",
             .says = "clz.b32, which is 31 less the highest bit: one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"FLO.U32", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .operands = {0xffff}}},
            {.symbol = "lop3_b32",
             .says = "lop3.b32 with the table of a ^ (b & c)",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT"},
                         .copies = 64,
                         .operands = {1, 0xff, 0x3c}}},
            {.symbol = "or_b32",
             .says = "or.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .operands = {1, 0xff, 5}}},
            {.symbol = "popc_b32",
             .says = "popc.b32",
             .measure = {.how = throughput,
                         .sass = {"POPC"},
                         .copies = 64,
                         .operands = {0xffff},
                         .published = "popc clz bfind brev throughput nominal"}},
            {.symbol = "prmt_b32",
             .says = "prmt.b32",
             .measure = {.how = throughput,
                         .sass = {"PRMT"},
                         .copies = 64,
                         .operands = {0x12345678, 0x9abcdef0, 0x2107}}},
            {.symbol = "shf_l_wrap_b32",
             .says = "shf.l.wrap.b32",
             .measure = {.how = throughput,
                         .sass = {"SHF.L.W.U32.HI"},
                         .copies = 64,
                         .operands = {1, 3, 5}}},
            {.symbol = "shf_r_clamp_b32",
             .says = "shf.r.clamp.b32",
             .measure = {.how = throughput,
                         .sass = {"SHF.R.U32"},
                         .copies = 64,
                         .operands = {1, 0xabcdef, 5}}},
            {.symbol = "shl_b32",
             .says = "shl.b32 by a register that holds 0",
             .measure =
                 {.how = throughput, .sass = {"SHF.L.U32"}, .copies = 64, .operands = {1, 0}}},
            {.symbol = "shr_s32",
             .says = "shr.s32 by a register that holds 0",
             .measure =
                 {.how = throughput, .sass = {"SHF.R.S32.HI"}, .copies = 64, .operands = {1, 0}}},
            {.symbol = "xor_b32",
             .says = "xor.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .copies = 64,
                         .operands = {1, 0xff, 5}}},
        },
});
#endif
