// SPDX-License-Identifier: Apache-2.0
// Question: how many fp32 results does one SM deliver per cycle, and what does it take to get
// there?
//
// Method: 1, 2, 4 and 8 independent streams of copies in 1 to 32 warps of one SM; from the first
// warp's start to the last one's end, at two lengths; the slope gives copies per cycle.
//
// Expectation: fma reaches 128 per cycle and SM, at one stream from 16 warps on; a MUFU 16.
//
// Threats: all operands of a stream but one are shared, so the operand reuse cache helps.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/streams.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) abs_f32(sample* out, const word* in) {
  time_streams<256, float>(out, in,
                          [](float x, float a, float) { return __fadd_rn(abs_f32(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) add_rn_f32(sample* out, const word* in) {
  time_streams<256, float>(out, in, [](float x, float a, float) { return __fadd_rn(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) cos_approx_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return cos_approx_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) cosf_small(sample* out, const word* in) {
  time_streams<8, float>(out, in, [](float x, float, float) { return cosf(x); });
}

extern "C" __global__ void __launch_bounds__(1024) div_approx_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return div_approx_f32(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) div_full_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return div_full_f32(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) div_rn_f32(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float a, float) { return __fdiv_rn(a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) ex2_approx_ftz_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return ex2_approx_ftz_f32(-x); });
}

extern "C" __global__ void __launch_bounds__(1024) expf_small(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return expf(-x); });
}

extern "C" __global__ void __launch_bounds__(1024) fast_cosf(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return __cosf(x); });
}

extern "C" __global__ void __launch_bounds__(1024) fast_expf(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return __expf(-x); });
}

extern "C" __global__ void __launch_bounds__(1024) fast_logf(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return __fadd_rn(__logf(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) fast_sinf(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return __sinf(x); });
}

extern "C" __global__ void __launch_bounds__(1024) fma_rn_f32(sample* out, const word* in) {
  time_streams<256, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}

