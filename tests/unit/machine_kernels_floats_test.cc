// SPDX-License-Identifier: Apache-2.0
// References of the kernels that time one conversion or floating-point instruction, after PTX ISA
// 9.0 and, of calls to the CUDA math library, after the C++ function of the same name in double
// with the error that the CUDA C++ Programming Guide documents ("Mathematical Functions").
#include <cmath>

#include "tests/unit/machine/half_step.hpp"
#include "tests/unit/machine/step_registration.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using s64 = std::int64_t;

// --- conversions ---------------------------------------------------------------------------------

s32 saturated16(s32 x) {
  return std::clamp(x, -32768, 32767);
}

const step_registration conversions[] = {
    {"convert/cvt_f16_f32", each<float>([](float x, float, float) {
       return decoded_half(encoded_half(static_cast<double>(x), f16), f16);
     })},
    {"convert/cvt_f64_f32",
     each<double>([](double x, double, double) { return static_cast<float>(x); })},
    // a goes to the upper half.
    {"convert/cvt_pack_sat_s16_s32", each<s32>([](s32 x, s32 a, s32) {
       return static_cast<u32>(saturated16(x)) << 16 | (static_cast<u32>(saturated16(a)) & 0xffff);
     })},
    {"convert/cvt_rn_f16x2_f32", each<float>([](float x, float a, float) {
       return as<float>(encoded_half(static_cast<double>(x), f16) << 16 |
                        encoded_half(static_cast<double>(a), f16));
     })},
    {"convert/cvt_rni_f32_f32",
     each<float>([](float x, float, float) { return std::nearbyint(x); })},
    {"convert/cvt_s32_f32", each<s32>([](s32 x, s32, s32) {
       return static_cast<s32>(std::nearbyint(static_cast<float>(x)));
     })},
    {"convert/cvt_s32_f64",
     each<double>([](double x, double, double) { return static_cast<s32>(std::trunc(x)); })},
    {"convert/cvt_s64_f64",
     each<s64>([](s64 x, s64, s64) { return static_cast<s64>(static_cast<double>(x)); })},
};

// --- floating point ------------------------------------------------------------------------------

/// A function of double, rounded to float: what "ideal" approximate functions of the machine are.
float ideally(double (*f)(double), float x) {
  return static_cast<float>(f(static_cast<double>(x)));
}
/// Relative errors: a few units in the last place of float in each of a few steps that make errors
/// smaller.
constexpr double few_units = 1e-6;

