// SPDX-License-Identifier: Apache-2.0
// Texture fetches: against a reference of this file that walks the programming guide's formulas
// ("Texture Fetching") in another way than the machine does, and against values worked out by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ptx/machine/sampling.hpp"
#include "ptx/text/error.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

using words = std::array<std::uint32_t, 4>;

float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
std::uint32_t as_bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// A texture with texels of its own on the host.
struct image {
  texture_description what;
  std::vector<std::byte> bytes;

  words fetch(std::array<float, 3> x, std::uint32_t layer = 0) const {
    return sample(what, at_coordinates(what, x, layer), bytes.data());
  }
  float first(float x, float y = 0, float z = 0, std::uint32_t layer = 0) const {
    return as_float(fetch({x, y, z}, layer)[0]);
  }
};

image of_floats(texture_shape shape, std::array<std::uint32_t, 3> size,
                const std::vector<float>& values) {
  image t;
  t.what.storage = texel_storage::array;
  t.what.shape = shape;
  t.what.width = size[0];
  t.what.height = size[1];
  t.what.depth = size[2];
  const auto raw = std::as_bytes(std::span(values));
  t.bytes.assign(raw.begin(), raw.end());
  return t;
}

/// Four texels 10, 20, 40, 80.
image four() {
  return of_floats(texture_shape::d1, {4, 1, 1}, {10, 20, 40, 80});
}

// --- values worked out by hand -------------------------------------------------------------------

TEST(machine_texture, the_nearest_point_is_the_texel_that_the_coordinate_lies_in) {
  // The guide's figure "Nearest-Point Sampling": tex(x) = T[floor(x)], clamped at the ends.
  const image t = four();
  for (const auto& [x, value] : std::vector<std::pair<float, float>>{{0, 10},
                                                                     {0.999F, 10},
                                                                     {1, 20},
                                                                     {1.5F, 20},
                                                                     {2, 40},
                                                                     {3.99F, 80},
                                                                     {4, 80},
                                                                     {100, 80},
                                                                     {-0.001F, 10},
                                                                     {-7, 10}})
    EXPECT_EQ(t.first(x), value) << x;
}

TEST(machine_texture, a_linear_filter_goes_through_the_centres_of_texels) {
  // The guide's figure "Linear Filtering Mode": texel i is at i + 0.5, flat beyond the outer ones.
  image t = four();
  t.what.filter = filter_mode::linear;
  for (const auto& [x, value] : std::vector<std::pair<float, float>>{{0, 10},
                                                                     {0.5F, 10},
                                                                     {1, 15},
                                                                     {1.5F, 20},
                                                                     {1.75F, 25},
                                                                     {2, 30},
                                                                     {2.25F, 35},
                                                                     {3, 60},
                                                                     {3.5F, 80},
                                                                     {4, 80},
                                                                     {9, 80},
                                                                     {-3, 10}})
    EXPECT_EQ(t.first(x), value) << x;
}

TEST(machine_texture, a_table_lookup_scales_by_one_less_than_the_texels) {
  // The guide's figure "One-Dimensional Table Lookup": TL(x) = tex((N - 1) / R * x + 0.5), R = 1.
  image t = four();
  t.what.filter = filter_mode::linear;
  const auto look_up = [&](float x) { return t.first(3 * x + 0.5F); };
  EXPECT_EQ(look_up(0), 10);
  EXPECT_EQ(look_up(1), 80);
  EXPECT_EQ(look_up(0.5F), 30);
  EXPECT_EQ(look_up(0.25F), 17.5F);
}

TEST(machine_texture, weights_have_eight_bits) {
  image t = of_floats(texture_shape::d1, {2, 1, 1}, {0, 1});
  t.what.filter = filter_mode::linear;
  for (int k = 0; k <= 256; ++k)
    EXPECT_EQ(t.first(0.5F + static_cast<float>(k) / 256), static_cast<float>(k) / 256);
  // Between two steps there is nothing: a thousand steps give 257 values.
  std::vector<float> seen;
  for (int k = 0; k <= 2048; ++k) seen.push_back(t.first(0.5F + static_cast<float>(k) / 2048));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()) - seen.begin(), 257);
}

