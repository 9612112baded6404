// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/sampling.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <optional>

#include "ptx/machine/math/half.hpp"

namespace ptxlab::machine {
namespace {

/// Wrapping and mirroring need normalised coordinates; without them the driver clamps (CUDA
/// Runtime API, cudaTextureDesc::addressMode).
address_mode mode_of(const texture_description& d, unsigned dimension) {
  const address_mode m = d.modes[dimension];
  const bool periodic = m == address_mode::wrap || m == address_mode::mirror;
  return periodic && !d.normalized_coordinates ? address_mode::clamp : m;
}

/// The coordinate in texels. What a mode repeats is brought near 0 first, so that it is exact; the
/// rest is cut off far enough outside that no filter can see it.
double in_texels(const texture_description& d, unsigned dimension, float coordinate) {
  const double n = extent(d, dimension);
  double x = coordinate;
  if (d.normalized_coordinates) {
    const address_mode m = mode_of(d, dimension);
    // A negative number next to 0 has the fraction 1 when that is rounded: it is less.
    if (m == address_mode::wrap) x = std::min(x - std::floor(x), 1 - 0x1p-40);
    if (m == address_mode::mirror) x = std::min(x - 2 * std::floor(x / 2), 2 - 0x1p-40);
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

footprint filtered(const texture_description& d, const std::array<float, 3>& x,
                   std::uint32_t layer) {
  footprint f;
  const unsigned n = dimensions(d.shape);
  f.count = 1U << n;
  f.weight_bits = 8 * n;
  std::array<filter_position, 3> at;
  for (unsigned k = 0; k < std::min(n, 3U); ++k) at[k] = fixed(in_texels(d, k, x[k]) - 0.5);
  for (unsigned c = 0; c < f.count; ++c) {
    footprint::corner& corner = f.corners[c];
    std::array<std::uint32_t, 3> texel = {};
    corner.weight = 1;
    corner.inside = true;
    for (unsigned k = 0; k < n; ++k) {
      const unsigned next = c >> k & 1;
      const auto i = folded(at[k].texel + next, extent(d, k), mode_of(d, k));
      corner.inside = corner.inside && i.has_value();
      texel[k] = i.value_or(0);
      corner.weight *= next != 0 ? at[k].weight : 256 - at[k].weight;
    }
    if (corner.inside) corner.offset = offset_of(d, texel, layer);
  }
  return f;
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
      return std::bit_cast<std::uint32_t>(math::widened(math::f16{load(std::uint16_t{})}));
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

/// Of a texture that reads floats: the value of one corner's channel.
double value(const texture_description& d, const footprint& f, const footprint::corner& c,
             unsigned channel, const std::byte* texels) {
  if (!c.inside) return f.beyond_is_zero ? 0.0 : std::bit_cast<float>(d.border[channel]);
  const std::uint32_t bits = channel_bits(d.channel, texels + c.offset, channel);
  return has_float_channels(d) ? std::bit_cast<float>(bits) : normalized(d.channel, bits);
}

/// The channel of one corner, as a register gets it.
std::uint32_t unfiltered(const texture_description& d, const footprint& f,
                         const footprint::corner& c, unsigned channel, const std::byte* texels) {
  if (channel >= d.channels) {
    if (channel != 3) return 0;
    return reads_floats(d) ? std::bit_cast<std::uint32_t>(1.0F) : 1;
  }
  if (!c.inside) return f.beyond_is_zero ? 0 : d.border[channel];
  const std::uint32_t bits = channel_bits(d.channel, texels + c.offset, channel);
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
                   std::uint32_t layer) {
  footprint f;
  f.count = 1;
  f.beyond_is_zero = true;
  footprint::corner& c = f.corners[0];
  std::array<std::uint32_t, 3> texel = {};
  c.inside = true;
  for (unsigned k = 0; k < dimensions(d.shape); ++k) {
    const auto at = folded(x[k], extent(d, k), address_mode::border);
    c.inside = c.inside && at.has_value();
    texel[k] = at.value_or(0);
  }
  if (c.inside) c.offset = offset_of(d, texel, layer);
  return f;
}

footprint around(const texture_description& d, const std::array<float, 3>& x, std::uint32_t layer) {
  footprint f = filtered(d, x, layer);
  f.weight_bits = 0;
  return f;
}

std::array<std::uint32_t, 4> sample(const texture_description& d, const footprint& f,
                                    const std::byte* texels) {
  std::array<std::uint32_t, 4> out;
  for (unsigned k = 0; k < 4; ++k) {
    if (f.weight_bits == 0 || k >= d.channels) {
      out[k] = unfiltered(d, f, f.corners[0], k, texels);
      continue;
    }
    // Products are exact, the sum nearly always; it is rounded to a float once. What has no
    // weight is left out, so that an infinity beside a texel does not make it NaN.
    double sum = 0;
    for (unsigned c = 0; c < f.count; ++c)
      if (f.corners[c].weight != 0)
        sum += f.corners[c].weight * value(d, f, f.corners[c], k, texels);
    out[k] = std::bit_cast<std::uint32_t>(
        static_cast<float>(std::ldexp(sum, -static_cast<int>(f.weight_bits))));
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
