// SPDX-License-Identifier: Apache-2.0
// f16 and bf16: to and from the host's types in every rounding, and add, sub, mul and fma (PTX ISA
// 9.0, "Half Precision Floating Point Instructions"). Packed types are two calls.
#pragma once

#include "ptx/machine/math/floating.hpp"
#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

/// Exact; NaN becomes the canonical one.
[[gnu::always_inline]] constexpr float widened(f16 h) {
  // The exponent is moved by multiplication, which also normalises subnormal numbers.
  const float m = from_bits<float>((std::uint32_t{h.bits} & 0x7fffu) << 13) * 0x1p112f;
  // Above all numbers only the exponent is wrong: it must be the largest one.
  const std::uint32_t sign = (std::uint32_t{h.bits} & 0x8000u) << 16;
  const std::uint32_t number = bits_of(m) | (m >= 0x1p16f ? 0x7f800000u : 0u) | sign;
  return from_bits<float>(choose(m > 0x1p16f, format<float>::canonical_nan, number));
}

/// Exact, with the payload of NaN.
[[gnu::always_inline]] constexpr float widened(bf16 h) {
  return from_bits<float>(std::uint32_t{h.bits} << 16);
}

/// The host's number with the value of x, exactly.
template <real T>
[[gnu::always_inline]] constexpr auto widest_carrier(T x) {
  if constexpr (half<T>)
    return widened(x);
  else
    return x;
}

/// The bits of a magnitude that H can hold exactly, or of twice the largest power of two of H for
/// infinity. Multiplying aligns the exponent ranges, so that one shift cuts out the f16.
template <half H, native T>
[[gnu::always_inline]] inline std::uint32_t magnitude_bits(T r) {
  if constexpr (std::same_as<H, f16>)
    return bits_of(static_cast<float>(r * T(0x1p-112))) >> 13;
  else
    return bits_of(static_cast<float>(r)) >> 16;
}

/// Rounds a number of the host once, to a multiple of the unit of H at its magnitude: adding and
/// subtracting 2^(bits - 1) units leaves the rounding to the host's addition. NaN gives the
/// canonical NaN.
template <half H, rounding R, native T>
[[gnu::always_inline]] inline H narrowed(T x) {
  static_assert(is_direction(R));
  static_assert(std::same_as<T, double> || std::same_as<H, f16>, "bf16 units are below f32's");
  using f = format<T>;
  using h = format<H>;
  constexpr int fraction = f::precision - 1;
  constexpr auto lowest = static_cast<typename f::signed_type>(f::bias + h::emin);
  constexpr auto highest = static_cast<typename f::signed_type>(f::bias + h::bias + 1);
  const T a = from_bits<T>(bits_of(x) & f::magnitude);
  auto exponent = static_cast<typename f::signed_type>(bits_of(a) >> fraction);
  exponent = exponent < lowest ? lowest : exponent;
  exponent = exponent > highest ? highest : exponent;
  const auto unit_exponent = static_cast<bits_t<T>>(exponent - (h::precision - 1));
  const T shifter = from_bits<T>(static_cast<bits_t<T>>(unit_exponent + fraction) << fraction);
  T r = (a + shifter) - shifter;
  constexpr T infinity = T(h::bias == 15 ? 0x1p16 : 0x1p128);
  if constexpr (R == rounding::rn) {
    r = r < infinity ? r : infinity;
  } else {
    constexpr T largest = infinity - infinity / T(1 << h::precision);
    const T unit = from_bits<T>(unit_exponent << fraction);
    const bool negative = (bits_of(x) & f::sign) != 0;
    const bool away = (R == rounding::rm && negative) | (R == rounding::rp && !negative);
    const T inner = r > a ? r - unit : r;
    const T outer = r < a ? r + unit : r;
    const T bounded = outer < infinity ? outer : infinity;
    // Only a finite number stops at the largest one.
    const T stopped = inner > largest ? largest : inner;
    const T toward = bits_of(a) == f::infinity ? infinity : stopped;
    r = away ? bounded : toward;
  }
  const auto sign = static_cast<std::uint32_t>(bits_of(x) >> (sizeof(T) * 8 - 16)) & 0x8000u;
  const std::uint32_t b = magnitude_bits<H>(r) | sign;
  return {static_cast<std::uint16_t>(choose<std::uint32_t>(is_nan(x), h::canonical_nan, b))};
}

