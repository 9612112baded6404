// SPDX-License-Identifier: Apache-2.0
// Textures without a GPU: the reference from the programming guide against numbers worked out by
// hand and against the machine, in all modes; what is wrong is noticed; sizes and pitches that a
// device does not have are refused in one line.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "driver/bench/array_words.hpp"
#include "driver/bench/texel_check.hpp"
#include "driver/bench/texel_walk.hpp"
#include "ptx/machine/sampling.hpp"
#include "ptx/machine/texture_limits.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::texture;
using machine::address_mode;
using machine::channel_type;
using machine::texel_storage;
using machine::texture_description;
using machine::texture_shape;

constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  const auto all = std::as_bytes(std::span(values));
  return {all.begin(), all.end()};
}

/// Four texels of f32 in a row, in an array of one layer: 10, 20, 40, 80.
struct row_of_four {
  texture_description d;
  std::vector<std::byte> texels = bytes_of(std::vector<float>{10, 20, 40, 80});

  row_of_four() {
    d.storage = texel_storage::array;
    d.shape = texture_shape::a1d;
    d.width = 4;
    d.border = {bits(-1)};
  }
  row_of_four& modes(address_mode m) {
    d.modes = {m, m, m};
    return *this;
  }
  row_of_four& unit() {
    d.normalized_coordinates = true;
    return *this;
  }
  row_of_four& linear() {
    d.filter = machine::filter_mode::linear;
    return *this;
  }
  expected_texel at(float x) const { return texel_reference(d, texels).at({bits(x), 0, 0, 0}); }
  float point(float x) const {
    const expected_texel e = at(x);
    EXPECT_EQ(e.any_of.size(), 1U) << x;
    return std::bit_cast<float>(e.any_of.front()[0]);
  }
  double exact(float x) const { return at(x).ranges[0].exact; }
};

TEST(texel_reference, takes_the_texel_that_a_place_lies_in) {
  row_of_four t;
  EXPECT_EQ(t.point(0), 10);
  EXPECT_EQ(t.point(0.999F), 10);
  EXPECT_EQ(t.point(1), 20);
  EXPECT_EQ(t.point(3.5F), 80);
  EXPECT_EQ(t.point(-5), 10);
  EXPECT_EQ(t.point(1e30F), 80);
  EXPECT_EQ(t.point(infinity), 80);
  EXPECT_EQ(t.point(-infinity), 10);
  EXPECT_EQ(t.point(nan), 10);
  t.modes(address_mode::border);
  EXPECT_EQ(t.point(-0.25F), -1);
  EXPECT_EQ(t.point(4), -1);
  // Without normalised coordinates nothing is repeated.
  EXPECT_EQ(t.modes(address_mode::wrap).point(4.5F), 80);
}

TEST(texel_reference, repeats_what_is_normalised) {
  row_of_four t;
  t.unit().modes(address_mode::wrap);
  EXPECT_EQ(t.point(0.375F), 20);
  EXPECT_EQ(t.point(1.375F), 20);
  EXPECT_EQ(t.point(-0.125F), 80);
  t.modes(address_mode::mirror);
  EXPECT_EQ(t.point(1.125F), 80);
  EXPECT_EQ(t.point(1.375F), 40);
  EXPECT_EQ(t.point(-0.375F), 20);
  // On an edge the last digit decides, which no document gives: either side will do.
  EXPECT_EQ(t.at(0.25F).any_of.size(), 2U);
}

TEST(texel_reference, blends_by_the_distance_from_the_centres) {
  row_of_four t;
  t.linear();
  EXPECT_EQ(t.exact(0.5F), 10);
  EXPECT_EQ(t.exact(1), 15);
  EXPECT_EQ(t.exact(2.75F), 50);
  EXPECT_EQ(t.exact(0.25F), 10);
  EXPECT_EQ(t.exact(4), 80);
  EXPECT_EQ(t.modes(address_mode::border).exact(0), 4.5);
  EXPECT_EQ(t.unit().modes(address_mode::wrap).exact(0), 45);
  EXPECT_EQ(t.modes(address_mode::mirror).exact(0), 10);
  // A step of 1/256 of the texels' distance, either way, and hardly more.
  const expected_texel::range r = row_of_four().linear().at(1).ranges[0];
  EXPECT_NEAR(r.low, 15 - 10.0 / 256, 1e-4);
  EXPECT_NEAR(r.high, 15 + 10.0 / 256, 1e-4);
}

