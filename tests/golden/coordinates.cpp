// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/coordinates.hpp"

#include <bit>
#include <cmath>

namespace ptxlab::golden {
namespace {

/// Threads in which one coordinate is special and the others are not.
constexpr unsigned special_threads = 48;

std::uint32_t as_bits(double x) {
  return std::bit_cast<std::uint32_t>(static_cast<float>(x));
}
/// From texels to what the operand is counted in.
std::uint32_t placed(const operand& o, double texels) {
  return as_bits(o.as == use::fraction ? texels / o.extent : texels);
}

std::vector<std::uint64_t> whole_specials(const operand& o) {
  const std::uint64_t n = o.extent;
  return {0,          n - 1,      n,          n + 1,      0xffffffff, 0x7fffffff,
          0x80000000, 0x80000001, 0x10000,    0xffff,     0xffff0000, n + 0x10000,
          2 * n,      3 * n - 1,  0xfffffffe, 0x40000000, 0x8000,     0x20000};
}

}  // namespace

std::vector<std::uint64_t> coordinate_specials(const operand& o) {
  if (o.as == use::texel || o.as == use::layer) return whole_specials(o);
  std::vector<std::uint64_t> out = {0x00000000, 0x80000000,      0x00000001,       0x80000001,
                                    0x007fffff, 0x00800000,      0x7f800000,       0xff800000,
                                    0x7fc00000, 0xffc00000,      0x7f800001,       0x7f7fffff,
                                    0xff7fffff, as_bits(0x1p31), as_bits(-0x1p31), as_bits(0x1p24)};
  for (const double x : {1e10, 32767.5, 65536.25, 131072.75, 1000.5, 8191.998})
    out.insert(out.end(), {as_bits(x), as_bits(-x)});
  for (const double x : {0x1p15 + 0.3, 0x1p16 + 0.7, 0x1p20 + 0.4})
    out.insert(out.end(), {as_bits(x / o.extent), as_bits(-x / o.extent)});
  return out;
}

std::vector<std::uint64_t> coordinate_edges(const operand& o) {
  if (o.as == use::texel || o.as == use::layer) return whole_specials(o);
  const double n = o.extent;
  std::vector<double> places = {-1.0,    -0.5,    -0.25,     -n,        -n - 0.25, n + 0.5,
                                n + 1.0, 2.0 * n, 2 * n + 1, n + 0.125, -n + 0.5,  n + 0.75};
  for (const double texel : {0.0, 1.0, 2.0, std::floor(n / 2), n - 2, n - 1, n}) {
    places.insert(places.end(), {texel, texel + 0.5});
    for (const int step : {1, 3, 127, 129, 255}) places.push_back(texel + step / 256.0);
    // Between two weights.
    for (const int half : {1, 3, 127, 129, 255, 257, 383, 509, 511})
      places.push_back(texel + half / 512.0);
  }
  std::vector<std::uint64_t> out;
  for (const double x : places) {
    const std::uint32_t middle = placed(o, x);
    out.push_back(middle);
    if (x != 0) out.insert(out.end(), {middle - 1, middle + 1});
  }
  return out;
}

std::uint64_t random_coordinate(const operand& o, generator& g) {
  if (o.as == use::layer) return g.below(o.extent);
  if (o.as == use::texel) return (g.below(std::uint64_t{o.extent} + 4) + 0xfffffffe) & 0xffffffff;
  const auto n = static_cast<double>(o.extent);
  const std::uint64_t how = g.below(8);
  const double range = how == 0 ? 3 * n : how < 3 ? n + 1 : n;
  // So many steps between two texels: ties between weights are common, and rare.
  constexpr double steps[] = {512, 1024, 4096, 0x1p30};
  const double step = steps[g.below(4)];
  const double x = n / 2 - range / 2 + static_cast<double>(g.bits() >> 11) * 0x1p-53 * range;
  return placed(o, static_cast<double>(static_cast<std::int64_t>(x * step)) / step);
}

std::vector<std::uint64_t> coordinate_words(const std::vector<operand>& operands, generator& g) {
  const std::size_t n = operands.size();
  std::vector<std::uint64_t> out(n * tuples);
  for (std::size_t k = 0; k < n; ++k) {
    const auto specials = coordinate_specials(operands[k]), edges = coordinate_edges(operands[k]);
    for (unsigned i = 0; i < tuples; ++i) {
      const std::size_t first = special_threads * n;
      std::uint64_t& word = out[k * tuples + i];
      if (i / special_threads == k)
        word = specials[i % special_threads % specials.size()];
      else if (n == 1 && i >= first && i - first < edges.size())
        word = edges[i - first];
      else if (n > 1 && i >= first && operands[k].as != use::layer && g.below(2) != 0)
        word = edges[g.below(edges.size())];
      else
        word = random_coordinate(operands[k], g);
    }
  }
  return out;
}

}  // namespace ptxlab::golden