TEST(machine_texture, the_place_that_rounds_weights_rounds_to_the_nearest) {
  EXPECT_EQ(fixed(3.25).texel, 3);
  EXPECT_EQ(fixed(3.25).weight, 64U);
  EXPECT_EQ(fixed(-0.25).texel, -1);
  EXPECT_EQ(fixed(-0.25).weight, 192U);
  EXPECT_EQ(fixed(1.0 / 1024).weight, 0U);
  EXPECT_EQ(fixed(1.0 / 512).weight, 1U);
  EXPECT_EQ(fixed(1 - 1.0 / 1024).texel, 1);
  EXPECT_EQ(fixed(1 - 1.0 / 1024).weight, 0U);
  EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN()).texel, 0);
}

TEST(machine_texture, normalised_coordinates_wrap_mirror_clamp_and_end) {
  image t = four();
  t.what.normalized_coordinates = true;
  t.what.border = {as_bits(-5), 0, 0, 0};
  struct expected {
    float x, wrap, clamp, mirror, border;
  };
  // 1.125 is half a texel behind the end, -0.125 half a texel before the start, and so on.
  for (const expected& e : std::vector<expected>{{0.125F, 10, 10, 10, 10},
                                                 {0.875F, 80, 80, 80, 80},
                                                 {1.125F, 10, 80, 80, -5},
                                                 {1.375F, 20, 80, 40, -5},
                                                 {2.125F, 10, 80, 10, -5},
                                                 {-0.125F, 80, 10, 10, -5},
                                                 {-0.375F, 40, 10, 20, -5},
                                                 {-1.125F, 80, 10, 80, -5}}) {
    const auto with = [&](address_mode m) {
      t.what.modes[0] = m;
      return t.first(e.x);
    };
    EXPECT_EQ(with(address_mode::wrap), e.wrap) << e.x;
    EXPECT_EQ(with(address_mode::clamp), e.clamp) << e.x;
    EXPECT_EQ(with(address_mode::mirror), e.mirror) << e.x;
    EXPECT_EQ(with(address_mode::border), e.border) << e.x;
  }
}

TEST(machine_texture, a_linear_filter_sees_the_other_side_of_an_edge) {
  image t = four();
  t.what.normalized_coordinates = true;
  t.what.filter = filter_mode::linear;
  const auto at_start = [&](address_mode m) {
    t.what.modes[0] = m;
    return t.first(0);
  };
  EXPECT_EQ(at_start(address_mode::wrap), 45);  // between 80 and 10
  EXPECT_EQ(at_start(address_mode::clamp), 10);
  EXPECT_EQ(at_start(address_mode::mirror), 10);
  EXPECT_EQ(at_start(address_mode::border), 5);  // between the border's 0 and 10
}

TEST(machine_texture, texels_do_not_repeat_without_normalised_coordinates) {
  image t = four();
  t.what.modes[0] = address_mode::wrap;
  EXPECT_EQ(t.first(5), 80);
  t.what.modes[0] = address_mode::mirror;
  EXPECT_EQ(t.first(-2), 10);
  EXPECT_EQ(t.first(5), 80);
  t.what.modes[0] = address_mode::border;
  EXPECT_EQ(t.first(5), 0);
}

