// SPDX-License-Identifier: Apache-2.0
// What golden operands are made of: random numbers that are the same on every host, and the formats
// of floating-point numbers.
#pragma once

#include <algorithm>
#include <cstdint>

#include "ptx/machine/type.hpp"

namespace ptxlab::golden {

/// Numbers that are the same in every build and on every host (splitmix64).
class generator {
 public:
  explicit generator(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
    x = (x ^ x >> 27) * 0x94d049bb133111eb;
    return x ^ x >> 31;
  }
  std::uint64_t below(std::uint64_t n) { return (bits() >> 32) * n >> 32; }

 private:
  std::uint64_t state_;
};

/// A format of floating-point numbers, in bits; of a pair, that of one.
struct layout {
  unsigned width, mantissa;
  int bias;
};
inline layout layout_of(machine::type t) {
  using machine::type;
  switch (t) {
    case type::f16:
    case type::f16x2:
      return {16, 10, 15};
    case type::bf16:
    case type::bf16x2:
      return {16, 7, 127};
    case type::f32:
      return {32, 23, 127};
    default:
      return {64, 52, 1023};
  }
}
inline std::uint64_t mask_of(unsigned width) {
  return width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

/// Sign, exponent of two and fraction (its top bits first) as a number of the format; exponents
/// below its normal numbers give a subnormal one.
inline std::uint64_t number(const layout& f, bool negative, int exponent, std::uint64_t fraction) {
  const int highest = 2 * f.bias;
  const auto biased = static_cast<std::uint64_t>(std::clamp(exponent + f.bias, 0, highest));
  return std::uint64_t{negative} << (f.width - 1) | biased << f.mantissa |
         fraction >> (64 - f.mantissa);
}

}  // namespace ptxlab::golden
