// SPDX-License-Identifier: Apache-2.0
// Numbers of 16 bits, two in a word, by way of double: for the steps of timed kernels.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/unit/machine/timed_model.hpp"

namespace ptxlab::machine {

// A format of 16 bits: bits of the significand with the hidden one, smallest exponent of a normal.
struct half_format {
  int precision, least_exponent;
};
inline constexpr half_format f16{11, -14}, bf16{8, -126};

inline double decoded_half(std::uint32_t h, half_format f) {
  const int stored = f.precision - 1;
  const int exponent = static_cast<int>(h >> stored & ((1U << (15 - stored)) - 1));
  const auto fraction = static_cast<double>(h & ((1U << stored) - 1));
  const double one = exponent == 0 ? 0 : std::ldexp(1.0, stored);
  const double value =
      std::ldexp(fraction + one, std::max(exponent, 1) - 1 + f.least_exponent - stored);
  return (h & 0x8000) != 0 ? -value : value;
}
// Rounds to nearest, ties to even; no NaN, no infinity, no overflow.
inline std::uint32_t encoded_half(double v, half_format f) {
  const std::uint32_t sign = std::signbit(v) ? 0x8000 : 0;
  const int stored = f.precision - 1;
  const int exponent = v == 0 ? f.least_exponent : std::max(std::ilogb(v), f.least_exponent);
  const auto units =
      static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::abs(v), stored - exponent)));
  // Units of a normal number have the hidden one, which adds 1 to the exponent's field.
  return sign | ((static_cast<std::uint32_t>(exponent - f.least_exponent) << stored) + units);
}
template <class F>
timed_model both_halves(half_format f, F op) {
  return each<std::uint32_t>([f, op](std::uint32_t x, std::uint32_t a, std::uint32_t b) {
    std::uint32_t out = 0;
    for (const unsigned at : {0U, 16U})
      out |= encoded_half(op(decoded_half(x >> at & 0xffff, f), decoded_half(a >> at & 0xffff, f),
                             decoded_half(b >> at & 0xffff, f)),
                          f)
             << at;
    return out;
  });
}

}  // namespace ptxlab::machine