TEST(texel_reference, reads_fractions_of_the_largest_number) {
  texture_description d;
  d.width = 3;
  d.reads = machine::read_mode::normalized_float;
  const auto value = [&d](const std::vector<std::byte>& texels, std::uint32_t i) {
    return std::bit_cast<float>(texel_reference(d, texels).at({i, 0, 0, 0}).any_of.front()[0]);
  };
  d.channel = channel_type::u8;
  const auto bytes = bytes_of(std::vector<std::uint8_t>{0, 51, 255});
  EXPECT_EQ(value(bytes, 0), 0);
  EXPECT_EQ(value(bytes, 1), 0.2F);
  EXPECT_EQ(value(bytes, 2), 1);
  EXPECT_EQ(value(bytes, 3), 0);  // beyond the end
  d.channel = channel_type::s16;
  const auto shorts = bytes_of(std::vector<std::int16_t>{-32768, -32767, 32767});
  EXPECT_EQ(value(shorts, 0), -1);
  EXPECT_EQ(value(shorts, 1), -1);
  EXPECT_EQ(value(shorts, 2), 1);
  d.channel = channel_type::f16;
  const auto halves = bytes_of(std::vector<std::uint16_t>{0x3c00, 0xc100, 0x0001});
  EXPECT_EQ(value(halves, 0), 1);
  EXPECT_EQ(value(halves, 1), -2.5F);
  EXPECT_EQ(value(halves, 2), 0x1p-24F);
}

// --- against the machine -------------------------------------------------------------------------

texel_words on_the_machine(const texture_description& d, const std::vector<std::byte>& texels,
                           const texel_place& p) {
  const std::array<float, 3> x = {std::bit_cast<float>(p[0]), std::bit_cast<float>(p[1]),
                                  std::bit_cast<float>(p[2])};
  const bool numbered = d.storage == texel_storage::linear;
  return machine::sample(d,
                         numbered ? machine::at_texel(d, {static_cast<std::int32_t>(p[0]), 0, 0}, 0)
                                  : machine::at_coordinates(d, x, p[3]),
                         texels.data());
}

/// What is wrong with a machine that has another description.
texel_errors errors_with(const texture_description& right, const texture_description& used,
                         std::size_t count) {
  const std::vector<std::byte> texels = random_texels(right);
  const std::vector<texel_place> where = places_of(right, count);
  std::vector<texel_words> read;
  for (const texel_place& p : where) read.push_back(on_the_machine(used, texels, p));
  return errors_of(right, texels, where, read);
}

/// Every mode that a device would take, of one shape and storage; `see` is called with each.
template <typename F>
unsigned each_mode(const texture& t, unsigned width, const F& see) {
  unsigned n = 0;
  const bool linear = t.from == texture::source::linear;
  for (double format = 0; format < 8; ++format)
    for (double edge = 0; edge < (linear ? 1 : 4); ++edge)
      for (double filtered = 0; filtered < (linear ? 1 : 2); ++filtered)
        for (double normalised = 0; normalised < (linear ? 1 : 2); ++normalised) {
          const texture_description d = described(t,
                                                  {{"format", format},
                                                   {"edge", edge},
                                                   {"filtered", filtered},
                                                   {"normalised", normalised},
                                                   {"width", width}},
                                                  false);
          if (filtered != 0 && !machine::reads_floats(d)) continue;
          machine::check(d);
          see(d);
          ++n;
        }
  return n;
}

TEST(texel_reference, admits_what_the_machine_gives_in_every_mode) {
  // The machine has the bits of an H200.
  int modes = 0;
  double largest[4] = {};
  for (const texture& shape : {texture{.from = texture::source::linear, .dimensions = 1},
                               texture{.from = texture::source::pitch}, texture{.dimensions = 1},
                               texture{}, texture{.dimensions = 3},
                               texture{.dimensions = 1, .layered = true}, texture{.layered = true}})
    for (const bool as_float : {false, true})
      for (const unsigned width : {1U, 13U}) {
        texture t = shape;
        t.as_float = as_float;
        t.channels = width == 1 ? 1 : 2;
        modes += each_mode(t, width, [&](const texture_description& d) {
          const texel_errors e = errors_with(d, d, width == 1 ? 50 : 300);
          EXPECT_EQ(e.wrong, 0U) << fmt::format("{}, format {}, edge {}: {}",
                                                machine::name(d.shape), static_cast<int>(d.channel),
                                                static_cast<int>(d.modes[0]), e.first);
          EXPECT_EQ(e.unlike, 0U);
          double& most = largest[machine::dimensions(d.shape)];
          most = std::max(most, e.largest.value_or(0) * 256);
        });
      }
  // Linear memory: 8 formats. Six others: 8 formats and, filtered, 2 or 6 of them, with 4 edges and
  // 2 kinds of coordinates. All of it twice, in two widths.
  EXPECT_EQ(modes, 2 * (2 * 8 + 6 * (8 + 2 + 8 + 6) * 4 * 2));
  // A step of a weight in one dimension, and what rounded products of weights add in more.
  EXPECT_GT(largest[1], 0.25);
  EXPECT_LE(largest[1], 1.01);
  EXPECT_LE(largest[2], 2.01);
  EXPECT_LE(largest[3], 4.01);
}

