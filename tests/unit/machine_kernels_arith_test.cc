// SPDX-License-Identifier: Apache-2.0
// References of the kernels of arithmetic. All results are the same to the bit, but for the
// functions of the CUDA math library, whose documented error is given in units of the last place
// (CUDA C++ Programming Guide, "Mathematical Functions"). Where nvcc contracts a product and a sum,
// so does the reference.
#include <cmath>
#include <limits>

#include "tests/unit/machine/arrays.hpp"
#include "tests/unit/machine/reference.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;

constexpr u32 threads = 96;

// --- one result for each thread ------------------------------------------------------------------

/// out[i] = f(a[i], b[i]) with these operands first and random ones behind.
template <class T, class F>
reference elementwise(F f, std::vector<T> first_a = {}, std::vector<T> first_b = {},
                      std::int64_t units = 0) {
  return [=](const subject& s) {
    std::vector<T> a = random_values<T>(threads, 1), b = random_values<T>(threads, 2);
    std::copy(first_a.begin(), first_a.end(), a.begin());
    std::copy(first_b.begin(), first_b.end(), b.begin());
    if constexpr (std::is_integral_v<T>)
      for (T& x : b)
        if (x == 0) x = 3;
    const address out = s.on.buffer(std::vector<T>(threads), "out");
    std::vector<std::uint64_t> words = {out, s.on.buffer(a, "a"), s.on.buffer(b, "b")};
    words.resize(s.what.params.size());
    ASSERT_EQ(s.run(1, threads, words).how, ending::finished);
    std::vector<T> wanted(threads);
    for (u32 i = 0; i < threads; ++i) wanted[i] = static_cast<T>(f(a[i], b[i]));
    expect_same(s.on.read<T>(out, threads), wanted, units);
  };
}
float ideally(double (*f)(double), float x) {
  return static_cast<float>(f(static_cast<double>(x)));
}
float flushed(float x) {
  return std::abs(x) < std::numeric_limits<float>::min() ? std::copysign(0.0F, x) : x;
}
constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float tiny = 1e-40F;  // subnormal
const std::vector<float> edges = {0.0F, -0.0F, 1.0F,  -1.0F, inf,  -inf,
                                  nan,  tiny,  -tiny, 3e38F, -2.5F};
const std::vector<float> divisors = {2.0F, 0.0F, -0.0F, inf,     3.0F, inf,
                                     1.0F, 2.0F, 1e38F, 1.7e38F, nan};

/// div.approx gives 0 for divisors above 2^126, and NaN for an infinity by them.
float divided_approximately(float a, float b) {
  if (std::abs(b) > 0x1p126F && !std::isinf(b))
    return std::isinf(a) ? nan : std::copysign(0.0F, a * std::copysign(1.0F, b));
  return a / b;
}
template <class F>
reference of_float(F f, std::int64_t units = 0) {
  return elementwise<float>([f](float a, float) { return f(a); }, edges, {}, units);
}
template <class F>
reference of_two_floats(F f) {
  return elementwise<float>(f, edges, divisors);
}
/// Arguments for which the library's functions are documented to a few units.
template <class F>
reference of_angle(F f, std::int64_t units) {
  return elementwise<float>([f](float a, float) { return f(a); },
                            {0.0F, 1.0F, -2.0F, 100.0F, 1e5F, 1e6F, -3e7F, inf, nan}, {}, units);
}

const std::vector<s32> whole_edges = {0, 1, -1, 7, -7, 8, -8, 2147483647, -2147483647 - 1, 15, -15};
template <class F>
reference of_int(F f) {
  return elementwise<s32>(f, whole_edges, {1, 2, -3, 4, 5, -6, 7, 8, 9, -4, 4});
}
template <class F>
reference of_unsigned(F f) {
  return elementwise<u32>(f, {0, 1, 9, 10, 11, 99, 100, 0xffffffff, 0x80000000},
                          {1, 2, 3, 4, 5, 6, 0xffffffff});
}
u32 low24(u32 x) {
  return x & 0xffffff;
}
u32 signed24(s32 x) {
  return static_cast<u32>(static_cast<s32>(static_cast<u32>(x) << 8) >> 8);
}

