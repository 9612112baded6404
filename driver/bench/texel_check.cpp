// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/texel_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "ptx/machine/sampling.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::texture;
using machine::channel_type;
using machine::texel_storage;
using machine::texture_description;
using machine::texture_shape;
using generator = std::mt19937_64;  // its numbers are the same everywhere

texture_shape shape_of(const texture& t) {
  if (t.from != texture::source::array)
    return t.from == texture::source::linear ? texture_shape::d1 : texture_shape::d2;
  if (t.dimensions == 1) return t.layered ? texture_shape::a1d : texture_shape::d1;
  if (t.dimensions == 2) return t.layered ? texture_shape::a2d : texture_shape::d2;
  return texture_shape::d3;
}

std::uint32_t channel_bits(generator& g, const texture_description& d) {
  const std::uint64_t random = g();
  switch (d.channel) {
    case channel_type::f32:
      return std::bit_cast<std::uint32_t>(
          static_cast<float>(static_cast<double>(random >> 41) * 0x1p-20 - 4));
    case channel_type::f16: {
      // A sign, an exponent from 2^-4 to 2^1, any fraction.
      const std::uint64_t exponent = 11 + (random >> 20) % 6;
      return static_cast<std::uint32_t>((random >> 40 & 1) << 15 | exponent << 10 |
                                        (random & 1023));
    }
    default:
      break;
  }
  const std::uint32_t top = 1U << (8 * machine::texel_bytes(d) / d.channels - 1);
  const std::array<std::uint32_t, 5> ends = {0, ~0U, top, top - 1, top + 1};
  return (random & 3) == 0 ? ends[(random >> 2) % 5] : static_cast<std::uint32_t>(random >> 32);
}

/// Places in one dimension, in texels: where something changes, and what lies beyond.
std::vector<double> edges(double n) {
  std::vector<double> out = {-n - 0.25,   -n,        -1,         -0.75,    -0.5,  -0.25,
                             n,           n + 0.25,  n + 0.5,    n + 0.75, n + 1, 2 * n,
                             2 * n + 0.5, 3 * n - 1, -2 * n - 1, 1e10,     -1e10, 32767.5};
  for (const double texel : {0.0, 1.0, std::floor(n / 2), n - 1}) {
    out.insert(out.end(), {texel, texel + 0.5});
    // A weight, and between two of them.
    for (const int part : {1, 2, 127, 255, 257, 509, 511}) out.push_back(texel + part / 512.0);
  }
  return out;
}

/// The same as coordinates, each with its neighbours; and what is no place.
std::vector<std::uint32_t> special_coordinates(const texture_description& d, unsigned dimension) {
  const double n = machine::extent(d, dimension);
  std::vector<std::uint32_t> out;
  for (const double x : edges(n)) {
    const auto there = static_cast<float>(d.normalized_coordinates ? x / n : x);
    for (const float f : {there, std::nextafter(there, -INFINITY), std::nextafter(there, INFINITY)})
      out.push_back(std::bit_cast<std::uint32_t>(f));
  }
  using limits = std::numeric_limits<float>;
  for (const float f : {limits::quiet_NaN(), limits::infinity(), limits::max(), limits::min(),
                        limits::denorm_min(), 0.0F})
    for (const float sign : {1.0F, -1.0F})
      out.push_back(std::bit_cast<std::uint32_t>(std::copysign(f, sign)));
  return out;
}

std::uint32_t anywhere(const texture_description& d, unsigned dimension, generator& g) {
  const double n = machine::extent(d, dimension);
  const double part = static_cast<double>(g() >> 11) * 0x1p-53 * 1.5 - 0.25;
  return std::bit_cast<std::uint32_t>(
      static_cast<float>(d.normalized_coordinates ? part : part * n));
}

std::vector<texel_place> numbered_places(const texture_description& d, std::size_t count) {
  const std::uint32_t n = d.width;
  const std::vector<std::uint32_t> ends = {
      0, 1, n - 1, n, n + 1, 2 * n, ~0U, ~0U - n, 0x7fffffff, 0x80000000, 0x10000, 0x8000000};
  std::vector<texel_place> out(count);
  for (std::size_t i = 0; i < count; ++i)
    out[i][0] = i < ends.size() ? ends[i] : static_cast<std::uint32_t>(i % (std::size_t{n} + 3));
  return out;
}

std::string text_of(const texture_description& d, const texel_place& p) {
  std::string out;
  if (d.storage == texel_storage::linear)
    return fmt::format("at texel {}", static_cast<std::int32_t>(p[0]));
  for (unsigned k = 0; k < machine::dimensions(d.shape); ++k)
    out += fmt::format("{}{}", k == 0 ? "" : ", ", std::bit_cast<float>(p[k]));
  return fmt::format("at ({}){}", out,
                     machine::layered(d.shape) ? fmt::format(" of layer {}", p[3]) : "");
}

std::string text_of(const expected_texel& e) {
  if (e.filtered)
    return fmt::format("{} to {} in the first channel", e.ranges[0].low, e.ranges[0].high);
  const texel_words& w = e.any_of.front();
  return fmt::format("{:#x} {:#x} {:#x} {:#x}{}", w[0], w[1], w[2], w[3],
                     e.any_of.size() > 1 ? ", or a neighbour" : "");
}

