// SPDX-License-Identifier: Apache-2.0
// What documents leave open of texture fetches: coordinates' digits, filters' weights and sums.
// Right values are those of an H200, from the run that the golden archive of textures comes from.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "ptx/machine/blending.hpp"
#include "ptx/machine/sampling.hpp"

namespace ptxlab::machine {
namespace {

using words = std::vector<std::uint32_t>;

float as_float(std::uint32_t bits) {
  return std::bit_cast<float>(bits);
}
std::uint32_t as_bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

struct weighted {
  std::uint32_t weight, bits;
};
std::uint32_t blend(channel_type t, const std::vector<weighted>& of) {
  std::vector<filter_term> terms;
  for (const weighted& w : of) terms.push_back({w.bits, w.weight, w.weight != 0});
  return blended(t, terms);
}
std::uint32_t halves(const std::vector<weighted>& of) {
  std::vector<weighted> wide;
  for (const weighted& w : of)
    wide.push_back({w.weight, widened_half(static_cast<std::uint16_t>(w.bits))});
  return blend(channel_type::f16, wide);
}

texture_description array_of(texture_shape s, std::array<std::uint32_t, 3> size) {
  texture_description d;
  d.storage = texel_storage::array;
  d.shape = s;
  d.width = size[0];
  d.height = size[1];
  d.depth = size[2];
  return d;
}
words weights(const texture_description& d, std::array<float, 3> x) {
  words out;
  const footprint f = at_coordinates(d, x, 0);
  for (unsigned c = 0; c < f.count; ++c) out.push_back(f.corners[c].weight);
  return out;
}

// --- sums ----------------------------------------------------------------------------------------

TEST(machine_blending, f32_loses_what_is_five_digits_behind_the_largest_term) {
  EXPECT_EQ(blend(channel_type::f32, {{250, 0x3db8338f}, {6, 0xc0604a1a}}), 0x3bbaac53U);
  EXPECT_EQ(blend(channel_type::f32, {{7, 0x406b2e71}, {249, 0xbde57663}}), 0xbc0b3c14U);
  // An exact sum would be: a negative control.
  const double exact = (250.0 * as_float(0x3db8338f) + 6.0 * as_float(0xc0604a1a)) / 256;
  EXPECT_EQ(as_bits(static_cast<float>(exact)), 0x3bbaac62U);
}

TEST(machine_blending, f32_rounds_halves_away_from_zero) {
  EXPECT_EQ(blend(channel_type::f32, {{128, 0x3f52e1a6}, {128, 0x3eab205e}}), 0x3f1438ebU);
  EXPECT_EQ(blend(channel_type::f32, {{128, 0xbffd9700}, {128, 0x3f3dee03}}), 0xbf1e9fffU);
}

TEST(machine_blending, f32_in_three_dimensions_is_two_sums) {
  EXPECT_EQ(blend(channel_type::f32, {{44, 0xc0115dd8},
                                      {83, 0xbddc3aa6},
                                      {0, 0x3dbc5a3f},
                                      {0, 0x403d49f6},
                                      {45, 0x3dfc9347},
                                      {84, 0x3f9be7e8},
                                      {0, 0x3e975935},
                                      {0, 0xc04b771e}}),
            0xbb803c26U);
  EXPECT_EQ(blend(channel_type::f32, {{13, 0xbf8d8cac},
                                      {116, 0xbdf5e4fd},
                                      {0, 0xbe4839d7},
                                      {0, 0x3eee8308},
                                      {12, 0x404dd536},
                                      {115, 0xbdae8274},
                                      {0, 0x3e266a35},
                                      {0, 0xbfcfb5d8}}),
            0x3afb4a20U);
}

TEST(machine_blending, f32_has_no_subnormal_numbers) {
  EXPECT_EQ(blend(channel_type::f32, {{256, 1}, {0, 0x7f7fffff}}), 0U);
  EXPECT_EQ(blend(channel_type::f32, {{256, 0x80000001}, {0, 0xed44d259}}), 0x80000000U);
  EXPECT_EQ(blend(channel_type::f32, {{122, 1}, {134, 0x80000001}}), 0U);
  EXPECT_EQ(blend(channel_type::f32, {{2, 0x83472abf}, {254, 0x80000001}}), 0x80000000U);
}

TEST(machine_blending, f16_gives_an_f16) {
  EXPECT_EQ(halves({{1, 0xd162}, {255, 0x3a83}}), 0x3f242000U);
  EXPECT_EQ(halves({{255, 0x3a83}, {1, 0xf898}}), 0xc3130000U);
  EXPECT_EQ(halves({{9, 0xc355}, {247, 0x2fbb}}), 0xbc4b2000U);
  EXPECT_EQ(halves({{111, 0xb81a}, {110, 0x2ceb}, {17, 0x424e}, {18, 0xb013}}), 0x3c358000U);
}

TEST(machine_blending, numbers_that_are_none) {
  constexpr std::uint32_t infinity = 0x7f800000, one = 0x3f800000;
  EXPECT_EQ(halves({{128, 0xfc5e}, {128, 0xaea8}}), 0x7fffe000U);
  EXPECT_EQ(blend(channel_type::f32, {{1, 0x7f800001}, {255, one}}), 0x7fffffffU);
  EXPECT_EQ(blend(channel_type::f32, {{1, infinity}, {255, one}}), infinity);
  EXPECT_EQ(blend(channel_type::f32, {{1, infinity}, {255, infinity | 0x80000000}}), 0x7fffffffU);
  EXPECT_EQ(blend(channel_type::f32, {{0, infinity}, {256, one}}), one);
  // A weight that became 0 when it was rounded.
  EXPECT_EQ(
      blended(channel_type::f32, std::vector<filter_term>{{infinity, 0, true}, {one, 256, true}}),
      infinity);
  EXPECT_EQ(widened_half(0xfc5e), 0xff8bc000U);
  EXPECT_EQ(widened_half(0x0001), as_bits(0x1p-24F));
}

/// What 16 bits of a fraction are, in its steps.
double steps(std::uint32_t bits, double most) {
  return as_float(bits) * most;
}

TEST(machine_blending, fractions_have_sixteen_bits) {
  EXPECT_EQ(blend(channel_type::u8, {{255, 0}, {1, 1}}), 0x37800080U);    // 1 of 65535
  EXPECT_EQ(blend(channel_type::u8, {{129, 0}, {127, 1}}), 0x3afe00feU);  // 127.5 is 127
  EXPECT_EQ(blend(channel_type::u8, {{128, 0}, {128, 1}}), 0x3b010081U);  // 128.5 is 129
  const auto s8 = [](std::uint32_t a, int x, int y) {
    return std::lround(steps(blend(channel_type::s8, {{256 - a, static_cast<std::uint32_t>(x)},
                                                      {a, static_cast<std::uint32_t>(y)}}),
                             32767));
  };
  EXPECT_EQ(s8(192, -1, 0), -65);
  EXPECT_EQ(s8(193, -1, 0), -64);
  EXPECT_EQ(s8(192, 125, 126), 32444);
  EXPECT_EQ(s8(193, 125, 126), 32445);
  EXPECT_EQ(s8(0, -64, 0), -16512);  // 16512.504 below 0
  EXPECT_EQ(s8(0, 127, 0), 32767);
  EXPECT_EQ(s8(0, -128, 0), -32767);
  // The least s16 is more than -1 away from 0 until the end.
  EXPECT_EQ(blend(channel_type::s16, {{192, static_cast<std::uint32_t>(-32768)},
                                      {64, static_cast<std::uint32_t>(-32704)}}),
            0xbf7fe200U);
  EXPECT_EQ(blend(channel_type::s16, {{256, static_cast<std::uint32_t>(-32768)}, {0, 0}}),
            as_bits(-1));
}

TEST(machine_blending, border_colours_are_what_a_texel_could_have) {
  texture_description d;
  d.reads = read_mode::normalized_float;
  d.border = {0x3e800000, 0x3f000000, 0xbf400000, 0x3f666666};
  const auto colours = [&](channel_type t) {
    d.channel = t;
    words out;
    for (unsigned k = 0; k < 4; ++k) out.push_back(border_bits(d, k));
    return out;
  };
  const auto negative = [](int x) { return static_cast<std::uint32_t>(-x); };
  EXPECT_EQ(colours(channel_type::u8), (words{64, 127, 0, 229}));
  EXPECT_EQ(colours(channel_type::s8), (words{32, 63, negative(95), 114}));
  EXPECT_EQ(colours(channel_type::u16), (words{16384, 32767, 0, 58981}));
  EXPECT_EQ(colours(channel_type::s16), (words{8192, 16383, negative(24575), 29490}));
  EXPECT_EQ(colours(channel_type::f16), (words{0x3e800000, 0x3f000000, 0xbf400000, 0x3f666000}));
  const std::array<std::uint32_t, 4> same = d.border;
  EXPECT_EQ(colours(channel_type::f32), words(same.begin(), same.end()));
  EXPECT_EQ(colours(channel_type::s32), words(same.begin(), same.end()));
  d.reads = read_mode::element;
  EXPECT_EQ(colours(channel_type::u8), words(same.begin(), same.end()));
}

// --- weights -------------------------------------------------------------------------------------

TEST(machine_blending, products_of_weights_have_eight_bits) {
  texture_description d = array_of(texture_shape::d2, {16, 8, 1});
  d.filter = filter_mode::linear;
  // 237 and 205 of 256 are 189.8, 177 and 128 are 88.5, 129 and 128 are 64.5.
  EXPECT_EQ(weights(d, {9.42675781F, 1.30078125F, 0}), (words{4, 47, 15, 190}));
  EXPECT_EQ(weights(d, {13.1925926F, 1.99999988F, 0}), (words{40, 88, 39, 89}));
  EXPECT_EQ(weights(d, {14.0039062F, 6.99804735F, 0}), (words{64, 64, 63, 65}));
}

TEST(machine_blending, in_three_dimensions_z_is_split_by_x_and_then_by_y) {
  texture_description d = array_of(texture_shape::d3, {16, 8, 4});
  d.filter = filter_mode::linear;
  // x: 128 of 256, y: 1, z: 1. In z 255 and 1; in x 127 and 128, 0 and 1 (0.5 goes to the next);
  // in y 0.5 of 128 go to the next beside the next in x, 0.496 of 127 do not.
  EXPECT_EQ(weights(d, {2, 1.50390625F, 1.50390625F}), (words{127, 127, 0, 1, 0, 1, 0, 0}));
  for (int k = 0; k < 200; ++k) {
    const auto at = [&](int step) { return 0.5F + static_cast<float>(k * step % 700) / 256; };
    std::uint32_t sum = 0;
    for (const std::uint32_t w : weights(d, {at(37), at(91), at(53)})) sum += w;
    EXPECT_EQ(sum, 256U);
  }
}

TEST(machine_blending, one_dimension_has_a_second_one_whose_border_is_seen) {
  texture_description d = array_of(texture_shape::d1, {2, 1, 1});
  d.filter = filter_mode::linear;
  const std::vector<float> texels = {8, 8};
  const auto* const bytes = reinterpret_cast<const std::byte*>(texels.data());
  const auto first = [&] { return as_float(sample(d, at_coordinates(d, {1, 0, 0}, 0), bytes)[0]); };
  EXPECT_EQ(first(), 8);
  d.modes[1] = address_mode::border;
  d.border[0] = as_bits(2);
  EXPECT_EQ(first(), 5);
  d.shape = texture_shape::a1d;  // but not with layers
  EXPECT_EQ(first(), 8);
}

// --- coordinates ---------------------------------------------------------------------------------

TEST(machine_blending, normalised_coordinates_are_cut_off_behind_21_digits) {
  const auto texel = [](std::uint32_t width, std::uint32_t x, address_mode m) {
    texture_description d = array_of(texture_shape::d1, {width, 1, 1});
    d.normalized_coordinates = true;
    d.modes[0] = m;
    return at_coordinates(d, {as_float(x), 0, 0}, 0).corners[0].offset / 4;
  };
  using enum address_mode;
  EXPECT_EQ(texel(13, 0x3d9d89da, clamp), 0U);  // 1.00000013 texels
  EXPECT_EQ(texel(13, 0x3eec4ec6, clamp), 5U);  // 6.00000042
  EXPECT_EQ(texel(13, 0x4004ec4f, wrap), 0U);   // 27.0000007
  EXPECT_EQ(texel(13, 0x4004ec50, wrap), 1U);   // 27.0000038
  EXPECT_EQ(texel(13, 0xbd9d89d8, wrap), 11U);  // -0.99999994
  EXPECT_EQ(texel(13, 0xbd9d89d8, mirror), 1U);
  EXPECT_EQ(texel(13, 0x80000001, wrap), 0U);       // a subnormal number is 0
  EXPECT_EQ(texel(1000, 0x3f7f7cef, clamp), 997U);  // 998.000085
  // One digit more of a long texture.
  EXPECT_EQ(texel(30000, 0x3f7ffdd3, clamp), 29998U);  // 29999.004
  EXPECT_EQ(texel(30000, 0x3f7ffdd4, clamp), 29999U);  // 29999.0058
}

}  // namespace
}  // namespace ptxlab::machine