extern "C" __global__ void __launch_bounds__(1024) fmodf_small(sample* out, const word* in) {
  time_streams<8, float>(out, in,
                         [](float x, float a, float b) { return __fadd_rn(fmodf(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) lg2_approx_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in,
                          [](float x, float a, float) { return __fadd_rn(lg2_approx_f32(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) lg2_approx_ftz_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in,
                          [](float x, float, float) { return lg2_approx_ftz_f32(abs_f32(x)); });
}

extern "C" __global__ void __launch_bounds__(1024) logf_small(sample* out, const word* in) {
  time_streams<16, float>(out, in, [](float x, float a, float) { return __fadd_rn(logf(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) max_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return max_f32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) min_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float) { return min_f32(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) min_max_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in,
                          [](float x, float a, float b) { return max_f32(min_f32(x, a), b); });
}

extern "C" __global__ void __launch_bounds__(1024) mul_rn_f32(sample* out, const word* in) {
  time_streams<256, float>(out, in, [](float x, float a, float) { return __fmul_rn(x, a); });
}

extern "C" __global__ void __launch_bounds__(1024) rcp_approx_f32(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return rcp_approx_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) rcp_approx_ftz_f32(sample* out, const word* in) {
  time_streams<64, float>(
      out, in, [](float x, float a, float) { return __fadd_rn(rcp_approx_ftz_f32(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) rcp_rn_f32(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return __frcp_rn(x); });
}

extern "C" __global__ void __launch_bounds__(1024)
    rsqrt_approx_ftz_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return rsqrt_approx_ftz_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sin_approx_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return sin_approx_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sinf_large(sample* out, const word* in) {
  time_streams<8, float>(out, in, [](float x, float a, float) { return __fadd_rn(sinf(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024) sinf_small(sample* out, const word* in) {
  time_streams<8, float>(out, in, [](float x, float a, float) { return __fadd_rn(sinf(x), a); });
}

extern "C" __global__ void __launch_bounds__(1024)
    sqrt_approx_ftz_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return sqrt_approx_ftz_f32(x); });
}

extern "C" __global__ void __launch_bounds__(1024) sqrt_rn_f32(sample* out, const word* in) {
  time_streams<32, float>(out, in, [](float x, float, float) { return __fsqrt_rn(x); });
}

extern "C" __global__ void __launch_bounds__(1024) tanh_approx_f32(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float, float) { return tanh_approx_f32(x); });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL(
    {
        .question = "How many fp32 results does one SM deliver per cycle?",
        .variants =
            {
                {.symbol = "abs_f32",
                 .says = "abs.f32 and add.rn.f32: abs is a modifier of the operand",
                 .measure = {.how = throughput,
                             .sass = {"FADD"},
                             .copies = 256,
                             .operands = {bits(1.0F), bits(0.5F)}}},
                {.symbol = "add_rn_f32",
                 .says = "add.rn.f32",
                 .measure = {.how = throughput,
                             .sass = {"FADD"},
                             .copies = 256,
                             .operands = {bits(1.0F), bits(0.5F)}}},
                {.symbol = "cos_approx_f32",
                 .says = "cos.approx.f32: a scaling and the function; one copy is the pair",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.COS", "FMUL.RZ"},
                             .copies = 64,
                             .operands = {bits(1.0F)}}},
                {.symbol = "cosf_small",
                 .says = "cosf, arguments below 1",
                 .measure = {.how = throughput,
                             .sass = {"F2I.NTZ"},
                             .copies = 8,
                             .expands = true,
                             .operands = {bits(1.0F)}}},
                {.symbol = "div_approx_f32",
                 .says = "div.approx.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP"},
                             .copies = 64,
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "div_full_f32",
                 .says = "div.full.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP"},
                             .copies = 64,
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "div_rn_f32",
                 .says = "div.rn.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP"},
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "ex2_approx_ftz_f32",
                 .says = "ex2.approx.ftz.f32 of the negated value, which is free",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.EX2"},
                             .copies = 64,
                             .operands = {bits(1.0F)},
                             .published = "special function (MUFU) throughput nominal"}},
                {.symbol = "expf_small",
                 .says = "expf",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.EX2"},
                             .expands = true,
                             .operands = {bits(1.0F)}}},
                {.symbol = "fast_cosf",
                 .says = "__cosf: cos.approx.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.COS", "FMUL.RZ"},
                             .copies = 64,
                             .operands = {bits(1.0F)}}},
                {.symbol = "fast_expf",
                 .says = "__expf: scaled on both sides of ex2",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.EX2"},
                             .copies = 64,
                             .expands = true,
                             .operands = {bits(1.0F)}}},
                {.symbol = "fast_logf",
                 .says = "__logf and an addition",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.LG2"},
                             .copies = 64,
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "fast_sinf",
                 .says = "__sinf: sin.approx.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.SIN", "FMUL.RZ"},
                             .copies = 64,
                             .operands = {bits(1.0F)}}},
                {.symbol = "fma_rn_f32",
                 .says = "fma.rn.f32",
                 .measure = {.how = throughput,
                             .sass = {"FFMA"},
                             .copies = 256,
                             .operands = {bits(1.0F), bits(0.5F), bits(2.0F)},
                             .published = "fp32 FMA lanes nominal"}},
                {.symbol = "fmodf_small",
                 .says = "fmodf and an addition, quotients of a few units",
                 .measure = {.how = throughput,
                             .sass = {"FFMA.RZ"},
                             .copies = 8,
                             .expands = true,
                             .operands = {bits(5.5F), bits(1.5F), bits(4.0F)}}},
                {.symbol = "lg2_approx_f32",
                 .says = "lg2.approx.f32 and an addition: scaled where the value is subnormal",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.LG2"},
                             .copies = 64,
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "lg2_approx_ftz_f32",
                 .says = "lg2.approx.ftz.f32 of the absolute value, which is free",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.LG2"},
                             .copies = 64,
                             .operands = {bits(3.0F)}}},
                {.symbol = "logf_small",
                 .says = "logf and an addition",
                 .measure = {.how = throughput,
                             .sass = {"I2FP.F32.S32"},
                             .copies = 16,
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "max_f32",
                 .says = "max.f32",
                 .measure = {.how = throughput,
                             .sass = {"FMNMX"},
                             .copies = 64,
                             .operands = {bits(9.0F), bits(7.0F)}}},
                {.symbol = "min_f32",
                 .says = "min.f32",
                 .measure = {.how = throughput,
                             .sass = {"FMNMX"},
                             .copies = 64,
                             .operands = {bits(1.0F), bits(7.0F)}}},
                {.symbol = "min_max_f32",
                 .says = "min.f32 and max.f32 by turns, which do not fold; one copy is the pair",
                 .measure = {.how = throughput,
                             .sass = {"FMNMX"},
                             .per_copy = 2,
                             .copies = 64,
                             .operands = {bits(1.0F), bits(7.0F), bits(3.0F)}}},
                {.symbol = "mul_rn_f32",
                 .says = "mul.rn.f32 by the next number above 1",
                 .measure = {.how = throughput,
                             .sass = {"FMUL"},
                             .copies = 256,
                             .operands = {bits(1.0F), 0x3f800001}}},
                {.symbol = "rcp_approx_f32",
                 .says = "rcp.approx.f32: scaled where the value is subnormal or huge",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP"},
                             .expands = true,
                             .operands = {bits(3.0F)}}},
                {.symbol = "rcp_approx_ftz_f32",
                 .says = "rcp.approx.ftz.f32 and an addition against folding; one copy is the pair",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP", "FADD"},
                             .copies = 64,
                             .operands = {bits(1.0F), bits(0.5F)}}},
                {.symbol = "rcp_rn_f32",
                 .says = "rcp.rn.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RCP"},
                             .expands = true,
                             .operands = {bits(3.0F)}}},
                {.symbol = "rsqrt_approx_ftz_f32",
                 .says = "rsqrt.approx.ftz.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RSQ"},
                             .copies = 64,
                             .operands = {bits(3.0F)}}},
                {.symbol = "sin_approx_f32",
                 .says = "sin.approx.f32: a scaling and the function; one copy is the pair",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.SIN", "FMUL.RZ"},
                             .copies = 64,
                             .operands = {bits(1.0F)}}},
                {.symbol = "sinf_large",
                 .says = "sinf and an addition, arguments above 105615: Payne and Hanek reduction "
                         "through local memory",
                 .measure = {.how = throughput,
                             .sass = {"F2I.NTZ"},
                             .copies = 8,
                             .expands = true,
                             .operands = {bits(200000.0F), bits(200000.0F)}}},
                {.symbol = "sinf_small",
                 .says = "sinf and an addition, arguments around 1: the reduction is three fma",
                 .measure = {.how = throughput,
                             .sass = {"F2I.NTZ"},
                             .copies = 8,
                             .expands = true,
                             .operands = {bits(1.0F), bits(0.5F)}}},
                {.symbol = "sqrt_approx_ftz_f32",
                 .says = "sqrt.approx.ftz.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.SQRT"},
                             .copies = 64,
                             .operands = {bits(3.0F)}}},
                {.symbol = "sqrt_rn_f32",
                 .says = "sqrt.rn.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.RSQ"},
                             .expands = true,
                             .operands = {bits(3.0F)}}},
                {.symbol = "tanh_approx_f32",
                 .says = "tanh.approx.f32",
                 .measure = {.how = throughput,
                             .sass = {"MUFU.TANH"},
                             .copies = 64,
                             .operands = {bits(1.0F)}}},
            },
    });
#endif