TEST(texel_reference, notices_another_mode) {
  const texture plane;
  const auto some = [&plane](axes more) {
    axes a = {{"format", 7}, {"edge", 1}, {"width", 13}};
    for (const auto& [name, value] : more) a[name] = value;
    return described(plane, a, false);
  };
  const auto wrong = [](const texture_description& right, const texture_description& used) {
    return errors_with(right, used, 512).wrong;
  };
  const texture_description point = some({}), linear = some({{"filtered", 1}}),
                            unit = some({{"normalised", 1}});
  EXPECT_EQ(wrong(point, point), 0U);
  EXPECT_GT(wrong(point, linear), 100U);
  EXPECT_GT(wrong(linear, point), 100U);
  EXPECT_GT(wrong(point, unit), 100U);
  EXPECT_GT(wrong(point, some({{"edge", 3}})), 20U);
  EXPECT_GT(wrong(unit, some({{"normalised", 1}, {"edge", 0}})), 20U);
  EXPECT_GT(wrong(some({{"normalised", 1}, {"edge", 2}}), some({{"normalised", 1}, {"edge", 0}})),
            20U);
  texture_description y_clamps = some({{"normalised", 1}, {"edge", 0}});
  y_clamps.modes[1] = address_mode::clamp;
  EXPECT_GT(wrong(some({{"normalised", 1}, {"edge", 0}}), y_clamps), 20U);
}

TEST(texel_reference, notices_weights_that_are_two_steps_off_and_what_is_no_number) {
  row_of_four t;
  t.linear();
  const expected_texel e = t.at(1.3F);
  const auto given = [&e](double v) { return e.admits({bits(static_cast<float>(v)), 0, 0, 0}); };
  EXPECT_TRUE(given(e.ranges[0].exact));
  EXPECT_FALSE(given(e.ranges[0].exact + 2 * 10.0 / 256));
  EXPECT_FALSE(given(e.ranges[0].exact - 2 * 10.0 / 256));
  EXPECT_FALSE(given(nan));
  EXPECT_FALSE(e.admits({bits(static_cast<float>(e.ranges[0].exact)), 0, 0, bits(1)}))
      << "a channel that is not there";
  texel_errors wrong = errors_of(t.d, t.texels, {{bits(0.5F), 0, 0, 0}}, {{bits(11), 0, 0, 0}});
  EXPECT_EQ(wrong.wrong, 1U);
  EXPECT_EQ(wrong.unlike, 1U);
  EXPECT_NE(wrong.first.find("at (0.5)"), std::string::npos) << wrong.first;
  EXPECT_THROW(errors_of(t.d, t.texels, {{}}, {}), error);
}

// --- limits --------------------------------------------------------------------------------------

std::string refusal(const texture_description& d, const machine::texture_limits& l = {}) {
  try {
    machine::check(d, l);
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    return e.what();
  }
  return "";
}