const step_registration single[] = {
    {"fp32/abs_f32", each<float>([](float x, float a, float) { return std::abs(x) + a; })},
    {"fp32/add_rn_f32", each<float>([](float x, float a, float) { return x + a; })},
    {"fp32/cos_approx_f32",
     each<float>([](float x, float, float) { return ideally(std::cos, x); })},
    {"fp32/cosf_small",
     each<float>([](float x, float, float) { return ideally(std::cos, x); }, few_units)},
    {"fp32/div_approx_f32", each<float>([](float x, float a, float) { return a / x; })},
    {"fp32/div_full_f32", each<float>([](float x, float a, float) { return a / x; })},
    {"fp32/div_rn_f32", each<float>([](float x, float a, float) { return a / x; })},
    {"fp32/ex2_approx_ftz_f32",
     each<float>([](float x, float, float) { return ideally(std::exp2, -x); })},
    {"fp32/expf_small",
     each<float>([](float x, float, float) { return ideally(std::exp, -x); }, few_units)},
    {"fp32/fast_cosf", each<float>([](float x, float, float) { return ideally(std::cos, x); })},
    {"fp32/fast_expf",
     each<float>([](float x, float, float) { return ideally(std::exp, -x); }, few_units)},
    {"fp32/fast_logf",
     each<float>([](float x, float a, float) { return ideally(std::log, x) + a; }, few_units)},
    {"fp32/fast_sinf", each<float>([](float x, float, float) { return ideally(std::sin, x); })},
    {"fp32/fma_rn_f32", each<float>([](float x, float a, float b) { return std::fma(x, a, b); })},
    {"fp32/fmodf_small",
     each<float>([](float x, float a, float b) { return std::fmod(x, a) + b; })},
    {"fp32/lg2_approx_f32",
     each<float>([](float x, float a, float) { return ideally(std::log2, x) + a; })},
    {"fp32/lg2_approx_ftz_f32",
     each<float>([](float x, float, float) { return ideally(std::log2, std::abs(x)); })},
    {"fp32/logf_small",
     each<float>([](float x, float a, float) { return ideally(std::log, x) + a; }, few_units)},
    {"fp32/max_f32", each<float>([](float x, float a, float) { return std::max(x, a); })},
    {"fp32/min_f32", each<float>([](float x, float a, float) { return std::min(x, a); })},
    {"fp32/min_max_f32",
     each<float>([](float x, float a, float b) { return std::max(std::min(x, a), b); })},
    {"fp32/mul_rn_f32", each<float>([](float x, float a, float) { return x * a; })},
    {"fp32/rcp_approx_f32", each<float>([](float x, float, float) { return 1 / x; })},
    {"fp32/rcp_approx_ftz_f32", each<float>([](float x, float a, float) { return 1 / x + a; })},
    {"fp32/rcp_rn_f32", each<float>([](float x, float, float) { return 1 / x; })},
    {"fp32/rsqrt_approx_ftz_f32", each<float>([](float x, float, float) {
       return static_cast<float>(1 / std::sqrt(static_cast<double>(x)));
     })},
    {"fp32/sin_approx_f32",
     each<float>([](float x, float, float) { return ideally(std::sin, x); })},
    {"fp32/sinf_large",
     each<float>([](float x, float a, float) { return ideally(std::sin, x) + a; }, few_units)},
    {"fp32/sinf_small",
     each<float>([](float x, float a, float) { return ideally(std::sin, x) + a; }, few_units)},
    {"fp32/sqrt_approx_ftz_f32", each<float>([](float x, float, float) { return std::sqrt(x); })},
    {"fp32/sqrt_rn_f32", each<float>([](float x, float, float) { return std::sqrt(x); })},
    {"fp32/tanh_approx_f32",
     each<float>([](float x, float, float) { return ideally(std::tanh, x); })},
};

const step_registration others[] = {
    {"fp64/add_rn_f64", each<double>([](double x, double a, double) { return x + a; })},
    {"fp64/div_rn_f64", each<double>([](double x, double a, double) { return a / x; })},
    {"fp64/fma_rn_f64",
     each<double>([](double x, double a, double b) { return std::fma(x, a, b); })},
    {"fp64/max_f64", each<double>([](double x, double a, double) { return std::max(x, a); })},
    {"fp64/min_f64", each<double>([](double x, double a, double) { return std::min(x, a); })},
    {"fp64/mul_rn_f64", each<double>([](double x, double a, double) { return x * a; })},
    {"fp64/rcp_rn_f64", each<double>([](double x, double, double) { return 1 / x; })},
    {"fp64/sqrt_rn_f64", each<double>([](double x, double, double) { return std::sqrt(x); })},
    {"half/add_rn_f16x2", both_halves(f16, [](double x, double a, double) { return x + a; })},
    {"half/ex2_approx_f16x2",
     both_halves(f16, [](double x, double, double) { return std::exp2(-x); })},
    {"half/fma_rn_bf16x2",
     both_halves(bf16, [](double x, double a, double b) { return x * a + b; })},
    {"half/fma_rn_f16x2", both_halves(f16, [](double x, double a, double b) { return x * a + b; })},
    {"half/min_max_f16x2",
     both_halves(f16, [](double x, double a, double b) { return std::max(std::min(x, a), b); })},
    {"half/mul_rn_f16x2", both_halves(f16, [](double x, double a, double) { return x * a; })},
    {"half/tanh_approx_f16x2",
     both_halves(f16, [](double x, double, double) { return std::tanh(x); })},
};

}  // namespace
}  // namespace ptxlab::machine
