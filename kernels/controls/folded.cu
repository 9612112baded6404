// SPDX-License-Identifier: Apache-2.0
// Question: which instructions leave nothing to time, however often they are written?
//
// Method: the same chains as in latency/, with one instruction alone in each copy; the gate counts
// what is left between the clock reads.
//
// Expectation: two additions are one of three operands; what is its own inverse is gone; what does
// not change is computed once; modifiers of operands cost nothing. A benchmark that prints a
// number for one of them has timed something else.
//
// Threats: another version of nvcc or ptxas may fold less, and then the declaration fails.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/timing.cuh"
#include "ptx/device/warp.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static __device__ __forceinline__ unsigned warpid_now() {
  unsigned id;
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(id)::"memory");
  return id;
}

extern "C" __global__ void abs_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int) { return abs_s32(x); });
}

extern "C" __global__ void activemask_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return x + activemask_b32(); });
}

extern "C" __global__ void add_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return add_s32(x, a); });
}

extern "C" __global__ void bar_warp_sync(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned, unsigned) {
    bar_warp_sync();
    return x;
  });
}

extern "C" __global__ void cvt_f64_f32_as_casts(sample* out, const word* in) {
  time_chain<32, double>(
      out, in, [](double x, double, double) { return static_cast<double>(static_cast<float>(x)); });
}

extern "C" __global__ void cvt_s64_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int) {
    return static_cast<int>(cvt_u32_u64(static_cast<word>(cvt_s64_s32(x))));
  });
}

extern "C" __global__ void elect_sync(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return elect_sync_selp(x, a); });
}

extern "C" __global__ void fminf_same(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) { return fminf(x, a); });
}

extern "C" __global__ void min_f16x2(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned) { return min_f16x2(x, a); });
}

extern "C" __global__ void neg_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float, float) { return neg_f32(x); });
}

extern "C" __global__ void neg_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int) { return neg_s32(x); });
}

extern "C" __global__ void rcp_approx_ftz_f32_alone(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float, float) { return rcp_approx_ftz_f32(x); });
}

extern "C" __global__ void read_warpid(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned, unsigned) { return warpid_now() ^ x; });
}

extern "C" __global__ void sub_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return sub_s32(a, x); });
}

extern "C" __global__ void xor_b32(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in, [](unsigned x, unsigned a, unsigned) { return xor_b32(x, a); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "Which instructions leave nothing to time, however often they are written?",
    .variants =
        {
            {.symbol = "abs_s32",
             .says = "abs.s32 alone: abs of abs is one abs",
             .measure = {.how = latency,
                         .sass = {"IABS"},
                         .operands = {1},
                         .refused = "1 of IABS stand in the timed region"}},
            {.symbol = "activemask_b32",
             .says = "activemask.b32: read once for the whole region",
             .measure = {.how = latency,
                         .sass = {"VOTE.ANY"},
                         .operands = {1},
                         .refused = "1 of VOTE.ANY stand in the timed region"}},
            {.symbol = "add_s32",
             .says = "one add.s32 a copy: ptxas makes one IADD3 of two copies",
             .measure = {.how = latency,
                         .sass = {"IADD3"},
                         .operands = {1, 3},
                         .refused = "16 of IADD3 stand in the timed region, not 32"}},
            {.symbol = "bar_warp_sync",
             .says = "bar.warp.sync of the whole warp: a NOP is left of it",
             .measure = {.how = rounds,
                         .sass = {"WARPSYNC*"},
                         .operands = {1},
                         .refused = "0 of WARPSYNC* stand in the timed region"}},
            {.symbol = "cvt_f64_f32_as_casts",
             .says = "cvt.rn.f32.f64 and cvt.f64.f32 as casts: nvcc sees that the second pair "
                     "changes nothing",
             .measure = {.how = latency,
                         .sass = {"F2F.F64.F32"},
                         .operands = {bits(1.0)},
                         .refused = "1 of F2F.F64.F32 stand in the timed region"}},
            {.symbol = "cvt_s64_s32",
             .says = "cvt.s64.s32 and cvt.u32.u64: registers are only renamed",
             .measure = {.how = latency,
                         .sass = {"I*"},
                         .operands = {1},
                         .refused = "0 of I* stand in the timed region"}},
            {.symbol = "elect_sync",
             .says = "elect.sync of the whole warp and selp.u32: elected once for the whole region",
             .measure = {.how = latency,
                         .sass = {"ELECT"},
                         .operands = {1, 3},
                         .refused = "1 of ELECT stand in the timed region"}},
            {.symbol = "fminf_same",
             .says = "fminf: nvcc knows that min of min with the same is one min",
             .measure = {.how = latency,
                         .sass = {"FMNMX"},
                         .operands = {bits(1.0F), bits(7.0F)},
                         .refused = "1 of FMNMX stand in the timed region"}},
            {.symbol = "min_f16x2",
             .says = "min.f16x2 alone: ptxas makes one VHMNMX of two copies",
             .measure = {.how = latency,
                         .sass = {"VHMNMX"},
                         .operands = {0x3c003c00, 0x44004400},
                         .refused = "16 of VHMNMX stand in the timed region, not 32"}},
            {.symbol = "neg_f32",
             .says = "neg.f32: two of them are none",
             .measure = {.how = latency,
                         .sass = {"F*"},
                         .operands = {bits(1.0F)},
                         .refused = "0 of F* stand in the timed region"}},
            {.symbol = "neg_s32",
             .says = "neg.s32: two of them are none, and one is a modifier of the next operand",
             .measure = {.how = latency,
                         .sass = {"I*"},
                         .operands = {1},
                         .refused = "0 of I* stand in the timed region"}},
            {.symbol = "rcp_approx_ftz_f32_alone",
             .says = "rcp.approx.ftz.f32 alone: ptxas takes rcp of rcp for the value itself",
             .measure = {.how = latency,
                         .sass = {"MUFU.RCP"},
                         .operands = {bits(3.0F)},
                         .refused = "0 of MUFU.RCP stand in the timed region"}},
            {.symbol = "read_warpid",
             .says = "mov of %warpid: no read waits for another, so this has no latency",
             .measure = {.how = rounds,
                         .sass = {"S2*R"},
                         .expands = true,
                         .operands = {1},
                         .refused = "does not order itself"}},
            {.symbol = "sub_s32",
             .says = "a - x, whose next copy takes it back: ptxas leaves nothing of either",
             .measure = {.how = latency,
                         .sass = {"IADD3"},
                         .operands = {1, 3},
                         .refused = "0 of IADD3 stand in the timed region"}},
            {.symbol = "xor_b32",
             .says = "xor.b32 alone: the next copy takes it back",
             .measure = {.how = latency,
                         .sass = {"LOP3.LUT"},
                         .operands = {1, 0xff},
                         .refused = "1 of LOP3.LUT stand in the timed region"}},
        },
});
#endif
