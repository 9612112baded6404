// SPDX-License-Identifier: Apache-2.0
// Question: after how many cycles can the next instruction use a conversion result?
//
// Method: N, 2N and 4N copies, each fed by the one before, in one warp; the slope is the latency.
//
// Expectation: conversions between register sizes run on the slow unit; those that only rename
// registers are gone.
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

extern "C" __global__ void cvt_f16_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float, float) { return cvt_f16_f32_and_back(x); });
}

extern "C" __global__ void cvt_f64_f32(sample* out, const word* in) {
  time_chain<32, double>(out, in,
                         [](double x, double, double) { return cvt_f64_f32(cvt_rn_f32_f64(x)); });
}

extern "C" __global__ void cvt_pack_sat_s16_s32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return cvt_pack_sat_s16_s32(x, a); });
}

extern "C" __global__ void cvt_rn_f16x2_f32(sample* out, const word* in) {
  time_chain<32, float>(
      out, in, [](float x, float a, float) { return __uint_as_float(cvt_rn_f16x2_f32(x, a)); });
}

extern "C" __global__ void cvt_rni_f32_f32(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float, float) { return cvt_rni_f32_f32(x); });
}

extern "C" __global__ void cvt_s32_f32(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int, int) { return cvt_rni_s32_f32(cvt_rn_f32_s32(x)); });
}

extern "C" __global__ void cvt_s32_f64(sample* out, const word* in) {
  time_chain<32, double>(
      out, in, [](double x, double, double) { return __int2double_rn(__double2int_rz(x)); });
}

extern "C" __global__ void cvt_s64_f64(sample* out, const word* in) {
  time_chain<32, long long>(
      out, in, [](long long x, long long, long long) { return __double2ll_rn(__ll2double_rn(x)); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "After how many cycles can the next instruction use a conversion result?",
    .variants =
        {
            {.symbol = "cvt_f16_f32",
             .says = "cvt.rn.f16.f32 and cvt.f32.f16, one copy is the pair; of two streams one "
                     "F2FP packs both",
             .measure = {.how = latency,
                         .sass = {"F2FP.F16*", "HADD2.F32"},
                         .operands = {bits(1.5F)}}},
            {.symbol = "cvt_f64_f32",
             .says = "cvt.rn.f32.f64 and cvt.f64.f32; one copy is the pair",
             .measure = {.how = latency,
                         .sass = {"F2F.F64.F32", "F2F.F32.F64"},
                         .operands = {bits(1.0)}}},
            {.symbol = "cvt_pack_sat_s16_s32",
             .says = "cvt.pack.sat.s16.s32",
             .measure = {.how = latency, .sass = {"I2IP.S16.S32.SAT"}, .operands = {1, 3}}},
            {.symbol = "cvt_rn_f16x2_f32",
             .says = "cvt.rn.f16x2.f32, its bits taken for the next value",
             .measure = {.how = latency,
                         .sass = {"F2FP.F16.F32.PACK_AB"},
                         .operands = {bits(1.0F), bits(2.0F)}}},
            {.symbol = "cvt_rni_f32_f32",
             .says = "cvt.rni.f32.f32",
             .measure = {.how = latency, .sass = {"FRND"}, .operands = {bits(1.5F)}}},
            {.symbol = "cvt_s32_f32",
             .says = "cvt.rn.f32.s32 and cvt.rni.s32.f32; one copy is the pair",
             .measure = {.how = latency, .sass = {"F2I*", "I2FP*"}, .operands = {1000}}},
            {.symbol = "cvt_s32_f64",
             .says = "cvt.rzi.s32.f64 and cvt.rn.f64.s32; one copy is the pair",
             .measure = {.how = latency, .sass = {"F2I*", "I2F*"}, .operands = {bits(1000.0)}}},
            {.symbol = "cvt_s64_f64",
             .says = "cvt.rn.f64.s64 and cvt.rni.s64.f64; one copy is the pair",
             .measure = {.how = latency, .sass = {"F2I*", "I2F*"}, .operands = {1000}}},
        },
});
#endif
