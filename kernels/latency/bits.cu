// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a bit result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: logic, shifts and prmt take four to six cycles; popc, brev and bfind run at a sixth
// of that speed on their own unit.
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

extern "C" __global__ void and_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(and_b32(x, a), b); });
}

extern "C" __global__ void bfe_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned b) { return bfe_u32(x, a, b); });
}

extern "C" __global__ void bfi_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned b) { return bfi_b32(x, a, b, b); });
}

extern "C" __global__ void bfind_u32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return bfind_u32(x); });
}

extern "C" __global__ void brev_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return brev_b32(x); });
}

extern "C" __global__ void clz_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return clz_b32(x); });
}

extern "C" __global__ void lop3_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return lop3_b32<0x6a>(x, a, b); });
}

extern "C" __global__ void or_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(or_b32(x, a), b); });
}

extern "C" __global__ void popc_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) { return popc_b32(x); });
}

extern "C" __global__ void prmt_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned b) { return prmt_b32(x, a, b); });
}

extern "C" __global__ void shf_l_wrap_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return shf_l_wrap_b32(x, a, b); });
}

extern "C" __global__ void shf_r_clamp_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return shf_r_clamp_b32(x, a, b); });
}

extern "C" __global__ void shl_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned a, unsigned) { return shl_b32(x, a); });
}

extern "C" __global__ void shr_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return shr_s32(x, a); });
}

extern "C" __global__ void xor_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(
      out, in, [](unsigned x, unsigned a, unsigned b) { return add_s32(xor_b32(x, a), b); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a bit result?",
    .variants =
        {
            {.symbol = "and_b32",
             .says = "and.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {1, 0xff, 5}}},
            {.symbol = "bfe_u32",
             .says = "bfe.u32 with position and length in registers: a shift and a mask",
             .measure = {.how = latency,
                         .sass = {"SGXT.U32"},
                         .expands = true,
                         .operands = {0x1234, 0, 32}}},
            {.symbol = "bfi_b32",
             .says = "bfi.b32 with position and length in a register: no instruction of its own",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT"},
                         .expands = true,
                         .operands = {0x1234, 0x5678, 4}}},
            {.symbol = "bfind_u32",
             .says = "bfind.u32",
             .measure = {.how = latency, .sass = {"FLO.U32"}, .operands = {0xffff}}},
            {.symbol = "brev_b32",
             .says = "brev.b32",
             .measure = {.how = latency, .sass = {"BREV"}, .operands = {0xffff}}},
            {.symbol = "clz_b32",
             .says = "clz.b32, which is 31 less the highest bit: one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"FLO.U32", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {0xffff}}},
            {.symbol = "lop3_b32",
             .says = "lop3.b32 with the table of a ^ (b & c)",
             .measure = {.how = latency, .sass = {"LOP3.LUT"}, .operands = {1, 0xff, 0x3c}}},
            {.symbol = "or_b32",
             .says = "or.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {1, 0xff, 5}}},
            {.symbol = "popc_b32",
             .says = "popc.b32",
             .measure = {.how = latency, .sass = {"POPC"}, .operands = {0xffff}}},
            {.symbol = "prmt_b32",
             .says = "prmt.b32",
             .measure = {.how = latency,
                         .sass = {"PRMT"},
                         .operands = {0x12345678, 0x9abcdef0, 0x2107}}},
            {.symbol = "shf_l_wrap_b32",
             .says = "shf.l.wrap.b32",
             .measure = {.how = latency, .sass = {"SHF.L.W.U32.HI"}, .operands = {1, 3, 5}}},
            {.symbol = "shf_r_clamp_b32",
             .says = "shf.r.clamp.b32",
             .measure = {.how = latency, .sass = {"SHF.R.U32"}, .operands = {1, 0xabcdef, 5}}},
            {.symbol = "shl_b32",
             .says = "shl.b32 by a register that holds 0",
             .measure = {.how = latency, .sass = {"SHF.L.U32"}, .operands = {1, 0}}},
            {.symbol = "shr_s32",
             .says = "shr.s32 by a register that holds 0",
             .measure = {.how = latency, .sass = {"SHF.R.S32.HI"}, .operands = {1, 0}}},
            {.symbol = "xor_b32",
             .says = "xor.b32 and an addition against folding; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT", "IADD3*", "IMAD.IADD", "VIADD"},
                         .operands = {1, 0xff, 5}}},
        },
});
#endif
