// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/texel_reference.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace ptxlab::bench {
namespace {

using machine::address_mode;
using machine::channel_type;
using machine::texel_storage;
using machine::texture_shape;

/// A step of a filter's position: "8 bits of fractional value".
constexpr double step = 1.0 / 256;

bool is_integer(channel_type t) {
  return t != channel_type::f16 && t != channel_type::f32;
}
bool is_signed(channel_type t) {
  return t == channel_type::s8 || t == channel_type::s16 || t == channel_type::s32;
}
unsigned bytes_of(channel_type t) {
  if (t == channel_type::u8 || t == channel_type::s8) return 1;
  return t == channel_type::u16 || t == channel_type::s16 || t == channel_type::f16 ? 2 : 4;
}

/// Of 16 bits: 1 sign, 5 exponent, 10 fraction (IEEE 754).
double half_value(std::uint32_t bits) {
  const int exponent = static_cast<int>(bits >> 10 & 31);
  const double fraction = (bits & 1023) / 1024.0;
  const double magnitude = exponent == 0    ? std::ldexp(fraction, -14)
                           : exponent == 31 ? (fraction == 0 ? INFINITY : NAN)
                                            : std::ldexp(1 + fraction, exponent - 15);
  return (bits >> 15 & 1) != 0 ? -magnitude : magnitude;
}

/// The largest number of an integer, which reads as 1.
double most_of(channel_type t) {
  return std::ldexp(1, static_cast<int>(8 * bytes_of(t)) - (is_signed(t) ? 1 : 0)) - 1;
}

/// Half of a digit, or more, of what a filter of such texels gives.
double resolution(channel_type t, double largest) {
  if (t == channel_type::f32) return std::ldexp(largest, -23) + 0x1p-126;
  if (t == channel_type::f16) return std::ldexp(largest, -11) + 0x1p-25;
  return is_signed(t) ? 1.0 / 32767 : 1.0 / 65535;
}

/// What of the spread the rounded products of weights can move.
double products(unsigned dimensions) {
  constexpr unsigned rounded[] = {0, 0, 2, 6};
  return rounded[dimensions] * step / 2;
}

bool same_but_last_digit(std::uint32_t a, std::uint32_t b) {
  return std::abs(static_cast<std::int64_t>(a) - static_cast<std::int64_t>(b)) <= 1;
}

}  // namespace

bool expected_texel::admits(const texel_words& got) const {
  for (unsigned c = channels; c < 4; ++c)
    if (got[c] != 0) return false;
  if (filtered) {
    for (unsigned c = 0; c < channels; ++c) {
      const double v = std::bit_cast<float>(got[c]);
      if (!(v >= ranges[c].low && v <= ranges[c].high)) return false;  // NaN is none of them
    }
    return true;
  }
  return std::any_of(any_of.begin(), any_of.end(), [&](const texel_words& w) {
    return std::equal(got.begin(), got.end(), w.begin(), [this](std::uint32_t a, std::uint32_t b) {
      return a == b || (fractions && same_but_last_digit(a, b));
    });
  });
}

/// "cudaAddressModeWrap and cudaAddressModeMirror are only supported for normalized texture
/// coordinates": without these an edge holds.
address_mode texel_reference::mode(unsigned dimension) const {
  const address_mode m = d_.modes[dimension];
  const bool repeats = m == address_mode::wrap || m == address_mode::mirror;
  return repeats && !d_.normalized_coordinates ? address_mode::clamp : m;
}

unsigned texel_reference::dimensions() const {
  if (d_.shape == texture_shape::d3) return 3;
  return d_.shape == texture_shape::a1d || d_.storage == texel_storage::linear ? 1 : 2;
}

std::int64_t texel_reference::size(unsigned dimension) const {
  const bool one = d_.shape == texture_shape::d1 || d_.shape == texture_shape::a1d;
  if (dimension == 0) return d_.width;
  if (dimension == 1) return one ? 1 : d_.height;
  return d_.shape == texture_shape::d3 ? d_.depth : 1;
}

bool texel_reference::filters() const {
  return d_.filter == machine::filter_mode::linear && d_.storage != texel_storage::linear;
}

