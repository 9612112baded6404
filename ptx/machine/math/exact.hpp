// SPDX-License-Identifier: Apache-2.0
// Exact values as 128-bit integers times a power of two, and the one place that rounds such a value
// into a format. Used where no host operation gives the right rounding.
#pragma once

#include <cmath>

#include "ptx/machine/math/rounding.hpp"

namespace ptxlab::machine::math {

__extension__ using uint128 = unsigned __int128;

/// (-1)^negative * significand * 2^exponent. The significand is below 2^127. Its lowest bit may
/// stand for "some more, less than one unit" (a sticky bit) if at least two lower bits are rounded
/// off.
struct exact {
  bool negative = false;
  int exponent = 0;
  uint128 significand = 0;
};

/// Bits up to and with the leading one; 0 for 0.
constexpr int bit_length(uint128 v) {
  const auto high = static_cast<std::uint64_t>(v >> 64);
  const auto low = static_cast<std::uint64_t>(v);
  return static_cast<int>(high != 0 ? 64 + std::bit_width(high) : std::bit_width(low));
}

/// Of a finite number.
template <real T>
constexpr exact exactly(T x) {
  using f = format<T>;
  const bits_t<T> b = bits_of(x);
  const int biased = static_cast<int>((b & f::magnitude) >> (f::precision - 1));
  const bits_t<T> fraction = static_cast<bits_t<T>>(b & (f::min_normal - 1));
  const int exponent = (biased == 0 ? 1 : biased) - f::bias - (f::precision - 1);
  return {(b & f::sign) != 0, exponent,
          biased == 0 ? uint128{fraction} : uint128{fraction} + f::min_normal};
}

/// Whether rounding in direction R goes away from zero on overflow and for a remainder of half.
template <rounding R>
constexpr bool goes_away(bool negative) {
  return (R == rounding::rm && negative) || (R == rounding::rp && !negative);
}

/// Rounds once into T, with subnormal numbers, overflow to the largest number or to infinity by
/// direction (IEEE 754-2019, 4.3 and 7.4). A zero keeps its sign.
template <real T, rounding R>
constexpr T rounded(const exact& v) {
  static_assert(is_direction(R));
  using f = format<T>;
  const bits_t<T> sign = v.negative ? f::sign : bits_t<T>{0};
  if (v.significand == 0) return from_bits<T>(sign);
  const int top = v.exponent + bit_length(v.significand) - 1;
  if (top > f::bias) {
    constexpr bool nearest = R == rounding::rn;
    const bool away = nearest || goes_away<R>(v.negative);
    return from_bits<T>(static_cast<bits_t<T>>(sign | (away ? f::infinity : f::largest)));
  }
  const int unit = (top > f::emin ? top : f::emin) - (f::precision - 1);
  int shift = unit - v.exponent;
  uint128 whole = v.significand, rest = 0, half = 1;
  if (shift <= 0) {
    whole <<= -shift;
  } else {
    const bool far = shift > 127;  // less than half a unit
    if (far) shift = 2;
    rest = far ? 1 : whole & ((uint128{1} << shift) - 1);
    whole = far ? 0 : whole >> shift;
    half = uint128{1} << (shift - 1);
  }
  const bool up = R == rounding::rn ? rest > half || (rest == half && (whole & 1) != 0)
                                    : goes_away<R>(v.negative) && rest != 0;
  whole += up ? 1 : 0;
  // The implicit bit adds one to the exponent field, and so does a carry out of the significand.
  const auto field = static_cast<bits_t<T>>(unit + f::precision - 1 + f::bias - 1);
  const auto b = static_cast<bits_t<T>>((static_cast<std::uint64_t>(field) << (f::precision - 1)) +
                                        static_cast<std::uint64_t>(whole));
  return from_bits<T>(static_cast<bits_t<T>>(sign | b));
}

/// Shifted so that the leading bit is bit 125: a sum of two such stays below 2^127.
constexpr exact normalised(exact v) {
  const int shift = 126 - bit_length(v.significand);
  v.significand <<= shift;
  v.exponent -= shift;
  return v;
}

/// Of two significands of at most 64 bits.
constexpr exact product(const exact& a, const exact& b) {
  return {a.negative != b.negative, a.exponent + b.exponent, a.significand * b.significand};
}

/// Of two values of at most 106 significant bits, with a sticky bit below. A zero sum has the sign
/// that rounding R gives it (IEEE 754-2019, 6.3).
template <rounding R>
constexpr exact sum(const exact& a, const exact& b) {
  const bool zero_sign = R == rounding::rm ? a.negative || b.negative : a.negative && b.negative;
  if (a.significand == 0 && b.significand == 0) return {zero_sign, 0, 0};
  if (a.significand == 0) return b;
  if (b.significand == 0) return a;
  exact large = normalised(a), small = normalised(b);
  if (large.exponent < small.exponent ||
      (large.exponent == small.exponent && large.significand < small.significand)) {
    const exact swapped = large;
    large = small;
    small = swapped;
  }
  const int gap = large.exponent - small.exponent;
  if (gap > 126) {
    small.significand = 1;
  } else {
    const uint128 lost = small.significand & ((uint128{1} << gap) - 1);
    small.significand = (small.significand >> gap) | (lost != 0 ? 1 : 0);
  }
  if (large.negative == small.negative)
    large.significand += small.significand;
  else
    large.significand -= small.significand;
  if (large.significand == 0) large.negative = zero_sign;
  return large;
}

/// Of two values other than zero, the divisor of at most 64 bits: 62 or more bits and a sticky bit.
constexpr exact quotient(const exact& a, const exact& b) {
  const exact n = normalised(a);
  const uint128 q = n.significand / b.significand;
  const bool rest = n.significand % b.significand != 0;
  return {a.negative != b.negative, n.exponent - b.exponent, q | (rest ? 1 : 0)};
}

/// The root of a positive number, given the host's root (which IEEE 754 rounds to nearest).
inline exact root(double a, double nearest) {
  exact v = exactly(a), s = exactly(nearest);
  v.significand <<= v.exponent - 2 * s.exponent;  // to the unit of the square: at most 107 bits
  const uint128 square = s.significand * s.significand;
  s.significand <<= 2;
  s.exponent -= 2;
  if (square < v.significand) s.significand += 1;
  if (square > v.significand) s.significand -= 1;
  return s;
}

}  // namespace ptxlab::machine::math