texel_words on_the_machine(const texture_description& d, const std::vector<std::byte>& texels,
                           const texel_place& p) {
  std::array<float, 3> x;
  std::array<std::int32_t, 3> number;
  for (unsigned k = 0; k < 3; ++k) {
    x[k] = std::bit_cast<float>(p[k]);
    number[k] = static_cast<std::int32_t>(p[k]);
  }
  return machine::sample(d,
                         d.storage == texel_storage::linear ? machine::at_texel(d, number, 0)
                                                            : machine::at_coordinates(d, x, p[3]),
                         texels.data());
}

/// Spreads below this would show the digits of the texels and not of the weights.
constexpr double small_spread = 0.125;

}  // namespace

texture_description described(const texture& t, const axes& at, bool cube) {
  const auto axis = [&at](const char* name, double otherwise) {
    const auto found = at.find(name);
    return found == at.end() ? otherwise : found->second;
  };
  texture_description d;
  d.storage = static_cast<texel_storage>(t.from);
  d.shape = shape_of(t);
  d.channel = static_cast<channel_type>(axis("format", 0));
  d.channels = t.channels;
  const auto mode = static_cast<machine::address_mode>(axis("edge", 0));
  d.modes = {mode, mode, mode};
  if (axis("filtered", 0) != 0) d.filter = machine::filter_mode::linear;
  d.normalized_coordinates = axis("normalised", 0) != 0;
  if (t.as_float) d.reads = machine::read_mode::normalized_float;
  d.width = static_cast<std::uint32_t>(axis("width", 1));
  if (machine::dimensions(d.shape) >= 2) d.height = cube ? d.width : (d.width + 1) / 2;
  if (machine::dimensions(d.shape) == 3) d.depth = cube ? d.width : (d.width + 3) / 4;
  if (machine::layered(d.shape)) d.layers = 3;
  if (d.storage == texel_storage::pitched) {
    constexpr std::uint64_t rows = 32;
    const std::uint64_t bytes = std::uint64_t{d.width} * machine::texel_bytes(d);
    d.pitch_bytes = (bytes + rows - 1) / rows * rows + (cube ? 0 : rows);
  }
  // A border that texels of every format could have.
  if (machine::reads_floats(d))
    d.border = {0x3f800000, 0, 0x3f800000, 0};
  else
    d.border = {5, 0, 7, 1};
  return d;
}

std::vector<std::byte> random_texels(const texture_description& d) {
  generator g(1);
  std::vector<std::byte> out(machine::texture_bytes(d));
  const std::size_t bytes = machine::texel_bytes(d) / d.channels;
  for (std::size_t at = 0; at + bytes <= out.size(); at += bytes) {
    const std::uint32_t bits = channel_bits(g, d);
    std::memcpy(out.data() + at, &bits, bytes);
  }
  return out;
}

std::vector<texel_place> places_of(const texture_description& d, std::size_t count) {
  if (d.storage == texel_storage::linear) return numbered_places(d, count);
  generator g(2);
  std::array<std::vector<std::uint32_t>, 3> special;
  for (unsigned k = 0; k < 3; ++k) special[k] = special_coordinates(d, k);
  const unsigned n = machine::dimensions(d.shape);
  std::vector<texel_place> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    // First each special one beside ordinary ones, then pairs and triples of them, then none.
    const std::size_t all = n * special[0].size();
    for (unsigned k = 0; k < n; ++k) {
      const bool own = i < all ? i % n == k : i < (count + all) / 2 && g() % 2 == 0;
      const std::size_t which = i < all ? i / n : g() % special[k].size();
      out[i][k] = own ? special[k][which] : anywhere(d, k, g);
    }
    // One beyond the last is the last.
    if (machine::layered(d.shape)) out[i][3] = static_cast<std::uint32_t>(i % (d.layers + 1));
  }
  return out;
}

texel_errors errors_of(const texture_description& d, const std::vector<std::byte>& texels,
                       const std::vector<texel_place>& places,
                       const std::vector<texel_words>& read) {
  if (places.size() != read.size())
    throw error(fmt::format("{} fetches of {} places", read.size(), places.size()));
  const texel_reference wanted(d, texels);
  texel_errors out;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const expected_texel e = wanted.at(places[i]);
    const texel_words& got = read[i];
    if (got != on_the_machine(d, texels, places[i])) ++out.unlike;
    if (!e.admits(got) && out.wrong++ == 0)
      out.first = fmt::format("{}: {:#x} {:#x} {:#x} {:#x}, not {}", text_of(d, places[i]), got[0],
                              got[1], got[2], got[3], text_of(e));
    if (!e.filtered || d.channel != channel_type::f32) continue;
    for (unsigned c = 0; c < d.channels; ++c) {
      const expected_texel::range& r = e.ranges[c];
      if (r.spread < small_spread) continue;
      const double distance = std::abs(std::bit_cast<float>(got[c]) - r.exact) / r.spread;
      if (std::isfinite(distance)) out.largest = std::max(out.largest.value_or(0), distance);
    }
  }
  return out;
}

}  // namespace ptxlab::bench
