// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/operands.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/golden/coordinates.hpp"
#include "tests/golden/elements.hpp"
#include "tests/golden/numbers.hpp"

namespace ptxlab::golden {
namespace {

using machine::type;

/// Edges that are paired each with each when an instruction has two operands.
constexpr std::size_t paired = 24;

bool is_pair(type t) {
  return t == type::f16x2 || t == type::bf16x2;
}
std::vector<std::uint64_t> floating_edges(const layout& f) {
  const std::uint64_t infinity = static_cast<std::uint64_t>(2 * f.bias + 1) << f.mantissa;
  const std::uint64_t smallest_normal = std::uint64_t{1} << f.mantissa;
  const std::uint64_t quiet = infinity | smallest_normal >> 1;
  constexpr std::uint64_t half = std::uint64_t{1} << 63;
  const auto plain = [&](int exponent, std::uint64_t fraction = 0) {
    return number(f, false, exponent, fraction);
  };
  const std::uint64_t sign = std::uint64_t{1} << (f.width - 1);
  std::vector<std::uint64_t> out = {0,
                                    sign,
                                    1,
                                    sign | (smallest_normal - 1),
                                    smallest_normal,
                                    plain(0),
                                    sign | plain(0),
                                    plain(0, half),
                                    plain(-1),
                                    sign | plain(1, half / 2),
                                    plain(0) + 1,
                                    plain(0) - 1,
                                    plain(1),
                                    plain(static_cast<int>(f.mantissa)),
                                    plain(static_cast<int>(f.mantissa) + 1) + 1,
                                    plain(-f.bias / 2),
                                    sign | plain(f.bias / 2),
                                    infinity - 1,
                                    sign | (infinity - 1),
                                    infinity,
                                    sign | infinity,
                                    quiet,
                                    infinity | 1,
                                    sign | quiet | 5};
  // Halves, for ties when rounding to an integer, and the limits of the integer types.
  for (const int e : {0, 1, 2, 6, 10})
    for (const std::uint64_t fraction : {half >> e, half | half >> (e + 1), half >> e | half >> 9})
      out.insert(out.end(), {plain(e, fraction), sign | plain(e, fraction)});
  for (const int e : {-1, 7, 8, 15, 16, 31, 32, 63, 64})
    for (const std::uint64_t x : {plain(e), plain(e) - 1, plain(e) + 1})
      out.insert(out.end(), {x, sign | x});
  // Around the smallest and largest numbers of f16 and f32, as sources of conversions.
  for (const int e : {-25, -24, -15, -14, -150, -149, -127, -126, 127, 128})
    for (const std::uint64_t fraction : {std::uint64_t{0}, half, ~std::uint64_t{0} << 40})
      out.push_back(plain(e, fraction));
  out.insert(out.end(),
             {2, 3, smallest_normal - 1, smallest_normal / 2, sign | 1, sign | smallest_normal,
              smallest_normal + 1, sign | quiet, infinity | (smallest_normal >> 2)});
  return out;
}

std::vector<std::uint64_t> integer_edges(unsigned width) {
  const std::uint64_t all = mask_of(width), top = std::uint64_t{1} << (width - 1);
  std::vector<std::uint64_t> out = {0,
                                    1,
                                    all,
                                    top,
                                    top - 1,
                                    2,
                                    3,
                                    all - 1,
                                    top + 1,
                                    top - 2,
                                    5,
                                    31,
                                    32,
                                    0x7fff,
                                    0x8000,
                                    0xffff,
                                    0x5555555555555555,
                                    0xaaaaaaaaaaaaaaaa,
                                    0x00ff00ff00ff00ff,
                                    0x8080808080808080,
                                    0x7f7f7f7f7f7f7f7f,
                                    0x0102030405060708,
                                    0x80007fff80007fff,
                                    0xffff0000ffff0000};
  for (unsigned k = 2; k < width; ++k)
    for (const int d : {-1, 0, 1}) {
      const std::uint64_t x = (std::uint64_t{1} << k) + static_cast<std::uint64_t>(d);
      out.push_back(x);
      if (k % 8 == 0 || k % 8 == 7) out.push_back(~x + 1);
    }
  for (std::uint64_t& x : out) x &= all;
  return out;
}

std::vector<std::uint64_t> edges_of(const operand& o) {
  switch (o.as) {
    case use::amount: {
      std::vector<std::uint64_t> out = {0,  1,  2,  5,  7,  8,  15, 16, 17, 23,  24,  30,
                                        31, 32, 33, 47, 48, 63, 64, 65, 70, 255, 256, 0xffffffff};
      for (std::uint64_t k = 3; k < 70; ++k) out.push_back(k);
      out.insert(out.end(), {127, 128, 257, 0x10000, 0x10020, 0x80000000, 0x80000001});
      return out;
    }
    case use::lane:
      return {0, 31, 1, 30, 15, 16};
    case use::count:
      return {0, 1, ~std::uint64_t{0}, 2, 31, 32, 33};
    case use::few:
      return {0, 1, 2, 3};
    case use::bits:
      return {0, 0xffffffff};
    default:
      break;
  }
  if (o.type == type::pred) return {0, 1};
  if (!machine::is_floating(o.type)) return integer_edges(std::max(machine::bits(o.type), 8U));
  std::vector<std::uint64_t> out = floating_edges(layout_of(o.type));
  if (!is_pair(o.type)) return out;
  const std::vector<std::uint64_t> half = out;
  for (std::size_t i = 0; i < half.size(); ++i) out[i] |= half[(7 * i + 3) % half.size()] << 16;
  return out;
}

/// A number with few digits, near 1 more often than far from it.
std::uint64_t short_number(const layout& f, generator& g) {
  constexpr int lowest[] = {-3, -20, -70, -152}, highest[] = {4, 20, 70, 130};
  const std::size_t range = g.below(4);
  const int exponent =
      lowest[range] +
      static_cast<int>(g.below(static_cast<std::uint64_t>(highest[range] - lowest[range])));
  const std::uint64_t kept = g.below(f.mantissa + 1);
  const std::uint64_t fraction = kept == 0 ? 0 : g.bits() & ~std::uint64_t{0} << (64 - kept);
  return number(f, g.below(2) != 0, exponent, fraction);
}

std::uint64_t random_value(const operand& o, generator& g,
                           const std::vector<std::uint64_t>& edges) {
  switch (o.as) {
    case use::amount:
      return g.below(4) != 0 ? g.below(71) : g.bits() & 0xffffffff;
    case use::lane:
      return g.below(32);
    case use::count:
      return static_cast<std::uint32_t>(g.below(67)) - 33U;
    case use::few:
      return g.below(4);
    case use::bits:
      return g.bits();
    default:
      break;
  }
  if (o.type == type::pred) return g.below(2);
  const std::uint64_t how = g.below(10);
  if (how < 2) return edges[g.below(edges.size())];
  if (how < 6) return g.bits();
  if (!machine::is_floating(o.type)) {
    const std::uint64_t x = g.bits() >> g.below(64);  // of any length
    return g.below(2) != 0 ? x : ~x + 1;
  }
  const layout f = layout_of(o.type);
  const std::uint64_t low = short_number(f, g);
  return is_pair(o.type) ? low | short_number(f, g) << 16 : low;
}

std::uint32_t float_of(std::uint64_t half, bool brain) {
  const auto h = static_cast<std::uint32_t>(half & 0xffff);
  if (brain) return h << 16;
  const std::uint32_t exponent = h >> 10 & 31;
  if (exponent == 0 || exponent == 31) return 0;
  return (h & 0x8000) << 16 | (exponent + 112) << 23 | (h & 0x3ff) << 13;
}
/// Cut off, and 0 for what is no normal number of the format.
std::uint64_t half_of(std::uint32_t x, bool brain) {
  if (brain) return x >> 16;
  const std::uint32_t exponent = x >> 23 & 255;
  if (exponent <= 112 || exponent > 142) return 0;
  return (x >> 16 & 0x8000) | (exponent - 112) << 10 | (x >> 13 & 0x3ff);
}
/// -(a * b), near enough; 0 where that is not finite. Plain arithmetic of the host that no change
/// of the machine's own can change.
template <class T>
T negated_product(T a, T b) {
  const T p = a * b;
  return std::isfinite(p) ? -p : T{0};
}

/// A third operand that nearly cancels the product of the first two: what tells one rounding from
/// two.
std::uint64_t cancelling(type t, std::uint64_t a, std::uint64_t b, generator& g) {
  const auto step = static_cast<std::uint64_t>(static_cast<std::int64_t>(g.below(5)) - 2);
  if (t == type::f64)
    return std::bit_cast<std::uint64_t>(
               negated_product(std::bit_cast<double>(a), std::bit_cast<double>(b))) +
           step;
  const auto single = [](std::uint32_t x, std::uint32_t y) {
    return std::bit_cast<std::uint32_t>(
        negated_product(std::bit_cast<float>(x), std::bit_cast<float>(y)));
  };
  if (t == type::f32)
    return single(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b)) + step;
  const bool brain = t == type::bf16 || t == type::bf16x2;
  const auto half = [&](unsigned shift) {
    const std::uint32_t p = single(float_of(a >> shift, brain), float_of(b >> shift, brain));
    return ((half_of(p, brain) + step) & 0xffff) << shift;
  };
  return is_pair(t) ? half(0) | half(16) : half(0);
}

}  // namespace

