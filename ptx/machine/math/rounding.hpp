// SPDX-License-Identifier: Apache-2.0
// The types and rounding modes that the scalar semantics of PTX are written over, the bit layout of
// each floating-point format, and exact integer arithmetic that is rounded once into any of them.
//
// Interface of ptx/machine/math, for whoever picks a function by type and modifiers. Types are
// std::[u]intN_t, f16, bf16, float and double; modifiers are template arguments in the order in
// which PTX writes them (rounding, .ftz, .sat, .relu), false where left out. A modifier that PTX
// does not have for a type does not compile.
//   floating.hpp     add sub mul <R, Ftz, Sat>(a, b), fma <R, Ftz, Sat>(a, b, c),
//                    div <R, Ftz>(a, b), rcp sqrt <R, Ftz>(a)                    f32 and f64
//   half.hpp         add sub mul <R, Ftz, Sat>(a, b), fma <R, Ftz, Sat, Relu>    f16 and bf16
//   selection.hpp    min max <Ftz, Nan, Xorsign_abs>(a, b), min3 max3 <Ftz, Nan, Abs>(a, b, c),
//                    neg abs <Ftz>(a), copysign(a, b), testp<property>(a),
//                    compare<comparison, Ftz>(a, b), set_value<D>(bool)          all four, integers
//   convert.hpp      convert<D, S, R, Ftz, Sat, Relu>(a), convert_pair<T, R, Relu>(a, b)
//   approximate.hpp  div_approx, ex2_approx ... <Ftz>(a), bound_of, perturbed
// All are free of state, of the host's rounding mode and of its FTZ/DAZ flags. Loops over lanes
// call first and select then: `const float r = add(a[i], b[i]); d[i] = on[i] ? r : d[i];`. Compile
// them with -ffp-contract=off, which the results depend on, and with -fno-trapping-math, without
// which g++ 12 does not vectorise conversions to integers and half-precision arithmetic.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

