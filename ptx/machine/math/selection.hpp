// SPDX-License-Identifier: Apache-2.0
// min, max, neg, abs, copysign, testp and the comparisons of setp and set, for every floating-point
// format (PTX ISA 9.0, "Floating Point Instructions", "Half Precision Floating Point Instructions",
// "Comparison and Selection Instructions").
#pragma once

#include "ptx/machine/math/half.hpp"
#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

/// Integers that order numbers as min and max do: -0 below +0.
template <real T>
[[gnu::always_inline]] constexpr typename format<T>::signed_type order_key(T x) {
  using signed_type = typename format<T>::signed_type;
  const auto b = static_cast<signed_type>(bits_of(x));
  const auto negative = static_cast<signed_type>(b >> (sizeof(T) * 8 - 1));
  return static_cast<signed_type>(b ^ (negative & static_cast<signed_type>(format<T>::magnitude)));
}

/// Without its sign, also of NaN.
template <real T>
[[gnu::always_inline]] constexpr T unsigned_of(T x) {
  return from_bits<T>(static_cast<bits_t<T>>(bits_of(x) & format<T>::magnitude));
}

/// min (Max: max) of numbers; a NaN operand gives the other one, with Nan a NaN; two of them give
/// the canonical NaN (f64: the second, made quiet, as the DSETP sequence of ptxas 13.0 does).
template <bool Max, bool Nan, native T>
[[gnu::always_inline]] constexpr T extreme(T a, T b) {
  const T ordered = Max ? (a > b ? a : b) : (a < b ? a : b);  // b if one is NaN
  // Equal numbers are the same or zeros.
  const bits_t<T> common = Max ? bits_of(a) & bits_of(b) : bits_of(a) | bits_of(b);
  const T number = a == b ? from_bits<T>(common) : ordered;
  if constexpr (Nan) {
    const bool na = is_nan(a), nb = is_nan(b);
    return (na | nb) ? canonical_nan<T> : number;
  } else {
    const T either = is_nan(b) ? a : number;
    const T nan = handed_on(b);
    return is_nan(either) ? nan : either;
  }
}

/// The same of halves, by integers.
template <bool Max, bool Nan, half T>
[[gnu::always_inline]] constexpr T extreme(T a, T b) {
  const bool first = Max ? order_key(a) > order_key(b) : order_key(a) < order_key(b);
  const bool na = is_nan(a), nb = is_nan(b);
  const bits_t<T> in_a = bits_of(a), in_b = bits_of(b), number = first ? in_a : in_b;
  if constexpr (Nan) {
    return (na | nb) ? canonical_nan<T> : from_bits<T>(number);
  } else {
    const bits_t<T> nan = bits_of(handed_on(b)), other = na ? in_b : number;
    const bits_t<T> either = nb ? in_a : other;
    return from_bits<T>((na & nb) ? nan : either);
  }
}

template <bool Max, bool Ftz, bool Nan, bool Xorsign_abs, real T>
[[gnu::always_inline]] constexpr T extreme_of_two(T x, T y) {
  static_assert(!std::same_as<T, double> || (!Ftz && !Nan && !Xorsign_abs));
  static_assert(!std::same_as<T, bf16> || !Ftz);
  const T a = flush<Ftz>(x), b = flush<Ftz>(y);
  if constexpr (!Xorsign_abs) return extreme<Max, Nan>(a, b);
  const T r = extreme<Max, Nan>(unsigned_of(a), unsigned_of(b));
  const auto sign = static_cast<bits_t<T>>((bits_of(a) ^ bits_of(b)) & format<T>::sign);
  const bits_t<T> kept = choose(is_nan(r), bits_t<T>{0}, sign);
  return from_bits<T>(static_cast<bits_t<T>>(bits_of(r) | kept));
}

template <bool Ftz = false, bool Nan = false, bool Xorsign_abs = false, real T>
[[gnu::always_inline]] constexpr T min(T a, T b) {
  return extreme_of_two<false, Ftz, Nan, Xorsign_abs>(a, b);
}

template <bool Ftz = false, bool Nan = false, bool Xorsign_abs = false, real T>
[[gnu::always_inline]] constexpr T max(T a, T b) {
  return extreme_of_two<true, Ftz, Nan, Xorsign_abs>(a, b);
}

template <bool Max, bool Ftz, bool Nan, bool Abs>
[[gnu::always_inline]] constexpr float extreme_of_three(float x, float y, float z) {
  float a = flush<Ftz>(x), b = flush<Ftz>(y), c = flush<Ftz>(z);
  if constexpr (Abs) {
    a = unsigned_of(a);
    b = unsigned_of(b);
    c = unsigned_of(c);
  }
  return extreme<Max, Nan>(extreme<Max, Nan>(a, b), c);
}

/// min.f32 with three inputs (sm_100 and later).
template <bool Ftz = false, bool Nan = false, bool Abs = false>
[[gnu::always_inline]] constexpr float min3(float a, float b, float c) {
  return extreme_of_three<false, Ftz, Nan, Abs>(a, b, c);
}

template <bool Ftz = false, bool Nan = false, bool Abs = false>
[[gnu::always_inline]] constexpr float max3(float a, float b, float c) {
  return extreme_of_three<true, Ftz, Nan, Abs>(a, b, c);
}

