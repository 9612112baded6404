// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/elements.hpp"

#include <array>

namespace ptxlab::golden {
namespace {

using machine::type;

/// Kinds of numbers, in order of the warps that have them.
enum class kind : std::uint8_t {
  ordinary,   ///< near 1, all digits
  wide,       ///< of many exponents
  sparse,     ///< powers of two of many exponents, and zeros
  integers,   ///< -8 to 8
  low,        ///< subnormal numbers and those above them
  high,       ///< up to the largest ones
  special,    ///< ordinary ones, and now and then an infinity, a NaN, an end of the range
  cancelling  ///< of three magnitudes, so that sums leave little or nothing
};

kind kind_of(unsigned warp) {
  constexpr std::array<unsigned, 7> ends = {8, 12, 16, 17, 20, 23, 28};
  for (unsigned k = 0; k < ends.size(); ++k)
    if (warp < ends[k]) return static_cast<kind>(k);
  return kind::cancelling;
}

/// Largest power of two away from 1 that `wide` numbers have: their products are normal floats.
int reach(const layout& f) {
  return f.bias == 15 ? 14 : 40;
}

std::uint64_t integer(const layout& f, generator& g) {
  const std::uint64_t n = g.below(9);
  const bool negative = g.below(2) != 0;
  if (n == 0) return number(f, negative, -f.bias, 0);
  int exponent = 3;
  while ((n >> exponent) == 0) --exponent;
  return number(f, negative, exponent, n << (63 - exponent) << 1);
}

std::uint64_t special(const layout& f, generator& g) {
  const std::uint64_t infinity = static_cast<std::uint64_t>(2 * f.bias + 1) << f.mantissa;
  const std::uint64_t sign = g.below(2) << (f.width - 1);
  const std::uint64_t few[] = {infinity,
                               infinity | 1,
                               infinity - 1,
                               infinity | std::uint64_t{1} << (f.mantissa - 1),
                               0,
                               1,
                               infinity,
                               std::uint64_t{1} << f.mantissa};
  return sign | few[g.below(8)];
}

/// One of three magnitudes that differ from warp to warp, and are the same for all of its lanes.
std::uint64_t cancelling(const layout& f, unsigned warp, generator& g) {
  generator shared(warp);
  const std::uint64_t fraction = shared.bits();
  const int exponent = static_cast<int>(shared.below(4));
  const bool negative = g.below(2) != 0;
  switch (g.below(4)) {
    case 0:
      return number(f, negative, exponent - 9, shared.bits());
    case 1:
      return number(f, negative, exponent, fraction) ^ 1;
    default:
      return number(f, negative, exponent, fraction);
  }
}

std::uint64_t floating(const layout& f, unsigned warp, generator& g) {
  const bool negative = g.below(2) != 0;
  const auto within = [&](int low, int high) {
    return low + static_cast<int>(g.below(static_cast<std::uint64_t>(high - low + 1)));
  };
  switch (kind_of(warp)) {
    case kind::ordinary:
      return number(f, negative, within(-3, 3), g.bits());
    case kind::wide:
      return number(f, negative, within(-reach(f), reach(f)), g.bits());
    case kind::sparse:
      return g.below(2) != 0 ? number(f, negative, -f.bias, 0)
                             : number(f, negative, within(-reach(f), reach(f)), 0);
    case kind::integers:
      return integer(f, g);
    case kind::low:
      return number(f, negative, within(-f.bias, -f.bias / 2), g.bits());
    case kind::high:
      return number(f, negative, within(f.bias / 2 - 2, f.bias), g.bits());
    case kind::special:
      return g.below(64) == 0 ? special(f, g) : number(f, negative, within(-3, 3), g.bits());
    case kind::cancelling:
      break;
  }
  return cancelling(f, warp, g);
}

std::uint64_t whole(unsigned width, generator& g) {
  const std::uint64_t top = std::uint64_t{1} << (width - 1);
  const std::uint64_t few[] = {0, 1, ~std::uint64_t{0}, top, top - 1, top | 1};
  return g.below(4) == 0 ? few[g.below(6)] : g.bits();
}

}  // namespace

std::uint64_t element_word(const operand& o, unsigned i, generator& g) {
  const unsigned width = machine::bits(o.type), warp = i / 32;
  std::uint64_t word = 0;
  for (unsigned at = 0; at < 64; at += width) {
    std::uint64_t x = 0;
    if (!machine::is_floating(o.type))
      x = whole(width, g);
    else if (o.as == use::small_elements)
      x = integer(layout_of(o.type), g);
    else
      x = floating(layout_of(o.type), warp, g);
    if (o.as == use::tf32_elements) x &= ~std::uint64_t{0x1fff};
    word |= (x & mask_of(width)) << at;
  }
  return word;
}

}  // namespace ptxlab::golden