TEST(machine_texture, coordinates_that_are_no_numbers_read_something) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (const bool normalized : {false, true})
    for (const filter_mode filter : {filter_mode::point, filter_mode::linear}) {
      image t = four();
      t.what.normalized_coordinates = normalized;
      t.what.filter = filter;
      EXPECT_EQ(t.first(nan), 10);
      EXPECT_EQ(t.first(inf), 80);
      EXPECT_EQ(t.first(-inf), 10);
      EXPECT_EQ(t.first(3e38F), 80);
      t.what.modes[0] = address_mode::border;
      EXPECT_EQ(t.first(inf), 0);
      EXPECT_EQ(t.first(-3e38F), 0);
    }
  image t = four();
  t.what.normalized_coordinates = true;
  for (const address_mode m : {address_mode::wrap, address_mode::mirror}) {
    t.what.modes[0] = m;
    EXPECT_EQ(t.first(inf), 10);
    EXPECT_EQ(t.first(nan), 10);
    EXPECT_EQ(t.first(3e38F), 10);  // an even number
  }
  t.what.modes[0] = address_mode::wrap;
  EXPECT_EQ(t.first(-1e-30F), 80);
}

TEST(machine_texture, an_infinity_without_weight_is_not_seen) {
  image t = of_floats(texture_shape::d1, {2, 1, 1}, {1, std::numeric_limits<float>::infinity()});
  t.what.filter = filter_mode::linear;
  EXPECT_EQ(t.first(0.5F), 1);
  EXPECT_TRUE(std::isinf(t.first(1)));
}

TEST(machine_texture, channels_are_read_as_their_type_says) {
  const auto read = [](channel_type t, read_mode reads, std::vector<std::uint8_t> raw) {
    image i;
    i.what.storage = texel_storage::array;
    i.what.channel = t;
    i.what.channels = 2;
    i.what.reads = reads;
    const auto bytes = std::as_bytes(std::span(raw));
    i.bytes.assign(bytes.begin(), bytes.end());
    return i.fetch({0.5F, 0, 0});
  };
  using enum channel_type;
  constexpr read_mode element = read_mode::element, fraction = read_mode::normalized_float;
  // A channel that is not there is 0, the fourth too, as measured on an H200.
  EXPECT_EQ(read(u8, element, {255, 7}), (words{255, 7, 0, 0}));
  EXPECT_EQ(read(s8, element, {255, 127}), (words{0xffffffff, 127, 0, 0}));
  EXPECT_EQ(read(u16, element, {0xff, 0xff, 1, 2}), (words{0xffff, 0x201, 0, 0}));
  EXPECT_EQ(read(s16, element, {0, 0x80, 1, 2}), (words{0xffff8000, 0x201, 0, 0}));
  for (const read_mode m : {element, fraction}) {
    EXPECT_EQ(read(u32, m, {1, 2, 3, 0xf4, 5, 0, 0, 0}), (words{0xf4030201, 5, 0, 0}));
    EXPECT_EQ(read(s32, m, {0xff, 0xff, 0xff, 0xff, 5, 0, 0, 0}), (words{0xffffffff, 5, 0, 0}));
    EXPECT_EQ(read(f16, m, {0, 0x3c, 1, 0}), (words{as_bits(1), as_bits(0x1p-24F), 0, 0}));
    EXPECT_EQ(read(f32, m, {0, 0, 0x80, 0x3f, 1, 0, 0x80, 0xff}),
              (words{as_bits(1), 0xff800001, 0, 0}));
  }
  EXPECT_EQ(read(u8, fraction, {255, 51}), (words{as_bits(1), as_bits(0.2F), 0, 0}));
  EXPECT_EQ(read(s8, fraction, {0x80, 0x81}), (words{as_bits(-1), as_bits(-1), 0, 0}));
  EXPECT_EQ(read(u16, fraction, {0xff, 0xff, 0x33, 0x33}),
            (words{as_bits(1), as_bits(0.2F), 0, 0}));
  EXPECT_EQ(read(s16, fraction, {0, 0x80, 0xff, 0x7f}), (words{as_bits(-1), as_bits(1), 0, 0}));
}

// --- against a reference -------------------------------------------------------------------------