texel_reference::position texel_reference::position_of(unsigned dimension,
                                                       std::uint32_t word) const {
  const auto n = static_cast<double>(size(dimension));
  double x = std::bit_cast<float>(word);
  if (std::abs(x) < 0x1p-126) x = 0;
  double around = 0;
  if (d_.normalized_coordinates) {
    if (mode(dimension) == address_mode::wrap) x -= std::floor(x);
    if (mode(dimension) == address_mode::mirror) x -= 2 * std::floor(x / 2);
    x *= n;
    around = n * 0x1p-20;
  }
  if (std::isnan(x)) x = 0;
  x = std::clamp(x, -2.0, 2 * n + 2);  // further out all is as there
  if (filters()) {
    x -= 0.5;
    return {x - around - step, x + around + step, x};
  }
  return {x - around, x + around, x};
}

std::int64_t texel_reference::offset(const indices& at, std::uint32_t layer) const {
  indices texel = {};
  for (unsigned k = 0; k < dimensions(); ++k) {
    const std::int64_t n = size(k);
    std::int64_t i = at[k];
    switch (mode(k)) {
      case address_mode::clamp:
        i = std::clamp<std::int64_t>(i, 0, n - 1);
        break;
      case address_mode::wrap:
        i = ((i % n) + n) % n;
        break;
      case address_mode::mirror:
        i = ((i % (2 * n)) + 2 * n) % (2 * n);
        if (i >= n) i = 2 * n - 1 - i;
        break;
      case address_mode::border:
        if (i < 0 || i >= n) return -1;
        break;
    }
    texel[k] = i;
  }
  const std::int64_t bytes = std::int64_t{bytes_of(d_.channel)} * d_.channels;
  const std::int64_t row = d_.storage == texel_storage::pitched
                               ? static_cast<std::int64_t>(d_.pitch_bytes)
                               : size(0) * bytes;
  const bool layered = d_.shape == texture_shape::a1d || d_.shape == texture_shape::a2d;
  const std::int64_t slice = layered ? std::min(layer, d_.layers - 1) : texel[2];
  return (slice * size(1) + texel[1]) * row + texel[0] * bytes;
}

/// A channel as a register gets it where nothing is made of it: integers extended, halves as they
/// are.
std::uint32_t texel_reference::word(std::int64_t offset, unsigned channel) const {
  const unsigned bytes = bytes_of(d_.channel);
  std::uint32_t bits = 0;
  std::memcpy(&bits, texels_.data() + offset + std::int64_t{channel} * bytes, bytes);
  if (is_signed(d_.channel) && bytes < 4 && (bits >> (8 * bytes - 1)) != 0)
    bits |= ~0U << 8 * bytes;
  return bits;
}

/// A channel as a number; a fraction of the largest one where that is asked for: "the full range of
/// the integer type is mapped to [0.0, 1.0] for unsigned integer type and [-1.0, 1.0] for signed".
double texel_reference::value(std::int64_t offset, unsigned channel) const {
  if (offset < 0) return std::bit_cast<float>(d_.border[channel]);
  const std::uint32_t bits = word(offset, channel);
  if (d_.channel == channel_type::f32) return std::bit_cast<float>(bits);
  if (d_.channel == channel_type::f16) return half_value(bits);
  const double number =
      is_signed(d_.channel) ? static_cast<std::int32_t>(bits) : static_cast<double>(bits);
  return std::max(number / most_of(d_.channel), -1.0);
}

texel_words texel_reference::words(std::int64_t offset) const {
  texel_words out = {};
  const bool numbers = is_integer(d_.channel) &&
                       (d_.reads == machine::read_mode::element || bytes_of(d_.channel) == 4);
  for (unsigned c = 0; c < d_.channels; ++c)
    out[c] = !numbers     ? std::bit_cast<std::uint32_t>(static_cast<float>(value(offset, c)))
             : offset < 0 ? d_.border[c]
                          : word(offset, c);
  return out;
}

