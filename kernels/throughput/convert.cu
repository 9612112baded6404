// SPDX-License-Identifier: Apache-2.0
// Question: how many conversion results does one SM deliver per cycle, and what does it take to
// get there?
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

extern "C" __global__ void __launch_bounds__(1024) cvt_f16_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return cvt_f16_f32_and_back(x); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_f64_f32(sample* out, const word* in) {
  time_streams<64, double>(out, in,
                           [](double x, double, double) { return cvt_f64_f32(cvt_rn_f32_f64(x)); });
}

extern "C" __global__ void __launch_bounds__(1024)
    cvt_pack_sat_s16_s32(sample* out, const word* in) {
  time_streams<64, int>(out, in, [](int x, int a, int) { return cvt_pack_sat_s16_s32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_rn_f16x2_f32(sample* out, const word* in) {
  time_streams<64, float>(
      out, in, [](float x, float a, float) { return __uint_as_float(cvt_rn_f16x2_f32(x, a)); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_rni_f32_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return cvt_rni_f32_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_s32_f32(sample* out, const word* in) {
  time_streams<64, int>(out, in,
                        [](int x, int, int) { return cvt_rni_s32_f32(cvt_rn_f32_s32(x)); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_s32_f64(sample* out, const word* in) {
  time_streams<64, double>(
      out, in, [](double x, double, double) { return __int2double_rn(__double2int_rz(x)); });
}

extern "C" __global__ void __launch_bounds__(1024) cvt_s64_f64(sample* out, const word* in) {
  time_streams<64, long long>(
      out, in, [](long long x, long long, long long) { return __double2ll_rn(__ll2double_rn(x)); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "How many conversion results does one SM deliver per cycle?",
    .variants =
        {
            {.symbol = "cvt_f16_f32",
             .says = "cvt.rn.f16.f32 and cvt.f32.f16, one copy is the pair; of two streams one "
                     "F2FP packs both",
             .measure = {.how = throughput,
                         .sass = {"HADD2.F32"},
                         .copies = 64,
                         .expands = true,
                         .operands = {bits(1.5F)}}},
            {.symbol = "cvt_f64_f32",
             .says = "cvt.rn.f32.f64 and cvt.f64.f32; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"F2F.F64.F32", "F2F.F32.F64"},
                         .copies = 64,
                         .operands = {bits(1.0)}}},
            {.symbol = "cvt_pack_sat_s16_s32",
             .says = "cvt.pack.sat.s16.s32",
             .measure = {.how = throughput,
                         .sass = {"I2IP.S16.S32.SAT"},
                         .copies = 64,
                         .operands = {1, 3}}},
            {.symbol = "cvt_rn_f16x2_f32",
             .says = "cvt.rn.f16x2.f32, its bits taken for the next value",
             .measure = {.how = throughput,
                         .sass = {"F2FP.F16.F32.PACK_AB"},
                         .copies = 64,
                         .operands = {bits(1.0F), bits(2.0F)}}},
            {.symbol = "cvt_rni_f32_f32",
             .says = "cvt.rni.f32.f32",
             .measure =
                 {.how = throughput, .sass = {"FRND"}, .copies = 64, .operands = {bits(1.5F)}}},
            {.symbol = "cvt_s32_f32",
             .says = "cvt.rn.f32.s32 and cvt.rni.s32.f32; one copy is the pair",
             .measure =
                 {.how = throughput, .sass = {"F2I*", "I2FP*"}, .copies = 64, .operands = {1000}}},
            {.symbol = "cvt_s32_f64",
             .says = "cvt.rzi.s32.f64 and cvt.rn.f64.s32; one copy is the pair",
             .measure = {.how = throughput,
                         .sass = {"F2I*", "I2F*"},
                         .copies = 64,
                         .operands = {bits(1000.0)}}},
            {.symbol = "cvt_s64_f64",
             .says = "cvt.rn.f64.s64 and cvt.rni.s64.f64; one copy is the pair",
             .measure =
                 {.how = throughput, .sass = {"F2I*", "I2F*"}, .copies = 64, .operands = {1000}}},
        },
});
#endif