/// What the guide's address modes make of a texel number, found by walking instead of by division.
long walked(long i, long n, address_mode m) {
  switch (m) {
    case address_mode::clamp:
      return i < 0 ? 0 : i >= n ? n - 1 : i;
    case address_mode::wrap:
      while (i < 0) i += n;
      while (i >= n) i -= n;
      return i;
    case address_mode::mirror:
      while (i < 0 || i >= n) i = i < 0 ? -1 - i : 2 * n - 1 - i;
      return i;
    case address_mode::border:
      break;
  }
  return i < 0 || i >= n ? -1 : i;
}

struct reference {
  const image& t;
  std::vector<double> texels;  ///< the channels of all, x first
  double most;                 ///< what 1 is in texels of fractions, negative for types with a sign

  double texel(std::array<long, 3> i, unsigned layer, unsigned channel) const {
    const texture_description& d = t.what;
    const std::array<long, 3> n = {d.width, d.height, d.depth};
    for (unsigned k = 0; k < 3; ++k) {
      if (k >= dimensions(d.shape) && i[k] == 0) continue;
      const bool repeats = d.modes[k] == address_mode::wrap || d.modes[k] == address_mode::mirror;
      i[k] = walked(i[k], n[k],
                    repeats && !d.normalized_coordinates ? address_mode::clamp : d.modes[k]);
      if (i[k] < 0) return border(channel);
    }
    const auto slice = static_cast<long>(layered(d.shape) ? layer : static_cast<unsigned>(i[2]));
    return texels[static_cast<std::size_t>(((slice * n[1] + i[1]) * n[0] + i[0])) * d.channels +
                  channel];
  }
  /// A fraction has the steps of the texels' type, as measured on an H200.
  double border(unsigned channel) const {
    const double colour = as_float(t.what.border[channel]);
    if (t.what.channel == channel_type::f32) return colour;
    const double low = most < 0 ? -1 : 0, steps = std::abs(most);
    return std::nearbyint(std::clamp(colour, low, 1.0) * steps) / steps;
  }
  /// (1 - a) T[i] + a T[i + 1], one dimension inside of the other.
  double line(unsigned k, std::array<double, 3> x, std::array<long, 3> i, unsigned layer,
              unsigned channel) const {
    if (k == 0) return texel(i, layer, channel);
    --k;
    if (t.what.filter == filter_mode::point) {
      i[k] = static_cast<long>(std::floor(x[k]));
      return line(k, x, i, layer, channel);
    }
    const double b = std::nearbyint((x[k] - 0.5) * 256) / 256, a = b - std::floor(b);
    i[k] = static_cast<long>(std::floor(b));
    const double low = line(k, x, i, layer, channel);
    ++i[k];
    return (1 - a) * low + a * line(k, x, i, layer, channel);
  }
  double fetch(std::array<float, 3> x, unsigned layer, unsigned channel) const {
    std::array<double, 3> at = {x[0], x[1], x[2]};
    if (t.what.normalized_coordinates) {
      at[0] *= t.what.width;
      at[1] *= t.what.height;
      at[2] *= t.what.depth;
    }
    // As measured on an H200, a filter of one dimension has a second one, where it is at 0.
    const bool second = t.what.shape == texture_shape::d1 && t.what.filter == filter_mode::linear;
    if (second) at[1] = 0;
    return line(second ? 2 : dimensions(t.what.shape), at, {0, 0, 0}, layer, channel);
  }
};

/// Random texels of a format, and what they are worth.
template <class T>
void fill(image& t, std::vector<double>& values, double scale, std::uint64_t& seed) {
  const std::uint64_t n = texture_bytes(t.what) / sizeof(T);
  t.bytes.resize(n * sizeof(T));
  for (std::uint64_t k = 0; k < n; ++k) {
    seed = seed * 6364136223846793005U + 1442695040888963407U;
    T v;
    if constexpr (std::is_same_v<T, float>)
      v = static_cast<float>(seed >> 40) / 65536;
    else
      v = static_cast<T>(seed >> 40);
    std::memcpy(t.bytes.data() + k * sizeof(T), &v, sizeof v);
    values.push_back(std::max(static_cast<double>(v) / scale, scale == 1 ? -1e30 : -1.0));
  }
}

