// SPDX-License-Identifier: Apache-2.0
// Units in the last place: how far a float lies from the real number that it stands for.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace ptxlab::accuracy {

/// Infinity, for distances: the first power of two that no float reaches. An exact value beyond it
/// counts as this too, so that overflow is right where IEEE 754 has it.
inline constexpr double overflow = 0x1p128;

/// 2^(max(e, -126) - 23) for 2^e <= |exact| < 2^(e+1), the spacing of floats there: Goldberg's
/// definition (1991) for all reals, as in Muller, "On the definition of ulp(x)" (2005), section 2.
/// From `overflow` on that of the largest float. This is the exponent.
inline int ulp_exponent(double exact) {
  const auto biased = static_cast<int>(std::bit_cast<std::uint64_t>(exact) >> 52) & 0x7ff;
  return std::clamp(biased - 1023, -126, 127) - 23;
}
/// 2^exponent, of a normal double.
inline double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}
inline double ulp_of(double exact) {
  return power_of_two(ulp_exponent(exact));
}

/// `x`, or +-`overflow` for what is beyond; NaN stays.
inline double within_overflow(double x) {
  x = x > overflow ? overflow : x;
  return x < -overflow ? -overflow : x;
}

/// |got - exact| in units of the last place of `exact`; NaN where either is NaN.
inline double error_in_ulp(float got, double exact) {
  const double wanted = within_overflow(exact);
  const double away = std::abs(within_overflow(static_cast<double>(got)) - wanted);
  return away * power_of_two(-ulp_exponent(wanted));
}

/// The float's place in the order of all floats; 0 for both zeros. Floats next to each other are 1
/// apart, and infinity follows the largest.
inline std::int32_t place_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto magnitude = static_cast<std::int32_t>(bits & 0x7fffffff);
  return bits >> 31 != 0 ? -magnitude : magnitude;
}

/// How many floats `got` is away from `right`: what the CUDA C++ Programming Guide calls the error
/// in ulp where `right` is correctly rounded. Neither may be NaN.
inline double floats_between(float got, float right) {
  return std::abs(static_cast<double>(place_of(got)) - static_cast<double>(place_of(right)));
}

}  // namespace ptxlab::accuracy