bool is_elements(const operand& o) {
  return o.as == use::elements || o.as == use::small_elements || o.as == use::tf32_elements;
}
bool is_coordinate(const operand& o) {
  return o.as == use::texels || o.as == use::fraction || o.as == use::texel || o.as == use::layer;
}
unsigned operand_bits(const operand& o) {
  return is_elements(o) ? 64 : o.type == type::pred ? 1 : machine::bits(o.type);
}

std::vector<std::uint64_t> operand_words(const std::vector<operand>& operands) {
  std::uint64_t seed = operands.size();
  for (const operand& o : operands)
    seed = seed * 1000 + static_cast<std::uint64_t>(o.type) * 10 +
           static_cast<std::uint64_t>(o.as) + std::uint64_t{o.extent} * 7919;
  generator g(seed);
  if (!operands.empty() && is_coordinate(operands.front())) return coordinate_words(operands, g);
  const std::size_t n = operands.size();
  std::vector<std::vector<std::uint64_t>> edges;
  for (const operand& o : operands) edges.push_back(edges_of(o));
  std::vector<std::uint64_t> out(n * tuples);
  const auto at = [&](std::size_t k, unsigned i) -> std::uint64_t& { return out[k * tuples + i]; };
  const bool multiplies = n == 3 && operands[0].as == use::value &&
                          machine::is_floating(operands[0].type) && operands[1] == operands[0] &&
                          operands[2] == operands[0];
  for (unsigned i = 0; i < tuples; ++i) {
    for (std::size_t k = 0; k < n; ++k) {
      const auto& e = edges[k];
      if (is_elements(operands[k]))
        at(k, i) = element_word(operands[k], i, g);
      else if (n == 1 && i < e.size())
        at(k, i) = e[i];
      else if (n == 2 && i < paired * paired)
        at(k, i) = e[(k == 0 ? i / paired : i % paired) % e.size()];
      else if (n > 2 && i < tuples / 4)
        at(k, i) = e[g.below(std::min(paired, e.size()))];
      else if (n > 2 && i < tuples / 2)
        at(k, i) = e[g.below(e.size())];
      else
        at(k, i) = random_value(operands[k], g, e);
    }
    if (multiplies && i >= tuples - tuples / 4)
      at(2, i) = cancelling(operands[0].type, at(0, i), at(1, i), g);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (unsigned i = 0; i < tuples; ++i) at(k, i) &= mask_of(operand_bits(operands[k]));
  return out;
}

}  // namespace ptxlab::golden