TEST(texture_limits, what_a_device_does_not_take_is_one_line) {
  machine::texture_limits l;
  l.of = "device 0 (Some GPU)";
  texture_description line;
  line.width = 1U << 28;
  EXPECT_EQ(refusal(line, l), "");
  ++line.width;
  EXPECT_EQ(refusal(line, l),
            "a texture with width 268435457: 1 to 268435456 for this shape and storage on device 0 "
            "(Some GPU)");
  line.width = 0;
  EXPECT_NE(refusal(line, l), "");
  texture_description rows;
  rows.storage = texel_storage::pitched;
  rows.shape = texture_shape::d2;
  rows.width = 10;
  rows.height = 2;
  rows.pitch_bytes = 64;
  EXPECT_EQ(refusal(rows, l), "");
  rows.pitch_bytes = 44;
  EXPECT_EQ(refusal(rows, l),
            "a texture with rows 44 bytes apart: a multiple of 32, at most 2097120");
  rows.pitch_bytes = 32;
  EXPECT_EQ(refusal(rows, l), "a texture with rows of 40 bytes that are 32 bytes apart");
  l.pitch_alignment_bytes = 64;
  rows.pitch_bytes = 96;
  EXPECT_EQ(refusal(rows, l),
            "a texture with rows 96 bytes apart: a multiple of 64, at most 2097120");
  texture_description cube;
  cube.storage = texel_storage::array;
  cube.shape = texture_shape::d3;
  cube.width = cube.height = cube.depth = 16384;
  EXPECT_EQ(refusal(cube, l), "");
  l.d3.depth = 2048;
  EXPECT_NE(refusal(cube, l).find("depth 16384: 1 to 2048"), std::string::npos);
  EXPECT_THROW(machine::check_offset(16, "texels", l), error);
  EXPECT_NO_THROW(machine::check_offset(1024, "texels", l));
}

// --- points, walks, rings ------------------------------------------------------------------------

TEST(bench_texels, points_leave_out_what_cannot_be_filtered) {
  kernels::measurement m;
  m.how = kernels::protocol::texels;
  using enum texture::format;
  m.texture = {.formats = {u8, u32, f16},
               .edges = {texture::edge::wrap, texture::edge::border},
               .filtered = {false, true},
               .as_float = true,
               .extent = {5}};
  const auto points = [&m](bool quick) {
    return protocol_of(kernels::protocol::texels).points(m, {}, quick);
  };
  EXPECT_EQ(points(false).size(), 2U * (2 + 1 + 2));
  EXPECT_EQ(points(true).size(), 4U);
  for (const axes& a : points(false))
    EXPECT_FALSE(a.at("filtered") != 0 && a.at("format") == static_cast<double>(u32));
  m.texture.from = texture::source::linear;
  EXPECT_EQ(points(false).size(), 3U) << "neither edges nor filters";
  m.blocks_per_sm = {2};
  m.swept = {.axis = "columns", .values = {0, 1}};
  EXPECT_EQ(points(false).size(), 3U * 2 * 2);
}

TEST(texel_walk, reads_every_texel_once_a_round) {
  texture_description d = described({}, {{"format", 7}, {"edge", 1}, {"width", 64}}, true);
  const std::vector<std::byte> texels = exact_texels(d);
  std::uint32_t all = 0;
  for (std::size_t i = 0; i < texels.size(); i += 4) {
    std::uint32_t one = 0;
    std::memcpy(&one, texels.data() + i, 4);
    all ^= one;
  }
  for (const bool columns : {false, true}) {
    const texel_walk w = {d, 3, 64, 1, columns};
    std::uint32_t seen = 0;
    for (unsigned i = 0; i < 3 * 64; ++i) seen ^= w.folded(texels, i / 64, i % 64);
    EXPECT_EQ(seen, all);
  }
  EXPECT_NO_THROW((texel_walk{d, 3, 64, 1, true}.check()));
  d.height = 60;
  EXPECT_THROW((texel_walk{d, 3, 64, 1, true}.check()), error);
  d.height = 36;
  EXPECT_THROW((texel_walk{d, 3, 64, 1, false}.check()), error);
}

TEST(array_words, a_ring_goes_through_one_texel_of_every_block) {
  const texture_description d = array_of_places({}, 4096);
  EXPECT_EQ(d.width * d.height, 512U);
  for (const auto order : {kernels::ring::order::sequential, kernels::ring::order::random}) {
    const std::vector<std::byte> texels = ring_texels(d, order);
    std::set<std::pair<float, float>> seen;
    float place[2] = {0.5F, 0.5F};
    while (seen.insert({place[0], place[1]}).second) {
      const std::size_t at =
          static_cast<std::size_t>(place[1]) * d.width + static_cast<std::size_t>(place[0]);
      std::memcpy(place, texels.data() + at * sizeof place, sizeof place);
    }
    EXPECT_EQ(seen.size(), 32U);
    for (const auto& [x, y] : seen) {
      EXPECT_EQ(std::fmod(x, 4), 0.5F);
      EXPECT_EQ(std::fmod(y, 4), 0.5F);
    }
  }
  EXPECT_THROW(array_of_places({}, 1000), error);
  EXPECT_THROW(array_of_places({}, 256), error);
}

}  // namespace
}  // namespace ptxlab::bench
