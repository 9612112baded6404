// SPDX-License-Identifier: Apache-2.0
// add, sub, mul, fma, div, rcp and sqrt of f32 and f64 in every rounding, with .ftz and .sat of f32
// (PTX ISA 9.0, "Floating Point Instructions").
//
// f32 in a directed rounding is computed in double, rounded there to odd, and rounded again: with
// 53 >= 24 + 2 bits the second rounding then sees on which side of the exact result it stands
// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). f64 in a directed
// rounding goes through exact.hpp.
#pragma once

#include <cmath>

#include "ptx/machine/math/exact.hpp"
#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

/// What was lost when a + b was rounded to s (Knuth's TwoSum); NaN if one of them is not finite.
[[gnu::always_inline]] inline double sum_error(double a, double b, double s) {
  const double bb = s - a;
  return (a - (s - bb)) + (b - bb);
}

/// Rounds the exact value s + e to odd, where s is its nearest double: of the two doubles around an
/// inexact value the one whose last bit is set. A NaN `e` counts as zero.
[[gnu::always_inline]] inline double to_odd(double s, double e) {
  const std::uint64_t b = bits_of(s);
  const std::uint64_t away = (bits_of(s) ^ bits_of(e)) >> 63;  // 0: the error enlarges |s|
  const bool move = ((e < 0) | (e > 0)) & ((b & 1) == 0);
  const std::uint64_t moved = b + 1 - 2 * away;
  return from_bits<double>(choose(move, moved, b));
}

/// Rounds a double to f32. NaN stays some NaN for rn, else it becomes the canonical one.
template <rounding R>
[[gnu::always_inline]] inline float to_single(double s) {
  static_assert(is_direction(R));
  const float r = static_cast<float>(s);
  if constexpr (R == rounding::rn) return r;
  const double wide = static_cast<double>(r);
  const std::uint32_t b = bits_of(r);
  const bool positive = s > 0;
  const bool above = wide > s, below = wide < s;
  const std::uint32_t inner = b - ((positive & above) | (!positive & below));
  const std::uint32_t outer = b + ((positive & below) | (!positive & above));
  const std::uint32_t either =
      R == rounding::rz ? inner : choose((R == rounding::rp) == positive, outer, inner);
  return from_bits<float>(choose(is_nan(s), format<float>::canonical_nan, either));
}

/// The double sum p + c rounded to odd, with the zero that direction R asks for.
template <rounding R>
[[gnu::always_inline]] inline double odd_sum(double p, double c) {
  const double s = p + c;
  const double odd = to_odd(s, sum_error(p, c, s));
  if constexpr (R != rounding::rm) return odd;
  const double zero = from_bits<double>((bits_of(p) | bits_of(c)) & format<double>::sign);
  return choose(s == 0, zero, odd);
}

/// .ftz of a product, sum of products or quotient: zero if the exact value, rounded to 24 bits as
/// if exponents had no end, is below the normal numbers. Measured on an H200, to nearest: 2^-126 *
/// (1 - 2^-24) gives 0, 2^-126 * (1 - 2^-46) gives 2^-126.
template <bool Ftz, rounding R>
[[gnu::always_inline]] inline float flush_by(double exact_value, float r) {
  constexpr double last = 0x1.fffffep-127;  // the 24-bit value below 2^-126
  const double m = std::fabs(exact_value);
  const bool outward =
      R == rounding::rp ? exact_value > 0 : (R == rounding::rm) & (exact_value < 0);
  const bool below = R == rounding::rn ? m < 0x1.ffffffp-127 : outward ? m <= last : m < 0x1p-126;
  const std::uint32_t zero = bits_of(r) & format<float>::sign;
  return from_bits<float>(choose(Ftz & below, zero, bits_of(r)));
}

/// The end of every f32 operation, by host operation or by to_single.
template <bool Ftz, bool Sat, rounding R = rounding::rn>
[[gnu::always_inline]] inline float finished(float r) {
  const float canonical = R == rounding::rn ? nan_rule(r) : r;
  return saturate<Sat>(flush<Ftz>(canonical));
}

template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false>
[[gnu::always_inline]] inline float add(float x, float y) {
  static_assert(is_direction(R));
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  if constexpr (R == rounding::rn)
    return finished<Ftz, Sat>(a + b);
  else
    return finished<Ftz, Sat, R>(to_single<R>(odd_sum<R>(a, b)));
}

template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false>
[[gnu::always_inline]] inline float sub(float x, float y) {
  return add<R, Ftz, Sat>(x, -y);
}

