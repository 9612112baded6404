// SPDX-License-Identifier: Apache-2.0
// Sums of products as the tensor cores of an H200 form them. PTX leaves order and rounding of mma
// and wmma open (PTX ISA 9.0, "mma": the order is undefined); the rules here were fitted to golden
// values and give all their bits (docs/data/h200).
//
// All products and the addend, an f32, are one sum. Products are exact. All are aligned to the
// largest exponent among them: that of a product is the sum of its factors' (so that its
// significand may be up to 4), a subnormal number has its format's lowest one, zeros have none. Of
// each, 25 bits behind the point are kept and the rest is cut off; these are added exactly. The
// sum is cut to an f32 or rounded to an f16, to nearest even; from 2^128 or what rounds to 2^16 it
// is infinite. A sum that is 0 or becomes it is +0. NaN, infinity times 0 and infinities of both
// signs give the canonical NaN.
//
// Not measured: the sign of an f32 that a negative sum below 2^-149 is cut to, and whether a
// subnormal addend that was an f16 is aligned by f16's lowest exponent.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "ptx/machine/math/half.hpp"

namespace ptxlab::machine::math {

inline constexpr unsigned most_products = 16;  ///< of one sum

/// A row of A or a column of B.
struct dot_factors {
  double values[most_products];
  std::int16_t exponents[most_products];
};

// The exponent of what is no number or none of its own, so that sums of two are told from numbers'.
inline constexpr std::int16_t exponent_of_none = -4096, exponent_of_no_number = 12288;

/// By which a number of a format with the lowest exponent `lowest` is aligned.
inline std::int16_t dot_exponent(double x, int lowest) {
  const auto biased = static_cast<int>(bits_of(x) >> 52 & 0x7ff);
  if (biased == 0) return exponent_of_none;
  if (biased == 0x7ff) return exponent_of_no_number;
  return static_cast<std::int16_t>(std::max(biased - 1023, lowest));
}

/// A sum as an f32: the nearest one that is not farther from 0.
inline float cut(double x) {
  if (!(std::fabs(x) < 0x1p128)) return nan_rule(static_cast<float>(x));
  if (std::fabs(x) < 0x1p-149) return 0;
  const auto nearest = static_cast<float>(x);
  const bool away = std::fabs(static_cast<double>(nearest)) > std::fabs(x);
  return from_bits<float>(bits_of(nearest) - (away ? 1u : 0u));
}

/// A sum as an f16.
inline f16 rounded_once(double x) {
  const f16 r = narrowed<f16, rounding::rn>(x);
  return r.bits == format<f16>::sign ? f16{0} : r;
}

/// The sum of the first `count` products, at most most_products, and an f32, before it is cut or
/// rounded.
inline double dot(const dot_factors& a, const dot_factors& b, unsigned count, float addend) {
  constexpr int kept = 25;
  const auto more = static_cast<double>(addend);
  std::int16_t highest = dot_exponent(more, -126);
  for (unsigned k = 0; k < count; ++k)
    highest = std::max(highest, static_cast<std::int16_t>(a.exponents[k] + b.exponents[k]));
  if (highest < exponent_of_none / 2) return 0;
  if (highest >= exponent_of_no_number + exponent_of_none) {
    double sum = more;
    for (unsigned k = 0; k < count; ++k) sum += a.values[k] * b.values[k];
    return sum;
  }
  const auto power = [](int e) {
    return from_bits<double>(static_cast<std::uint64_t>(1023 + e) << 52);
  };
  // A product is below 2^27 units, so that sixteen are below 2^31.
  const double units = power(kept - highest);
  std::int32_t sum = 0;
  for (unsigned k = 0; k < count; ++k)
    sum += static_cast<std::int32_t>(a.values[k] * b.values[k] * units);
  const std::int64_t whole = std::int64_t{sum} + static_cast<std::int32_t>(more * units);
  return static_cast<double>(whole) * power(highest - kept);
}

}  // namespace ptxlab::machine::math
