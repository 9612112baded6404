// SPDX-License-Identifier: Apache-2.0
// cvt between all integer and floating-point types with rounding, .ftz, .sat and .relu (PTX ISA
// 9.0, "Data Movement and Conversion Instructions: cvt").
#pragma once

#include <limits>

#include "ptx/machine/math/half.hpp"
#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

/// To an integral value in the direction of R; a zero result has the sign of x. NaN stays some NaN.
template <rounding R, native T>
[[gnu::always_inline]] inline T integral(T x) {
  static_assert(is_direction(R));
  using f = format<T>;
  constexpr T shifter = T(std::uint64_t{1} << (f::precision - 1));  // from here on all are integral
  const T a = from_bits<T>(bits_of(x) & f::magnitude);
  const T sum = a + shifter;
  T r = sum - shifter;
  r = a >= shifter ? a : r;
  if constexpr (R != rounding::rn) {
    const bool negative = (bits_of(x) & f::sign) != 0;
    const bool away = (R == rounding::rm && negative) | (R == rounding::rp && !negative);
    const T inner = r > a ? r - 1 : r;
    const T outer = r < a ? r + 1 : r;
    r = away ? outer : inner;
  }
  return from_bits<T>(bits_of(r) | (bits_of(x) & f::sign));
}

/// What NaN of type S becomes: 0, but 2^(width - 1) if S is f64 or D has 64 bits ("cvt", "Integer
/// Notes").
template <integer D, real S>
inline constexpr D integer_of_nan = std::same_as<S, double> || sizeof(D) == 8
                                        ? static_cast<D>(std::uint64_t{1} << (sizeof(D) * 8 - 1))
                                        : D{0};

/// Cut to an integer and clamped to the range of D, in whichever order; `nan` for NaN.
template <integer D, native T>
[[gnu::always_inline]] inline D clamped(T v, D nan) {
  constexpr bool is_signed = std::signed_integral<D>;
  constexpr int bits = sizeof(D) * 8 - (is_signed ? 1 : 0);
  constexpr T end = T(std::uint64_t{1} << (bits - 1)) * 2;  // one above the largest
  constexpr T low = is_signed ? -end : T{0};
  constexpr D largest = std::numeric_limits<D>::max();
  const bool inside = (v >= low) & (v < end);
  const T safe = inside ? v : T{0};
  D r;
  if constexpr (std::same_as<D, std::uint32_t>) {  // AVX2 converts to signed integers only
    constexpr T middle = T(0x1p31);
    const bool upper = safe >= middle;
    const auto low_part = static_cast<std::int32_t>(upper ? safe - middle : safe);
    r = static_cast<std::uint32_t>(low_part) ^ choose(upper, 0x80000000u, 0u);
  } else if constexpr (sizeof(D) < 4) {
    r = static_cast<D>(static_cast<std::int32_t>(safe));
  } else {
    r = static_cast<D>(safe);
  }
  const D outside = v >= end ? largest : v < low ? std::numeric_limits<D>::min() : nan;
  return choose(inside, r, outside);
}

/// .sat of an integer result: clamped to the range of D.
template <integer D, integer S>
[[gnu::always_inline]] constexpr D clamped(S v) {
  using limits = std::numeric_limits<D>;
  S r = v;
  if constexpr (std::signed_integral<S> && !std::signed_integral<D>) r = r < S{0} ? S{0} : r;
  // Limits that S cannot hold never bind.
  if constexpr (limits::digits < std::numeric_limits<S>::digits)
    r = r > static_cast<S>(limits::max()) ? static_cast<S>(limits::max()) : r;
  if constexpr (std::signed_integral<S> && std::signed_integral<D> && sizeof(D) < sizeof(S))
    r = r < static_cast<S>(limits::min()) ? static_cast<S>(limits::min()) : r;
  return static_cast<D>(r);
}

template <integer S>
[[gnu::always_inline]] constexpr exact exactly(S v) {
  const bool negative = v < S{0};
  const auto wide = static_cast<std::uint64_t>(v);  // with the sign extended
  return {negative, 0, negative ? 0 - wide : wide};
}

/// An integer to a number of the host or a half, rounded once.
template <real D, rounding R, integer S>
[[gnu::always_inline]] inline D from_integer(S v) {
  constexpr bool fits_double = sizeof(S) < 8;
  if constexpr (std::same_as<D, double> && fits_double) return static_cast<double>(v);
  if constexpr (native<D> && R == rounding::rn) return static_cast<D>(v);
  if constexpr (std::same_as<D, float> && fits_double) return to_single<R>(static_cast<double>(v));
  if constexpr (half<D> && fits_double)
    return narrowed<D, R>(static_cast<double>(v));
  else
    return rounded<D, R>(exactly(v));
}

/// The NaN of D that a NaN of S becomes where its payload is kept: the same sign and the upper part
/// of the payload, made quiet.
template <real D, real S>
[[gnu::always_inline]] constexpr D nan_in(S x) {
  using d = format<D>;
  using s = format<S>;
  constexpr int shift = d::precision - s::precision;
  const bits_t<S> b = bits_of(x);
  const auto payload = static_cast<bits_t<S>>(b & (s::min_normal - 1));
  bits_t<D> r;
  if constexpr (shift >= 0)
    r = static_cast<bits_t<D>>(static_cast<bits_t<D>>(payload) << shift);
  else
    r = static_cast<bits_t<D>>(payload >> -shift);
  const bits_t<D> sign = (b & s::sign) != 0 ? d::sign : bits_t<D>{0};
  return from_bits<D>(static_cast<bits_t<D>>(r | sign | d::infinity | d::quiet));
}