/// Rounds once to nearest; the fast way from f32, where one is known.
template <half H>
[[gnu::always_inline]] inline H nearest(float x) {
  if constexpr (std::same_as<H, f16>) {
    return narrowed<f16, rounding::rn>(x);
  } else {
    const std::uint32_t b = bits_of(x);
    const std::uint32_t r = (b + 0x7fffu + ((b >> 16) & 1u)) >> 16;  // a carry may reach infinity
    constexpr std::uint32_t nan = format<bf16>::canonical_nan;
    return {static_cast<std::uint16_t>(choose(is_nan(x), nan, r))};
  }
}

/// .ftz of a product or sum of products, as flush_by of f32 with 11 bits. Measured on an H200:
/// 2^-14 * (1 - 2^-11) gives 0, 2^-14 * (1 - 2^-18) gives 2^-14.
template <bool Ftz, half H, native T>
[[gnu::always_inline]] inline H flush_by(T exact_value, H r) {
  if constexpr (Ftz) {
    static_assert(std::same_as<H, f16>);
    const auto zero = static_cast<std::uint16_t>(r.bits & format<H>::sign);
    return {choose(std::fabs(exact_value) < T(0x1.ffep-15), zero, r.bits)};
  } else {
    return r;
  }
}

/// .ftz, .sat and .relu of a half result. .relu keeps NaN and makes +0 of a negative number and of
/// -0; .sat makes +0 of NaN.
template <bool Ftz, bool Sat, bool Relu, half H>
[[gnu::always_inline]] inline H finished(H x) {
  static_assert(!(Sat && Relu));
  using f = format<H>;
  std::uint16_t b = flush<Ftz>(x).bits;
  const bool nan = is_nan(x);
  const bool negative = (b & f::sign) != 0;
  if constexpr (Relu) b = (negative & !nan) ? std::uint16_t{0} : b;
  if constexpr (Sat) {
    b = (negative | nan) ? std::uint16_t{0} : b;
    b = b > f::one ? f::one : b;
  }
  return {b};
}

/// f32 has 24 >= 2 * 11 + 2 bits, so that rounding a sum of f16 or bf16 to f32 first is harmless
/// (Figueroa, "When is double rounding innocuous?", 1995); subnormal sums are exact.
template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false, half H>
[[gnu::always_inline]] inline H add(H a, H b) {
  static_assert(R == rounding::rn && (std::same_as<H, f16> || (!Ftz && !Sat)));
  const float s = widened(flush<Ftz>(a)) + widened(flush<Ftz>(b));
  return finished<Ftz, Sat, false>(nearest<H>(s));
}

template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false, half H>
[[gnu::always_inline]] inline H sub(H a, H b) {
  return add<R, Ftz, Sat>(a, H{static_cast<std::uint16_t>(b.bits ^ 0x8000u)});
}

/// The product of f16 is exact in f32, and so is that of bf16 (16 bits) from 2^-134 on, half of the
/// smallest bf16; what is smaller becomes 0 with or without a first rounding.
template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false, half H>
[[gnu::always_inline]] inline H mul(H a, H b) {
  static_assert(R == rounding::rn && (std::same_as<H, f16> || (!Ftz && !Sat)));
  const float p = widened(flush<Ftz>(a)) * widened(flush<Ftz>(b));
  return finished<Ftz, Sat, false>(flush_by<Ftz>(p, nearest<H>(p)));
}

/// The product is exact in double. For f16 the double sum is good enough: it is exact unless |c| is
/// more than 2^30 times the product, which then is far below half a unit of c. For bf16 it is not,
/// and is rounded to odd.
template <rounding R = rounding::rn, bool Ftz = false, bool Sat = false, bool Relu = false, half H>
[[gnu::always_inline]] inline H fma(H x, H y, H z) {
  static_assert(R == rounding::rn && (std::same_as<H, f16> || (!Ftz && !Sat)));
  const double a = widened(flush<Ftz>(x)), b = widened(flush<Ftz>(y)), c = widened(flush<Ftz>(z));
  const double s = std::same_as<H, f16> ? a * b + c : odd_sum<R>(a * b, c);
  return finished<Ftz, Sat, Relu>(flush_by<Ftz>(s, narrowed<H, R>(s)));
}

}  // namespace ptxlab::machine::math