class every_shape : public testing::TestWithParam<texture_shape> {};

TEST_P(every_shape, agrees_with_the_formulas_in_every_mode) {
  std::uint64_t seed = 7;
  using enum channel_type;
  for (const channel_type format : {u8, s8, u16, s16, f32})
    for (const std::uint32_t channels : {1U, 2U, 4U})
      for (const filter_mode filter : {filter_mode::point, filter_mode::linear})
        for (unsigned modes = 0; modes < 16; ++modes) {
          image t;
          t.what = {.storage = texel_storage::array,
                    .shape = GetParam(),
                    .at = 0,
                    .channel = format,
                    .channels = channels};
          t.what.width = 5;
          if (dimensions(GetParam()) >= 2) t.what.height = 3;
          if (dimensions(GetParam()) == 3) t.what.depth = 2;
          if (layered(GetParam())) t.what.layers = 3;
          t.what.modes = {static_cast<address_mode>(modes % 4),
                          static_cast<address_mode>(modes / 4),
                          static_cast<address_mode>((modes + 1) % 4)};
          t.what.border = {as_bits(0.25F), as_bits(-0.3F), as_bits(0.75F), as_bits(1)};
          t.what.filter = filter;
          t.what.reads = read_mode::normalized_float;
          reference r{t, {}, 0};
          r.most = format == u8 ? 255 : format == s8 ? -127 : format == u16 ? 65535 : -32767;
          if (format == u8) fill<std::uint8_t>(t, r.texels, 255, seed);
          if (format == s8) fill<std::int8_t>(t, r.texels, 127, seed);
          if (format == u16) fill<std::uint16_t>(t, r.texels, 65535, seed);
          if (format == s16) fill<std::int16_t>(t, r.texels, 32767, seed);
          if (format == f32) fill<float>(t, r.texels, 1, seed);
          // Products of weights are rounded to 8 bits, so here only where a filter is can be seen;
          // machine_blending_test.cc and the golden values say the rest. Texels: 256 at most, or 1.
          const double slack = filter == filter_mode::point ? 1e-12
                               : format == f32              ? 6.0 / 256 * 256
                                                            : 6.0 / 256 + 1.0 / 32767;
          for (const bool normalized : {false, true}) {
            t.what.normalized_coordinates = normalized;
            ASSERT_NO_THROW(check(t.what));
            for (int k = 0; k < 40; ++k) {
              std::array<float, 3> x;
              for (float& v : x) {
                seed = seed * 6364136223846793005U + 1442695040888963407U;
                // In 1024ths, from far outside to far outside; no tie of the weights' rounding.
                v = (static_cast<float>(seed >> 48) - 32768 + 0.25F) /
                    (normalized ? 8192.0F : 2048.0F);
              }
              const unsigned layer = seed >> 60 & 3;  // one too many
              const words got = t.fetch(x, layer);
              for (unsigned c = 0; c < channels; ++c) {
                const double want = r.fetch(x, std::min(layer, 2U), c);
                ASSERT_NEAR(as_float(got[c]), want, std::abs(want) * 0x1p-23 + slack)
                    << "format " << int(format) << " filter " << int(filter) << " modes " << modes
                    << " at " << x[0] << ", " << x[1] << ", " << x[2];
              }
            }
          }
        }
}
INSTANTIATE_TEST_SUITE_P(machine_texture, every_shape,
                         testing::Values(texture_shape::d1, texture_shape::d2, texture_shape::d3,
                                         texture_shape::a1d, texture_shape::a2d),
                         [](const auto& i) { return "shape_" + std::string(name(i.param)); });

// --- descriptions --------------------------------------------------------------------------------

std::string refusal(const texture_description& d) {
  try {
    check(d);
  } catch (const error& e) {
    return e.what();
  }
  return "none";
}