namespace ptxlab::machine::math {

/// Rounding modifiers (PTX ISA 9.0, "Rounding Modifiers"): to nearest even, to zero, to minus and
/// to plus infinity; with i: to an integral value. none: the instruction has no such modifier.
enum class rounding : std::uint8_t { none, rn, rz, rm, rp, rni, rzi, rmi, rpi };

/// The direction of an integral rounding, else the rounding itself.
constexpr rounding direction(rounding r) {
  switch (r) {
    case rounding::rni:
      return rounding::rn;
    case rounding::rzi:
      return rounding::rz;
    case rounding::rmi:
      return rounding::rm;
    case rounding::rpi:
      return rounding::rp;
    default:
      return r;
  }
}

constexpr bool is_direction(rounding r) {
  return r >= rounding::rn && r <= rounding::rp;
}
constexpr bool is_integral(rounding r) {
  return r >= rounding::rni;
}

/// A half-precision number as a register holds it (binary16).
struct f16 {
  std::uint16_t bits;
  friend bool operator==(f16, f16) = default;  ///< of bits: -0 differs from +0, NaN equals itself
};

/// A bfloat16 number as a register holds it: the upper half of a binary32.
struct bf16 {
  std::uint16_t bits;
  friend bool operator==(bf16, bf16) = default;  ///< of bits
};

/// What the formats share: Precision counts the implicit bit. NaN results are `canonical_nan`
/// unless keeps_payload, in which case a NaN operand is handed on with its quiet bit set and
/// canonical_nan is what an invalid operation makes of numbers.
template <class Bits, class Signed, int Precision, int Bias, Bits Nan, bool Keeps_payload>
struct layout {
  using bits_type = Bits;
  using signed_type = Signed;
  static constexpr int precision = Precision;
  static constexpr int bias = Bias;
  static constexpr int emin = 1 - Bias;  ///< exponent of the smallest normal number
  static constexpr Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
  static constexpr Bits magnitude = static_cast<Bits>(~sign);
  static constexpr Bits infinity = static_cast<Bits>(Bits{2 * Bias + 1} << (Precision - 1));
  static constexpr Bits largest = static_cast<Bits>(infinity - 1);
  static constexpr Bits min_normal = static_cast<Bits>(Bits{1} << (Precision - 1));
  static constexpr Bits one = static_cast<Bits>(Bits{Bias} << (Precision - 1));
  static constexpr Bits quiet = static_cast<Bits>(Bits{1} << (Precision - 2));
  static constexpr Bits canonical_nan = Nan;
  static constexpr bool keeps_payload = Keeps_payload;
};

/// PTX ISA 9.0, "Floating Point Instructions": NaN payloads are supported for f64; f32 gives an
/// unspecified NaN, which on hardware is 0x7fffffff. The NaN that f64 operations make is the one
/// of CUDA's math_constants.h (CUDART_NAN).
template <class T>
struct format;
template <>
struct format<f16> : layout<std::uint16_t, std::int16_t, 11, 15, 0x7fff, false> {};
template <>
struct format<bf16> : layout<std::uint16_t, std::int16_t, 8, 127, 0x7fff, false> {};
template <>
struct format<float> : layout<std::uint32_t, std::int32_t, 24, 127, 0x7fffffffu, false> {};
template <>
struct format<double> : layout<std::uint64_t, std::int64_t, 53, 1023, 0xfff8000000000000u, true> {};

template <class T>
using bits_t = typename format<T>::bits_type;

template <class T>
concept half = std::same_as<T, f16> || std::same_as<T, bf16>;
template <class T>
concept native = std::same_as<T, float> || std::same_as<T, double>;
template <class T>
concept real = half<T> || native<T>;
template <class T>
concept integer = std::integral<T>;

template <real T>
[[gnu::always_inline]] constexpr bits_t<T> bits_of(T x) {
  return std::bit_cast<bits_t<T>>(x);
}

template <real T>
[[gnu::always_inline]] constexpr T from_bits(bits_t<T> bits) {
  return std::bit_cast<T>(bits);
}

template <real T>
inline constexpr T canonical_nan = from_bits<T>(format<T>::canonical_nan);

/// The number without its sign, as a signed integer: these compare as the magnitudes do, and
/// signed comparisons are those that AVX2 has.
template <real T>
[[gnu::always_inline]] constexpr typename format<T>::signed_type magnitude_key(T x) {
  return static_cast<typename format<T>::signed_type>(bits_of(x) & format<T>::magnitude);
}

/// c ? a : b, written so that g++ does not move the computation of either into a branch, which
/// would keep it from vectorising the loop.
template <class T>
[[gnu::always_inline]] constexpr T choose(bool c, T a, T b) {
  if constexpr (std::integral<T>) {
    const T all = static_cast<T>(T{0} - static_cast<T>(c));
    return static_cast<T>(b ^ ((a ^ b) & all));
  } else {
    return from_bits<T>(choose(c, bits_of(a), bits_of(b)));
  }
}

template <real T>
[[gnu::always_inline]] constexpr bool is_nan(T x) {
  if constexpr (native<T>)
    return x != x;
  else
    return magnitude_key(x) > static_cast<typename format<T>::signed_type>(format<T>::infinity);
}

/// .ftz: a subnormal number becomes the zero of its sign.
template <bool Ftz, real T>
[[gnu::always_inline]] constexpr T flush(T x) {
  if constexpr (!Ftz) return x;
  using signed_type = typename format<T>::signed_type;
  const bool tiny = magnitude_key(x) < static_cast<signed_type>(format<T>::min_normal);
  const bits_t<T> kept = static_cast<bits_t<T>>(bits_of(x) & format<T>::sign);
  return from_bits<T>(tiny ? kept : bits_of(x));
}

/// .sat: clamped to [+0, 1], NaN becomes +0. That -0 becomes +0 too is read from ptxas 13.0, which
/// compiles cvt.sat.f32.f32 to an addition to +0 with saturation.
template <bool Sat, native T>
[[gnu::always_inline]] constexpr T saturate(T x) {
  if constexpr (!Sat) return x;
  const T low = x > T{0} ? x : T{0};
  return low < T{1} ? low : T{1};
}

/// A NaN that is handed on: made quiet, or the canonical one where payloads are not kept.
template <real T>
[[gnu::always_inline]] constexpr T handed_on(T nan) {
  if constexpr (format<T>::keeps_payload)
    return from_bits<T>(static_cast<bits_t<T>>(bits_of(nan) | format<T>::quiet));
  else
    return canonical_nan<T>;
}

/// The NaN rule of arithmetic with result `r`: the canonical NaN, and for f64 the first of
/// `operands` that is NaN, made quiet.
template <native T, class... Operand>
[[gnu::always_inline]] constexpr T nan_rule(T r, Operand... operands) {
  T nan = canonical_nan<T>;
  if constexpr (format<T>::keeps_payload) {
    const T in[] = {operands...};
    if constexpr (sizeof...(operands) > 2) nan = is_nan(in[2]) ? handed_on(in[2]) : nan;
    if constexpr (sizeof...(operands) > 1) nan = is_nan(in[1]) ? handed_on(in[1]) : nan;
    nan = is_nan(in[0]) ? handed_on(in[0]) : nan;
  }
  return is_nan(r) ? nan : r;
}

}  // namespace ptxlab::machine::math