template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false>
[[gnu::always_inline]] inline float mul(float x, float y) {
  static_assert(is_direction(R));
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  if constexpr (R == rounding::rn && !Ftz) return finished<Ftz, Sat>(a * b);
  const double p = static_cast<double>(a) * b;  // exact: 48 bits, exponents from -298 to 256
  return finished<Ftz, Sat, R>(flush_by<Ftz, R>(p, to_single<R>(p)));
}

template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false>
[[gnu::always_inline]] inline float fma(float x, float y, float z) {
  static_assert(is_direction(R));
  const float a = flush<Ftz>(x), b = flush<Ftz>(y), c = flush<Ftz>(z);
#ifdef __FMA__
  if constexpr (R == rounding::rn && !Ftz) return finished<Ftz, Sat>(std::fma(a, b, c));
#endif
  const double s = odd_sum<R>(static_cast<double>(a) * b, c);
  return finished<Ftz, Sat, R>(flush_by<Ftz, R>(s, to_single<R>(s)));
}

template <rounding R = rounding::rn, bool Ftz = false>
[[gnu::always_inline]] inline float div(float x, float y) {
  static_assert(is_direction(R));
  const float a = flush<Ftz>(x), b = flush<Ftz>(y);
  if constexpr (R == rounding::rn && !Ftz) return finished<Ftz, false>(a / b);
  const double q = static_cast<double>(a) / b;  // 2^-126 only if that is the exact quotient
  if constexpr (R == rounding::rn) return finished<Ftz, false>(flush_by<Ftz, R>(q, a / b));
  const double rest = std::fma(-q, static_cast<double>(b), static_cast<double>(a));
  const float r = to_single<R>(to_odd(q, b < 0 ? -rest : rest));
  return finished<Ftz, false, R>(flush_by<Ftz, R>(q, r));
}

template <rounding R = rounding::rn, bool Ftz = false>
[[gnu::always_inline]] inline float rcp(float x) {
  return div<R, Ftz>(1.0f, x);
}

template <rounding R = rounding::rn, bool Ftz = false>
[[gnu::always_inline]] inline float sqrt(float x) {
  static_assert(is_direction(R));
  const float a = flush<Ftz>(x);
  if constexpr (R == rounding::rn) return finished<Ftz, false>(std::sqrt(a));
  const double s = std::sqrt(static_cast<double>(a));
  return finished<Ftz, false, R>(to_single<R>(to_odd(s, std::fma(-s, s, static_cast<double>(a)))));
}

/// Whether exact.hpp can hold it.
[[gnu::always_inline]] inline bool finite(double x) {
  return magnitude_key(x) < static_cast<std::int64_t>(format<double>::infinity);
}

/// Measured on an H200: of two NaN operands add, sub and mul hand on the second one, and fma the
/// second before the third before the first.
template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double add(double a, double b) {
  static_assert(is_direction(R));
  if (R == rounding::rn || !finite(a) || !finite(b)) return nan_rule(a + b, b, a);
  return rounded<double, R>(sum<R>(exactly(a), exactly(b)));
}

/// The NaN of the subtrahend is handed on as it is, not negated.
template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double sub(double a, double b) {
  return is_nan(b) ? nan_rule(b, b) : add<R>(a, -b);
}

template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double mul(double a, double b) {
  static_assert(is_direction(R));
  if (R == rounding::rn || !finite(a) || !finite(b)) return nan_rule(a * b, b, a);
  return rounded<double, R>(product(exactly(a), exactly(b)));
}

template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double fma(double a, double b, double c) {
  static_assert(is_direction(R));
  if (R == rounding::rn || !finite(a) || !finite(b) || !finite(c))
    return nan_rule(std::fma(a, b, c), b, c, a);
  return rounded<double, R>(sum<R>(product(exactly(a), exactly(b)), exactly(c)));
}

/// Measured on an H200: of two NaN operands the first one is handed on.
template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double div(double a, double b) {
  static_assert(is_direction(R));
  if (R == rounding::rn || !finite(a) || !finite(b) || a == 0 || b == 0)
    return nan_rule(a / b, a, b);
  return rounded<double, R>(quotient(exactly(a), exactly(b)));
}

template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double rcp(double a) {
  return div<R>(1.0, a);
}

template <rounding R = rounding::rn>
[[gnu::always_inline]] inline double sqrt(double a) {
  static_assert(is_direction(R));
  const double s = std::sqrt(a);
  if (R == rounding::rn || !(a > 0) || !finite(a)) return nan_rule(s, a);
  return rounded<double, R>(root(a, s));
}

}  // namespace ptxlab::machine::math
