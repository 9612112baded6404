// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>
#include <span>

#include "ptx/machine/blending.hpp"

namespace ptxlab::machine {
namespace {

/// Wrapping and mirroring need normalised coordinates; without them the driver clamps (CUDA
/// Runtime API, cudaTextureDesc::addressMode).
address_mode mode_of(const texture_description& d, unsigned dimension) {
  const address_mode m = d.modes[dimension];
  const bool periodic = m == address_mode::wrap || m == address_mode::mirror;
  return periodic && !d.normalized_coordinates ? address_mode::clamp : m;
}

/// Digits behind the point that a normalised coordinate keeps, as measured on an H200 with extents
/// of 5 to 1000, and of 30000. From where on there are more is not measured.
int fraction_digits(std::uint32_t extent) {
  return extent <= 16384 ? 21 : 22;
}

/// The coordinate in texels. Subnormal ones are 0. A normalised one is cut off downwards before it
/// is multiplied. What a mode repeats is brought near 0 first, so that it is exact; the rest is cut
/// off far enough outside that no filter can see it.
double in_texels(const texture_description& d, unsigned dimension, float coordinate) {
  const double n = extent(d, dimension);
  double x = std::fabs(coordinate) < 0x1p-126F ? 0 : coordinate;
  if (d.normalized_coordinates) {
    const address_mode m = mode_of(d, dimension);
    const int digits = fraction_digits(extent(d, dimension));
    x = std::ldexp(std::floor(std::ldexp(x, digits)), -digits);
    if (m == address_mode::wrap) x = x - std::floor(x);
    if (m == address_mode::mirror) x = x - 2 * std::floor(x / 2);
    x *= n;
  }
  if (std::isnan(x)) return 0;  // of infinities that are repeated, too
  return std::clamp(x, -4.0, 2 * n + 4);
}

/// The texel of `n` that texel number i stands for, if it is one.
std::optional<std::uint32_t> folded(std::int64_t i, std::uint32_t n, address_mode m) {
  const std::int64_t size = n;
  switch (m) {
    case address_mode::wrap:
      return static_cast<std::uint32_t>((i % size + size) % size);
    case address_mode::mirror: {
      const std::int64_t k = (i % (2 * size) + 2 * size) % (2 * size);
      return static_cast<std::uint32_t>(k < size ? k : 2 * size - 1 - k);
    }
    case address_mode::clamp:
      return static_cast<std::uint32_t>(std::clamp<std::int64_t>(i, 0, size - 1));
    case address_mode::border:
      break;
  }
  if (i < 0 || i >= size) return std::nullopt;
  return static_cast<std::uint32_t>(i);
}

std::uint64_t offset_of(const texture_description& d, const std::array<std::uint32_t, 3>& at,
                        std::uint32_t layer) {
  const std::uint64_t texel = texel_bytes(d);
  if (d.storage == texel_storage::pitched) return at[1] * d.pitch_bytes + at[0] * texel;
  const std::uint64_t slice = layered(d.shape) ? std::min(layer, d.layers - 1) : at[2];
  return ((slice * extent(d, 1) + at[1]) * extent(d, 0) + at[0]) * texel;
}

/// Dimensions that a filter has. That of a 1D texture has a second one, whose coordinate is 0: with
/// a border, half of what it gives is border. Measured on an H200; a layered one has none.
unsigned filter_dimensions(texture_shape s) {
  return s == texture_shape::d1 ? 2 : dimensions(s);
}

/// Weights of 8 corners, x first. Each product is rounded to 8 bits, z with x and then with y; what
/// is left is the other corner's, so that all are 256. Halves go to the next texel, but in y beside
/// the lower texel in x. Measured on an H200.
std::array<std::uint32_t, 8> corner_weights(const std::array<filter_position, 3>& at) {
  std::array<std::uint32_t, 8> out;
  for (unsigned z = 0; z < 2; ++z) {
    const std::uint32_t slice = z != 0 ? at[2].weight : 256 - at[2].weight;
    const std::uint32_t next_x = (slice * at[0].weight + 128) >> 8;
    for (unsigned x = 0; x < 2; ++x) {
      const std::uint32_t column = x != 0 ? next_x : slice - next_x;
      const std::uint32_t next_y = (column * at[1].weight + (x != 0 ? 128 : 127)) >> 8;
      out[4 * z + x] = column - next_y;
      out[4 * z + 2 + x] = next_y;
    }
  }
  return out;
}

/// The corners of a filter around `at`.
footprint corners_around(const texture_description& d, const std::array<filter_position, 3>& at,
                         std::uint32_t layer) {
  footprint f;
  const unsigned n = filter_dimensions(d.shape);
  const std::array<std::uint32_t, 8> weights = corner_weights(at);
  f.count = 1U << n;
  f.filters = true;
  for (unsigned c = 0; c < f.count; ++c) {
    footprint::corner& corner = f.corners[c];
    std::array<std::uint32_t, 3> texel = {};
    corner.weight = weights[c];
    corner.inside = true;
    corner.counts = true;
    for (unsigned k = 0; k < n; ++k) {
      const unsigned next = c >> k & 1;
      const auto i = folded(at[k].texel + next, extent(d, k), mode_of(d, k));
      corner.inside = corner.inside && i.has_value();
      corner.counts = corner.counts && (next == 0 || at[k].weight != 0);
      texel[k] = i.value_or(0);
    }
    if (corner.inside) corner.offset = offset_of(d, texel, layer);
  }
  return f;
}

/// The position in each dimension. Where both texels are the outermost one, clamped, the second has
/// no weight.
footprint filtered(const texture_description& d, const std::array<float, 3>& x,
                   std::uint32_t layer) {
  std::array<filter_position, 3> at;
  for (unsigned k = 0; k < filter_dimensions(d.shape); ++k) {
    at[k] = fixed(in_texels(d, k, k < dimensions(d.shape) ? x[k] : 0) - 0.5);
    const bool beyond = at[k].texel < 0 || at[k].texel + 1 >= std::int64_t{extent(d, k)};
    if (beyond && mode_of(d, k) == address_mode::clamp) at[k].weight = 0;
  }
  return corners_around(d, at, layer);
}

/// Bits of one channel of a texel, integers extended to 32 bits.
std::uint32_t channel_bits(channel_type t, const std::byte* texel, unsigned channel) {
  const auto load = [&](auto v) {
    std::memcpy(&v, texel + channel * sizeof v, sizeof v);
    return v;
  };
  switch (t) {
    case channel_type::u8:
      return load(std::uint8_t{});
    case channel_type::s8:
      return static_cast<std::uint32_t>(std::int32_t{load(std::int8_t{})});
    case channel_type::u16:
      return load(std::uint16_t{});
    case channel_type::s16:
      return static_cast<std::uint32_t>(std::int32_t{load(std::int16_t{})});
    case channel_type::f16:
      return widened_half(load(std::uint16_t{}));
    default:
      return load(std::uint32_t{});
  }
}

/// The value of an integer channel as a fraction of the largest one: CUDA C++ Programming Guide,
/// cudaReadModeNormalizedFloat. The least signed one is -1, as the one above it.
double normalized(channel_type t, std::uint32_t bits) {
  const auto value = static_cast<std::int32_t>(bits);
  switch (t) {
    case channel_type::u8:
      return value / 255.0;
    case channel_type::s8:
      return std::max(value / 127.0, -1.0);
    case channel_type::u16:
      return value / 65535.0;
    default:
      return std::max(value / 32767.0, -1.0);
  }
}

bool has_float_channels(const texture_description& d) {
  return d.channel == channel_type::f16 || d.channel == channel_type::f32;
}

/// A channel of one corner: see filter_term::bits.
std::uint32_t corner_bits(const texture_description& d, const footprint& f,
                          const footprint::corner& c, unsigned channel, const std::byte* texels) {
  if (!c.inside) return f.beyond_is_zero ? 0 : border_bits(d, channel);
  return channel_bits(d.channel, texels + c.offset, channel);
}

/// The channel of one corner, as a register gets it.
std::uint32_t unfiltered(const texture_description& d, const footprint& f,
                         const footprint::corner& c, unsigned channel, const std::byte* texels) {
  if (channel >= d.channels || (!c.inside && f.beyond_is_zero)) return 0;
  const std::uint32_t bits = corner_bits(d, f, c, channel, texels);
  if (has_float_channels(d) || !reads_floats(d)) return bits;
  return std::bit_cast<std::uint32_t>(static_cast<float>(normalized(d.channel, bits)));
}

}  // namespace

filter_position fixed(double x) {
  if (std::isnan(x)) x = 0;
  const auto steps = static_cast<std::int64_t>(std::floor(x * 256 + 0.5));
  return {steps >> 8, static_cast<std::uint32_t>(steps & 255)};
}

footprint at_coordinates(const texture_description& d, const std::array<float, 3>& x,
                         std::uint32_t layer) {
  if (d.filter == filter_mode::linear) return filtered(d, x, layer);
  footprint f;
  f.count = 1;
  footprint::corner& c = f.corners[0];
  std::array<std::uint32_t, 3> texel = {};
  c.inside = true;
  for (unsigned k = 0; k < dimensions(d.shape); ++k) {
    const auto i = static_cast<std::int64_t>(std::floor(in_texels(d, k, x[k])));
    const auto at = folded(i, extent(d, k), mode_of(d, k));
    c.inside = c.inside && at.has_value();
    texel[k] = at.value_or(0);
  }
  if (c.inside) c.offset = offset_of(d, texel, layer);
  return f;
}

footprint at_texel(const texture_description& d, const std::array<std::int32_t, 3>& x,
                   std::uint32_t layer, beyond b) {
  footprint f;
  f.count = 1;
  f.beyond_is_zero = true;
  footprint::corner& c = f.corners[0];
  std::array<std::uint32_t, 3> texel = {};
  const address_mode m = b == beyond::clamp ? address_mode::clamp : address_mode::border;
  // One dimension is read from linear memory only.
  c.inside = d.shape != texture_shape::d1 || d.storage == texel_storage::linear;
  if (layered(d.shape) && layer >= d.layers && b == beyond::zero) c.inside = false;
  for (unsigned k = 0; k < dimensions(d.shape); ++k) {
    const auto at = folded(x[k], extent(d, k), m);
    c.inside = c.inside && at.has_value();
    texel[k] = at.value_or(0);
  }
  if (c.inside) c.offset = offset_of(d, texel, layer);
  return f;
}

footprint around(const texture_description& d, const std::array<float, 3>& x, std::uint32_t layer) {
  footprint f = filtered(d, x, layer);
  f.filters = false;
  return f;
}

std::array<std::uint32_t, 4> sample(const texture_description& d, const footprint& f,
                                    const std::byte* texels) {
  std::array<std::uint32_t, 4> out;
  for (unsigned k = 0; k < 4; ++k) {
    if (!f.filters || k >= d.channels) {
      out[k] = unfiltered(d, f, f.corners[0], k, texels);
      continue;
    }
    std::array<filter_term, 8> terms;
    for (unsigned c = 0; c < f.count; ++c)
      terms[c] = {corner_bits(d, f, f.corners[c], k, texels), f.corners[c].weight,
                  f.corners[c].counts};
    out[k] = blended(d.channel, std::span(terms).first(f.count));
  }
  return out;
}

std::array<std::uint32_t, 4> gather(const texture_description& d, const footprint& f,
                                    unsigned channel, const std::byte* texels) {
  static constexpr std::array<unsigned, 4> order = {2, 3, 1, 0};
  std::array<std::uint32_t, 4> out;
  for (unsigned k = 0; k < 4; ++k) out[k] = unfiltered(d, f, f.corners[order[k]], channel, texels);
  return out;
}

}  // namespace ptxlab::machine