TEST(machine_texture, descriptions_that_the_device_refuses_are_refused) {
  const texture_description line;
  EXPECT_EQ(refusal(line), "none");
  const auto with = [](texture_description d, auto change) {
    change(d);
    return refusal(d);
  };
  using description = texture_description;
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(with(line, [](description& d) { d.channels = 3; }), "3 channels");
  has(with(line, [](description& d) { d.channels = 0; }), "0 channels");
  has(with(line, [](description& d) { d.width = 0; }), "width 0");
  has(with(line, [](description& d) { d.width = (1U << 28) + 1; }), "1 to 268435456");
  has(with(line, [](description& d) { d.height = 2; }), "height 2");
  has(with(line, [](description& d) { d.shape = texture_shape::d2; }), "a 2d texture in linear");
  has(with(line, [](description& d) { d.pitch_bytes = 32; }), "a pitch");
  // Filters are not used by linear memory, but by arrays.
  EXPECT_EQ(with(line,
                 [](description& d) {
                   d.channel = channel_type::u8;
                   d.filter = filter_mode::linear;
                 }),
            "none");

  description plane;
  plane.storage = texel_storage::pitched;
  plane.shape = texture_shape::d2;
  plane.width = 16;
  plane.height = 4;
  plane.pitch_bytes = 64;
  EXPECT_EQ(refusal(plane), "none");
  has(with(plane, [](description& d) { d.pitch_bytes = 72; }), "multiple of 32");
  has(with(plane, [](description& d) { d.pitch_bytes = 32; }), "rows of 64 bytes");
  has(with(plane, [](description& d) { d.pitch_bytes = 2097120 + 32; }), "at most 2097120");
  has(with(plane, [](description& d) { d.height = 65001; }), "1 to 65000");
  has(with(plane, [](description& d) { d.shape = texture_shape::a2d; }),
      "a a2d texture in pitched");

  description volume;
  volume.storage = texel_storage::array;
  volume.shape = texture_shape::d3;
  volume.width = volume.height = volume.depth = 16384;
  EXPECT_EQ(refusal(volume), "none");
  has(with(volume, [](description& d) { d.depth = 16385; }), "1 to 16384");
  has(with(volume, [](description& d) { d.layers = 2; }), "layers 2");
  description layers = volume;
  layers.shape = texture_shape::a2d;
  layers.depth = 1;
  layers.layers = 2049;
  has(refusal(layers), "1 to 2048");

  description integers = volume;
  integers.filter = filter_mode::linear;
  integers.channel = channel_type::u8;
  has(refusal(integers), "filters integers");
  integers.reads = read_mode::normalized_float;
  EXPECT_EQ(refusal(integers), "none");
  integers.channel = channel_type::u32;  // of 32 bits: never a float
  has(refusal(integers), "filters integers");
}

TEST(machine_texture, objects_lie_in_memory_and_are_destroyed_once) {
  class emulator e(1 << 24);
  texture_description d;
  d.width = 256;
  d.at = e.device().allocate(2048, "texels");
  const std::uint64_t one = e.create_texture(d), two = e.create_texture(d);
  EXPECT_NE(one, two);
  EXPECT_EQ(e.device().find(one), nullptr);
  e.destroy_texture(one);
  EXPECT_THROW(e.destroy_texture(one), error);
  EXPECT_THROW(e.destroy_texture(0), error);
  EXPECT_THROW(e.destroy_texture(two + 1), error);
  EXPECT_NE(e.create_texture(d), one);
  d.at += 512;
  EXPECT_NO_THROW(e.create_texture(d));
  d.at += 256;
  EXPECT_THROW(e.create_texture(d), error);  // not aligned
  d.at += 256;
  EXPECT_NO_THROW(e.create_texture(d));
  d.width = 257;
  EXPECT_THROW(e.create_texture(d), error);  // beyond the end
  d.at = 0;
  EXPECT_THROW(e.create_texture(d), error);
  d.at = e.device().allocate(2048, "freed");
  e.device().release(d.at);
  EXPECT_THROW(e.create_texture(d), error);
}

}  // namespace
}  // namespace ptxlab::machine
