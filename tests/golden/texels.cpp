// SPDX-License-Identifier: Apache-2.0
#include "tests/golden/texels.hpp"

#include <bit>
#include <cstring>

#include "tests/golden/numbers.hpp"

namespace ptxlab::golden {
namespace {

using machine::channel_type;
using machine::texture_description;

unsigned channel_width(const texture_description& d) {
  return machine::texel_bytes(d) / d.channels * 8;
}
bool is_floating(channel_type t) {
  return t == channel_type::f16 || t == channel_type::f32;
}
bool is_signed(channel_type t) {
  return t == channel_type::s8 || t == channel_type::s16 || t == channel_type::s32;
}
layout format_of(channel_type t) {
  return layout_of(t == channel_type::f16 ? machine::type::f16 : machine::type::f32);
}

std::uint64_t ordinary(const texture_description& d, generator& g) {
  if (is_floating(d.channel)) {
    const int exponent = 1 - static_cast<int>(g.below(6));
    const bool negative = g.below(2) != 0;
    return number(format_of(d.channel), negative, exponent, g.bits());
  }
  const std::uint64_t top = std::uint64_t{1} << (channel_width(d) - 1);
  const std::uint64_t few[] = {0, ~std::uint64_t{0}, top, top - 1, top + 1, 1};
  return g.below(4) == 0 ? few[g.below(6)] : g.bits();
}

std::uint64_t wild(const texture_description& d, generator& g) {
  const layout f = format_of(d.channel);
  const std::uint64_t infinity = static_cast<std::uint64_t>(2 * f.bias + 1) << f.mantissa;
  const std::uint64_t few[] = {infinity, infinity | 1, infinity - 1, 1};
  const std::uint64_t sign = g.below(2) << (f.width - 1);
  return g.below(4) == 0 ? sign | few[g.below(4)] : g.bits();
}

/// Of channel k of texel (x, y), where y counts the rows of all slices, among `n` texels.
std::uint64_t channel(const textured& t, std::uint64_t x, std::uint64_t y, std::uint64_t n,
                      unsigned k, generator& g) {
  const texture_description& d = t.what;
  switch (t.content) {
    case texel_content::ordinary:
      return ordinary(d, g);
    case texel_content::wild:
      return wild(d, g);
    case texel_content::steps: {
      const bool one = (x + y + k) % 2 != 0;
      return !one ? 0 : is_floating(d.channel) ? number(format_of(d.channel), false, 0, 0) : 1;
    }
    case texel_content::ramp:
      break;
  }
  const std::uint64_t most = mask_of(channel_width(d));
  const std::uint64_t value = (y * d.width + x + k * 7) % n * most / (n - 1);
  return is_signed(d.channel) ? value ^ std::uint64_t{1} << (channel_width(d) - 1) : value;
}

}  // namespace

std::vector<std::byte> texels_of(const textured& t) {
  const texture_description& d = t.what;
  generator g(std::uint64_t{d.width} * 1000003 + d.height * 1009 + d.depth * 13 + d.layers * 7 +
              static_cast<std::uint64_t>(d.channel) + d.channels * 100);
  const std::uint64_t bytes = machine::texel_bytes(d), row = d.width * bytes;
  const std::uint64_t pitch = d.pitch_bytes != 0 ? d.pitch_bytes : row;
  std::vector<std::byte> out(machine::texture_bytes(d));
  const std::uint64_t rows = (out.size() + pitch - 1) / pitch, width = bytes / d.channels;
  for (std::uint64_t y = 0; y < rows; ++y)
    for (std::uint64_t x = 0; x < d.width; ++x)
      for (unsigned k = 0; k < d.channels; ++k) {
        const std::uint64_t bits = channel(t, x, y, rows * d.width, k, g);
        std::memcpy(out.data() + y * pitch + x * bytes + k * width, &bits, width);
      }
  return out;
}

}  // namespace ptxlab::golden