/// "tex(x) = T[i], i = floor(x)"; where x may be on either side of an edge, both.
std::vector<texel_words> texel_reference::unfiltered(const positions& at,
                                                     std::uint32_t layer) const {
  std::vector<texel_words> out;
  for (unsigned corner = 0; corner < 8; ++corner) {
    indices i = {};
    for (unsigned k = 0; k < dimensions(); ++k)
      i[k] = static_cast<std::int64_t>(std::floor((corner >> k & 1) != 0 ? at[k].high : at[k].low));
    const texel_words w = words(offset(i, layer));
    if (std::find(out.begin(), out.end(), w) == out.end()) out.push_back(w);
  }
  return out;
}

/// "tex(x,y,z) = (1-a)(1-b)(1-c) T[i,j,k] + a(1-b)(1-c) T[i+1,j,k] + ...".
double texel_reference::blend(const std::array<double, 3>& at, std::uint32_t layer,
                              unsigned channel, double& least, double& most) const {
  double sum = 0;
  for (unsigned corner = 0; corner < 1U << dimensions(); ++corner) {
    indices i = {};
    double weight = 1;
    for (unsigned k = 0; k < dimensions(); ++k) {
      const double lower = std::floor(at[k]);
      const bool next = (corner >> k & 1) != 0;
      weight *= next ? at[k] - lower : 1 - (at[k] - lower);
      i[k] = static_cast<std::int64_t>(lower) + (next ? 1 : 0);
    }
    if (weight == 0) continue;
    const double v = value(offset(i, layer), channel);
    least = std::min(least, v);
    most = std::max(most, v);
    sum += weight * v;
  }
  return sum;
}

/// The blend is linear in each direction between whole numbers, so that its ends over a box are at
/// corners of the box's parts.
expected_texel::range texel_reference::filtered(const positions& at, std::uint32_t layer,
                                                unsigned channel) const {
  std::array<std::vector<double>, 3> ends;
  for (unsigned k = 0; k < 3; ++k) {
    if (k >= dimensions()) {
      ends[k] = {0};
      continue;
    }
    ends[k] = {at[k].low, at[k].high};
    const auto last = static_cast<std::int64_t>(std::ceil(at[k].high)) - 1;
    for (auto i = static_cast<std::int64_t>(std::ceil(at[k].low)); i <= last; ++i)
      ends[k].push_back(static_cast<double>(i));
  }
  expected_texel::range r;
  double least = HUGE_VAL, most = -HUGE_VAL;
  r.exact = blend({at[0].middle, at[1].middle, at[2].middle}, layer, channel, least, most);
  r.spread = most - least;
  r.low = r.high = r.exact;
  for (const double x : ends[0])
    for (const double y : ends[1])
      for (const double z : ends[2]) {
        const double v = blend({x, y, z}, layer, channel, least, most);
        r.low = std::min(r.low, v);
        r.high = std::max(r.high, v);
      }
  const double more = (most - least) * products(dimensions()) +
                      resolution(d_.channel, std::max(std::abs(least), std::abs(most)));
  r.low -= more;
  r.high += more;
  // The least signed number is a step below -1: of a blend that may show.
  if (is_integer(d_.channel) && least <= -1) r.low -= 1 / most_of(d_.channel);
  return r;
}

expected_texel texel_reference::at(const texel_place& p) const {
  expected_texel e;
  e.channels = d_.channels;
  if (d_.storage == texel_storage::linear) {
    const auto i = static_cast<std::int32_t>(p[0]);
    e.any_of = {{}};  // beyond the ends: zeros
    if (i >= 0 && i < size(0)) e.any_of = {words(offset({i, 0, 0}, 0))};
  } else {
    positions at;
    for (unsigned k = 0; k < dimensions(); ++k)
      at[k] = position_of(k, k == 1 && d_.shape == texture_shape::d1 ? 0 : p[k]);
    e.filtered = filters();
    if (!e.filtered) e.any_of = unfiltered(at, p[3]);
    for (unsigned c = 0; e.filtered && c < d_.channels; ++c) e.ranges[c] = filtered(at, p[3], c);
  }
  e.fractions = is_integer(d_.channel) && d_.reads == machine::read_mode::normalized_float;
  return e;
}

}  // namespace ptxlab::bench
