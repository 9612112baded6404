// SPDX-License-Identifier: Apache-2.0
// The approximate functions in two models (PTX ISA 9.0, "Floating Point Instructions", "Half
// Precision Floating Point Instructions"). "ideal": the exact value rounded to nearest, with the
// special values of the ISA's tables; real hardware gives other bits. "bound": an ideal result
// moved by a given random number inside of the error that the ISA allows.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "ptx/machine/math/half.hpp"
#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

/// Calls a function of the host's double, which is off by less than a unit of double: rounding to
/// f32 then differs from correct rounding for about one argument in 2^28.
template <bool Ftz, class Function>
[[gnu::always_inline]] inline float ideally(float x, Function f) {
  return finished<Ftz, false>(static_cast<float>(f(static_cast<double>(flush<Ftz>(x)))));
}

/// a / b; for 2^126 < |b| < 2^128 the NaN of an infinite, else the zero of the right sign ("div").
template <bool Ftz = false>
[[gnu::always_inline]] inline float div_approx(float x, float y) {
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  const std::int32_t m = magnitude_key(b);
  const bool huge = (m > 0x7e800000) & (m < 0x7f800000);
  const float scaled = a * from_bits<float>(bits_of(b) & format<float>::sign);  // inf * 0: NaN
  return finished<Ftz, false>(huge ? scaled : a / b);
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float div_full(float x, float y) {
  return finished<Ftz, false>(flush<Ftz>(x) / flush<Ftz>(y));
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float rcp_approx(float a) {
  return div_full<Ftz>(1.0f, a);
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float sqrt_approx(float a) {
  return sqrt<rounding::rn, Ftz>(a);
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float rsqrt_approx(float a) {
  return ideally<Ftz>(a, [](double x) { return 1 / std::sqrt(x); });
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float sin_approx(float a) {
  return ideally<Ftz>(a, [](double x) { return std::sin(x); });
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float cos_approx(float a) {
  return ideally<Ftz>(a, [](double x) { return std::cos(x); });
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float ex2_approx(float a) {
  return ideally<Ftz>(a, [](double x) { return std::exp2(x); });
}

template <bool Ftz = false>
[[gnu::always_inline]] inline float lg2_approx(float a) {
  return ideally<Ftz>(a, [](double x) { return std::log2(x); });
}

[[gnu::always_inline]] inline float tanh_approx(float a) {
  return ideally<false>(a, [](double x) { return std::tanh(x); });
}

/// ex2.approx.f16, and ex2.approx.ftz.bf16 with Ftz.
template <bool Ftz = false, half H>
[[gnu::always_inline]] inline H ex2_approx(H a) {
  static_assert(Ftz == std::same_as<H, bf16>);
  const double x = widened(flush<Ftz>(a));
  return finished<Ftz, false, false>(narrowed<H, rounding::rn>(std::exp2(x)));
}

template <half H>
[[gnu::always_inline]] inline H tanh_approx(H a) {
  return narrowed<H, rounding::rn>(std::tanh(static_cast<double>(widened(a))));
}

/// The upper word of a double, in 1.11.20 format; the lower word is zero.
[[gnu::always_inline]] inline double upper_word(double x) {
  return from_bits<double>(bits_of(x) & 0xffffffff00000000u);
}

/// Rounds to the upper word and flushes; NaN becomes 0x7fffffff00000000.
[[gnu::always_inline]] inline double rounded_to_upper_word(double x) {
  const double r = flush<true>(x);
  const std::uint64_t b = bits_of(r);
  const double near = upper_word(from_bits<double>(b + 0x7fffffffu + ((b >> 32) & 1)));
  return is_nan(x) ? from_bits<double>(0x7fffffff00000000u) : near;
}

/// rcp.approx.ftz.f64.
[[gnu::always_inline]] inline double rcp_approx_ftz(double a) {
  return rounded_to_upper_word(1 / flush<true>(upper_word(a)));
}

/// rsqrt.approx.ftz.f64.
[[gnu::always_inline]] inline double rsqrt_approx_ftz(double a) {
  return rounded_to_upper_word(1 / std::sqrt(flush<true>(upper_word(a))));
}

/// rsqrt.approx.f64.
[[gnu::always_inline]] inline double rsqrt_approx(double a) {
  const auto r = static_cast<double>(1 / std::sqrt(static_cast<long double>(a)));
  return nan_rule(r, a);
}

enum class approximation : std::uint8_t {
  div_approx_f32,
  div_full_f32,
  rcp_f32,
  sqrt_f32,
  rsqrt_f32,
  sin_f32,
  cos_f32,
  lg2_f32,
  ex2_f32,
  tanh_f32,
  rcp_ftz_f64,
  rsqrt_ftz_f64,
  rsqrt_f64,
  ex2_f16,
  ex2_bf16,
  tanh_f16,
  tanh_bf16
};

/// ulp: units in the last place; upper_ulp: units in the last place of the upper word of an f64;
/// relative, absolute: to the exact value; anything: no guarantee is given.
enum class measure : std::uint8_t { ulp, upper_ulp, relative, absolute, anything };

struct error_bound {
  measure what = measure::ulp;
  double limit = 0;  ///< 0: the ISA states the value itself
  /// Whether the ISA states the limit; where it says nothing it is our assumption.
  bool stated = true;
};

/// The limits of the ISA for arguments that its tables of special values do not name.
constexpr error_bound limit_of(approximation f) {
  using enum approximation;
  switch (f) {
    case div_approx_f32:
    case div_full_f32:
    case ex2_f32:
      return {measure::ulp, 2};
    case rcp_f32:
      return {measure::ulp, 1};
    case sqrt_f32:
      return {measure::relative, 0x1p-23};
    case rsqrt_f32:
      return {measure::relative, 1.277653530283325e-7};  // 2^-22.9
    case sin_f32:
    case cos_f32:
      return {measure::absolute, 6.743495761743046e-7};  // 2^-20.5
    case lg2_f32:
      return {measure::relative, 0x1p-22};
    case tanh_f32:
      return {measure::relative, 0x1p-11};
    case rcp_ftz_f64:
    case rsqrt_ftz_f64:
      return {measure::upper_ulp, 1, false};
    case rsqrt_f64:
      return {measure::ulp, 1, false};
    case ex2_f16:
      return {measure::relative, 1.0466537720080985e-3};  // 2^-9.9
    case ex2_bf16:
      return {measure::relative, 0x1p-7};
    case tanh_f16:
      return {measure::absolute, 4.927009930882233e-4};  // 2^-10.987
    case tanh_bf16:
      return {measure::absolute, 0x1p-8};
  }
  return {measure::anything, 0, false};
}

/// The limit at one argument (of a division: the divisor). Zeros, infinities and NaN are in the
/// ISA's tables and so exact; sin and cos are looser above 2 pi and free above 100 pi.
inline error_bound bound_of(approximation f, double argument) {
  using enum approximation;
  const double m = std::fabs(argument);
  if (m == 0 || !(m < std::numeric_limits<double>::infinity())) return {};
  if (f == div_approx_f32 && m > 0x1p126) return {};
  if (f == lg2_f32 && argument > 0.5 && argument < 2) return {measure::absolute, 0x1p-22};
  if (f == sin_f32 || f == cos_f32) {
    constexpr double pi = 3.14159265358979;
    if (m > 100 * pi) return {measure::anything, 0, false};
    if (m > 2 * pi) return {measure::absolute, 3.7571545817410796e-5};  // 2^-14.7
  }
  return limit_of(f);
}

/// Evenly from the integers [-n, n].
constexpr std::int64_t spread(std::uint64_t random, std::uint64_t n) {
  return static_cast<std::int64_t>(random % (2 * n + 1)) - static_cast<std::int64_t>(n);
}

/// Moves a magnitude by units in its last place, but neither to zero nor to infinity.
template <real T>
constexpr T stepped(T x, std::int64_t units) {
  using f = format<T>;
  const auto m = static_cast<std::int64_t>(bits_of(x) & f::magnitude);
  const auto moved = std::clamp<std::int64_t>(m + units, 1, static_cast<std::int64_t>(f::largest));
  return from_bits<T>(
      static_cast<bits_t<T>>((bits_of(x) & f::sign) | static_cast<bits_t<T>>(moved)));
}

template <real T>
inline T from_double(double x) {
  if constexpr (half<T>)
    return narrowed<T, rounding::rn>(x);
  else
    return static_cast<T>(x);
}

/// Model "bound": the ideal result moved by an error inside of the bound. Zero, infinite and NaN
/// results stay. A relative or absolute bound is of the exact value, which the ideal result misses
/// by up to half a unit: that much of the bound is not used.
template <real T>
inline T perturbed(T ideal, const error_bound& bound, std::uint64_t random) {
  using f = format<T>;
  const double v = widest_carrier(ideal);
  if (bound.what == measure::anything && v == v)
    return from_double<T>(static_cast<double>(static_cast<std::int64_t>(random)) * 0x1p-63);
  const double m = std::fabs(v);
  if (bound.limit == 0 || m == 0 || !(m < std::numeric_limits<double>::infinity())) return ideal;
  if (bound.what == measure::ulp)
    return stepped(ideal, spread(random, static_cast<std::uint64_t>(bound.limit)));
  if constexpr (std::same_as<T, double>) {
    const std::int64_t units = spread(random, static_cast<std::uint64_t>(bound.limit));
    const std::int64_t word = std::int64_t{1} << 32;
    const auto lowest = static_cast<std::int64_t>(f::min_normal);
    const auto highest = static_cast<std::int64_t>(f::infinity) - word;
    const auto moved = std::clamp(magnitude_key(ideal) + units * word, lowest, highest);
    return from_bits<double>((bits_of(ideal) & f::sign) | static_cast<std::uint64_t>(moved));
  } else {
    const int exponent = std::max(std::ilogb(m), f::emin);
    const bool relative = bound.what == measure::relative;
    const double missed = std::ldexp(0.5, exponent - (f::precision - 1));
    const double allowed = (relative ? bound.limit * (m - missed) : bound.limit) - missed;
    if (!(allowed > 0)) return ideal;
    const double part = static_cast<double>(static_cast<std::int64_t>(random)) * 0x1p-63;
    const T moved = from_double<T>(v + part * allowed);
    return std::fabs(static_cast<double>(widest_carrier(moved)) - v) <= allowed ? moved : ideal;
  }
}

}  // namespace ptxlab::machine::math