/// The one place that says what neg and abs make of a NaN: `r`, made of `x`, is one too. ptxas 13.0
/// compiles a lone neg or abs to an addition of -0, so the NaN is that of arithmetic; measured on
/// an H200: that of f64 keeps its sign.
template <real T>
[[gnu::always_inline]] constexpr T sign_changed(T x, T r) {
  return is_nan(r) ? handed_on(x) : r;
}

template <bool Ftz = false, real T>
[[gnu::always_inline]] constexpr T neg(T x) {
  const T a = flush<Ftz>(x);
  return sign_changed(a, from_bits<T>(static_cast<bits_t<T>>(bits_of(a) ^ format<T>::sign)));
}

template <bool Ftz = false, real T>
[[gnu::always_inline]] constexpr T abs(T x) {
  const T a = flush<Ftz>(x);
  return sign_changed(a, unsigned_of(a));
}

/// The sign of `a` on the magnitude of `b`: the order of operands is PTX's, not that of C.
template <native T>
[[gnu::always_inline]] constexpr T copysign(T a, T b) {
  return from_bits<T>((bits_of(a) & format<T>::sign) | (bits_of(b) & format<T>::magnitude));
}

enum class property : std::uint8_t { finite, infinite, number, notanumber, normal, subnormal };

/// testp; a zero counts as normal (PTX ISA 9.0, "testp").
template <property P, native T>
[[gnu::always_inline]] constexpr bool testp(T x) {
  using signed_type = typename format<T>::signed_type;
  constexpr auto infinity = static_cast<signed_type>(format<T>::infinity);
  constexpr auto min_normal = static_cast<signed_type>(format<T>::min_normal);
  const signed_type m = magnitude_key(x);
  const bool subnormal = (m != 0) & (m < min_normal);
  if constexpr (P == property::finite) return m < infinity;
  if constexpr (P == property::infinite) return m == infinity;
  if constexpr (P == property::number) return m <= infinity;
  if constexpr (P == property::notanumber) return m > infinity;
  if constexpr (P == property::normal) return (m < infinity) & !subnormal;
  return subnormal;
}

/// Comparison operators: those with u are true, the others false, if an operand is NaN.
enum class comparison : std::uint8_t {
  eq,
  ne,
  lt,
  le,
  gt,
  ge,
  equ,
  neu,
  ltu,
  leu,
  gtu,
  geu,
  num,
  nan
};

/// The operator of a comparison of what is ordered: lt for lt and ltu.
constexpr comparison operator_of(comparison c) {
  const auto n = static_cast<unsigned>(c), with_nan = static_cast<unsigned>(comparison::equ);
  return static_cast<comparison>(n < with_nan ? n : n - with_nan);
}

/// eq to ge as the host compares.
template <comparison C, class T>
[[gnu::always_inline]] constexpr bool holds(T a, T b) {
  using enum comparison;
  if constexpr (C == eq) return a == b;
  if constexpr (C == ne) return a != b;
  if constexpr (C == lt) return a < b;
  if constexpr (C == le) return a <= b;
  if constexpr (C == gt) return a > b;
  return a >= b;
}

/// Integers that order halves as numbers: both zeros are 0.
template <half T>
[[gnu::always_inline]] constexpr auto value_key(T x) {
  const auto magnitude = magnitude_key(x);
  const bool negative = (bits_of(x) & format<T>::sign) != 0;
  return choose(negative, static_cast<decltype(magnitude)>(-magnitude), magnitude);
}

template <real T>
[[gnu::always_inline]] constexpr bool unordered(T a, T b) {
  if constexpr (native<T>)
    return __builtin_isunordered(a, b);
  else
    return is_nan(a) | is_nan(b);
}

template <class T>
concept comparable = real<T> || integer<T>;

/// setp and set. Integers are always ordered, so they have eq to ge only.
template <comparison C, bool Ftz = false, comparable T>
[[gnu::always_inline]] constexpr bool compare(T x, T y) {
  using enum comparison;
  if constexpr (integer<T>) {
    static_assert(C <= ge && !Ftz);
    return holds<C>(x, y);
  } else {
    const T a = flush<Ftz>(x), b = flush<Ftz>(y);
    const bool has_nan = unordered(a, b);
    if constexpr (C == num) return !has_nan;
    if constexpr (C == comparison::nan) return has_nan;
    constexpr comparison op = operator_of(C);
    const bool truth = [&] {
      if constexpr (half<T>)
        return holds<op>(value_key(a), value_key(b));
      else
        return holds<op>(a, b);
    }();
    if constexpr (C >= equ) return truth | has_nan;
    // The host's operators are false of NaN, but for !=.
    if constexpr (native<T> && C != ne) return truth;
    return truth & !has_nan;
  }
}

/// What set writes: 1.0 or all ones for true, 0 for false.
template <class D>
[[gnu::always_inline]] constexpr D set_value(bool truth) {
  if constexpr (real<D>)
    return from_bits<D>(truth ? format<D>::one : bits_t<D>{0});
  else
    return truth ? static_cast<D>(~D{0}) : D{0};
}

}  // namespace ptxlab::machine::math