const reference_registration arithmetic[] = {
    {"arith/divide/by_constant", of_float([](float a) { return a / 3.0F; })},
    {"arith/divide/by_power_of_two", of_float([](float a) { return a / 8.0F; })},
    {"arith/divide/intrinsic_fdividef", of_two_floats(divided_approximately)},
    {"arith/divide/operator_by_variable", of_two_floats([](float a, float b) { return a / b; })},
    {"arith/divide/ptx_div_approx", of_two_floats(divided_approximately)},
    {"arith/divide/ptx_div_full", of_two_floats([](float a, float b) { return a / b; })},
    {"arith/inline_ptx/asm_unused_plain", of_int([](s32 a, s32) { return a; })},
    {"arith/inline_ptx/asm_unused_volatile", of_int([](s32 a, s32) { return a; })},
    {"arith/inline_ptx/asm_used",
     of_int([](s32 a, s32) { return __builtin_popcount(static_cast<u32>(a)); })},
    {"arith/integer_division/quotient_by_constant", of_unsigned([](u32 a, u32) { return a / 10; })},
    {"arith/integer_division/quotient_by_power", of_unsigned([](u32 a, u32) { return a / 8; })},
    {"arith/integer_division/quotient_by_variable",
     of_unsigned([](u32 a, u32 b) { return a / b; })},
    {"arith/integer_division/remainder_by_constant",
     of_unsigned([](u32 a, u32) { return a % 10; })},
    {"arith/integer_division/remainder_by_power", of_unsigned([](u32 a, u32) { return a % 8; })},
    {"arith/integer_division/remainder_by_variable",
     of_unsigned([](u32 a, u32 b) { return a % b; })},
    {"arith/integer_division/signed_quotient_by_power", of_int([](s32 a, s32) { return a / 8; })},
    {"arith/integer_division/signed_quotient_by_variable",
     of_int([](s32 a, s32 b) { return a / b; })},
    {"arith/integer_division/signed_remainder_by_power", of_int([](s32 a, s32) { return a % 8; })},
    {"arith/literals/add_char",
     elementwise<std::int8_t>([](std::int8_t a, std::int8_t b) { return a + b; })},
    {"arith/literals/add_int", of_unsigned([](u32 a, u32 b) { return a + b; })},
    {"arith/literals/add_short",
     elementwise<std::int16_t>([](std::int16_t a, std::int16_t b) { return a + b; })},
    {"arith/literals/compare_double",
     of_two_floats([](float a, float b) { return static_cast<double>(a) < 1.1 ? a : b; })},
    {"arith/literals/compare_float",
     of_two_floats([](float a, float b) { return a < 1.1F ? a : b; })},
    {"arith/literals/exact_double", of_two_floats([](float a, float b) {
       return static_cast<float>(std::fma(static_cast<double>(a), 2.0, static_cast<double>(b)));
     })},
    {"arith/literals/lone_double", of_float([](float a) { return a + a; })},
    // Contracted, as nvcc does by default.
    {"arith/literals/multiply_add_double", of_two_floats([](float a, float b) {
       return static_cast<float>(std::fma(static_cast<double>(a), 1.1, static_cast<double>(b)));
     })},
    {"arith/literals/multiply_add_float",
     of_two_floats([](float a, float b) { return std::fma(a, 1.1F, b); })},
    {"arith/literals/multiply_int", of_unsigned([](u32 a, u32 b) { return a * b; })},
    {"arith/literals/multiply_short",
     elementwise<std::int16_t>([](std::int16_t a, std::int16_t b) { return a * b; })},
    {"arith/literals/shift_char", elementwise<std::int8_t>([](std::int8_t a, std::int8_t b) {
       return static_cast<std::int8_t>(a + b) >> 1;
     })},
    {"arith/multiply/signed_intrinsic",
     of_int([](s32 a, s32 b) { return signed24(a) * signed24(b); })},
    {"arith/multiply/signed_operator",
     of_int([](s32 a, s32 b) { return static_cast<u32>(a) * static_cast<u32>(b); })},
    {"arith/multiply/signed_ptx_mul24",
     of_int([](s32 a, s32 b) { return signed24(a) * signed24(b); })},
    {"arith/multiply/unsigned_intrinsic",
     of_unsigned([](u32 a, u32 b) { return low24(a) * low24(b); })},
    {"arith/multiply/unsigned_operator", of_unsigned([](u32 a, u32 b) { return a * b; })},
    {"arith/multiply/unsigned_ptx_mul24",
     of_unsigned([](u32 a, u32 b) { return low24(a) * low24(b); })},
    {"arith/reciprocal_root/one_over_sqrt", of_float([](float a) { return 1 / std::sqrt(a); })},
    {"arith/reciprocal_root/reciprocal_approx", of_float([](float a) { return 1 / a; })},
    {"arith/reciprocal_root/reciprocal_flushed",
     of_float([](float a) { return flushed(1 / flushed(a)); })},
    {"arith/reciprocal_root/reciprocal_operator", of_float([](float a) { return 1 / a; })},
    {"arith/reciprocal_root/root_approx", of_float([](float a) { return std::sqrt(a); })},
    {"arith/reciprocal_root/root_flushed", of_float([](float a) { return std::sqrt(flushed(a)); })},
    {"arith/reciprocal_root/root_function", of_float([](float a) { return std::sqrt(a); })},
    {"arith/reciprocal_root/rsqrt_flushed", of_float([](float a) {
       return static_cast<float>(1 / std::sqrt(static_cast<double>(flushed(a))));
     })},
    {"arith/reciprocal_root/rsqrt_function",
     of_float([](float a) { return static_cast<float>(1 / std::sqrt(static_cast<double>(a))); })},
    {"arith/transcendental/cosine_fast", of_angle([](float a) { return ideally(std::cos, a); }, 0)},
    {"arith/transcendental/cosine_slow", of_angle([](float a) { return ideally(std::cos, a); }, 2)},
    // exp(x) by 2 to the power of a product, which is off by |x| units.
    {"arith/transcendental/exponential_fast",
     elementwise<float>(
         [](float a, float) {
           return static_cast<float>(std::exp2(static_cast<double>(a * 1.4426950408889634F)));
         },
         {0.0F, 1.0F, -1.0F, 10.5F, -20.0F, 100.0F, -200.0F, inf, -inf, nan})},
    {"arith/transcendental/exponential_slow",
     elementwise<float>([](float a, float) { return ideally(std::exp, a); },
                        {0.0F, 1.0F, -1.0F, 10.5F, -20.0F, 100.0F, -200.0F, inf, -inf, nan}, {},
                        2)},
    {"arith/transcendental/logarithm_fast",
     of_float([](float a) { return ideally(std::log2, a) * 0.6931471805599453F; })},
    {"arith/transcendental/logarithm_slow",
     of_float([](float a) { return ideally(std::log, a); }, 1)},
    {"arith/transcendental/sine_fast", of_angle([](float a) { return ideally(std::sin, a); }, 0)},
    {"arith/transcendental/sine_slow", of_angle([](float a) { return ideally(std::sin, a); }, 2)},
};

/// A load between two stores to the same word: the first one is seen, unless nvcc has deleted it.
reference seeing(s32 wanted) {
  return [wanted](const subject& s) {
    const address out = s.on.buffer(std::vector<s32>{7}, "out");
    const address a = s.on.buffer(std::vector<s32>{-5}, "a");
    ASSERT_EQ(s.run(1, 1, {out, a}).how, ending::finished);
    EXPECT_EQ(s.on.read<s32>(out, 1)[0], wanted);
    EXPECT_EQ(s.on.read<s32>(a, 1)[0], 2);
  };
}
const reference_registration loads[] = {
    {"arith/inline_ptx/load_clobber", seeing(1)},
    {"arith/inline_ptx/load_plain", seeing(-5)},
    {"arith/inline_ptx/load_volatile", seeing(1)},
};

}  // namespace
}  // namespace ptxlab::machine