/// A narrower number to f64, exactly. The payload of NaN is kept and the NaN made quiet; measured
/// on an H200: that of f16 too, but with .ftz the NaN of f32 becomes the canonical one first.
template <bool Ftz, real S>
[[gnu::always_inline]] inline double doubled(S x) {
  const auto wide = static_cast<double>(widest_carrier(x));
  return choose(is_nan(x), nan_in<double>(Ftz ? canonical_nan<S> : x), wide);
}

/// .ftz, .sat and .relu of a result in D; a NaN is canonical where payloads are not kept.
template <bool Ftz, bool Sat, bool Relu, real D>
[[gnu::always_inline]] inline D finished_conversion(D x) {
  if constexpr (half<D>) {
    return finished<false, Sat, Relu>(choose(is_nan(x), canonical_nan<D>, x));
  } else {
    static_assert(!Relu);
    return saturate<Sat>(flush < Ftz && std::same_as < D, float >> (is_nan(x) ? handed_on(x) : x));
  }
}

/// Between floating-point formats, rounded once by R if D is narrower, to an integral value if R is
/// integral.
template <real D, real S, rounding R, bool Ftz>
[[gnu::always_inline]] inline D reformatted(S s) {
  using enum rounding;
  if constexpr (is_integral(R)) {
    static_assert(std::same_as<D, S>, "integral rounding is of equal types");
    const auto v = integral<direction(R)>(widest_carrier(s));
    if constexpr (half<D>)
      return nearest<D>(v);
    else
      return v;
  } else if constexpr (std::same_as<D, S>) {
    return s;
  } else if constexpr (native<D>) {
    if constexpr (std::same_as<D, float> && std::same_as<S, double>)
      return to_single<R>(s);
    else if constexpr (std::same_as<D, double>)
      return doubled<Ftz>(s);
    else
      return widened(s);
  } else {
    constexpr rounding direct = half<S> && R == none ? rn : R;
    if constexpr (direct == rn && !std::same_as<S, double>)
      return nearest<D>(widest_carrier(s));
    else
      return narrowed<D, direct>(static_cast<double>(widest_carrier(s)));
  }
}

/// cvt{.R}{.ftz}{.sat}{.relu}.D.S. The decoder checks which modifiers PTX allows; .ftz concerns
/// operands and results of f32 only. A plain cvt.f32.f32 or cvt.f64.f64 is a move, and cvt.f32.bf16
/// is a shift (ptxas 13.0): these keep every bit of NaN. Narrow integer results are not extended.
/// Measured on an H200: cvt.f16.f16 and cvt.bf16.bf16 make a NaN the canonical one; f64 to a
/// narrower type keeps the NaN's sign and payload; to f16 by rm or rp, .ftz does not flush the
/// operand; to f32, .ftz flushes what was rounded (2^-126 * (1 - 2^-24) from f64 becomes 2^-126).
template <class D, class S, rounding R = rounding::none, bool Ftz = false, bool Sat = false,
          bool Relu = false>
[[gnu::always_inline]] inline D convert(S s) {
  if constexpr (integer<S> && integer<D>) {
    static_assert(R == rounding::none && !Ftz && !Relu);
    if constexpr (Sat)
      return clamped<D>(s);
    else
      return static_cast<D>(s);
  } else if constexpr (integer<S>) {
    constexpr bool exact_result = std::same_as<D, double> && sizeof(S) < 8;
    static_assert(is_direction(R) || (R == rounding::none && exact_result));
    constexpr rounding used = R == rounding::none ? rounding::rn : R;
    return finished_conversion<Ftz, Sat, Relu>(from_integer<D, used>(s));
  } else {
    constexpr bool flushes = Ftz && std::same_as<S, float> && !std::same_as<D, f16>;
    const S in = flush<flushes>(s);
    if constexpr (integer<D>) {
      static_assert(is_integral(R) && !Relu);
      const auto v = widest_carrier(in);
      if constexpr (R == rounding::rzi)
        return clamped(v, integer_of_nan<D, S>);
      else
        return clamped(integral<direction(R)>(v), integer_of_nan<D, S>);
    } else {
      constexpr bool moved =
          native<D> && std::same_as<D, S> && R == rounding::none && !Ftz && !Sat && !Relu;
      constexpr bool keeps_nan = std::same_as<S, double> && !std::same_as<D, double> && !Sat;
      constexpr bool shifted = std::same_as<D, float> && std::same_as<S, bf16> && !Ftz && !Sat;
      const D r = reformatted<D, S, R, Ftz>(in);
      if constexpr (moved || shifted)
        return r;
      else if constexpr (keeps_nan)
        return choose(is_nan(in), nan_in<D>(in), finished_conversion<Ftz, Sat, Relu>(r));
      else
        return finished_conversion<Ftz, Sat, Relu>(r);
    }
  }
}

/// cvt.R{.relu}.f16x2.f32 and .bf16x2.f32: `a` goes to the upper half of the result.
template <half H, rounding R, bool Relu = false>
[[gnu::always_inline]] inline std::uint32_t convert_pair(float a, float b) {
  const H high = convert<H, float, R, false, false, Relu>(a);
  const H low = convert<H, float, R, false, false, Relu>(b);
  return std::uint32_t{high.bits} << 16 | low.bits;
}

}  // namespace ptxlab::machine::math
