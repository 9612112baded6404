// SPDX-License-Identifier: Apache-2.0
// The texture instructions of kernels: tex, tld4 and txq of texture objects, what observers are
// told of them, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>

#include "ptx/text/error.hpp"
#include "tests/unit/machine_fixture.hpp"

namespace ptxlab::machine {
namespace {

std::uint32_t as_bits(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// A kernel whose lanes read their handle and three coordinates, run `instruction` with %rd1, %r1
/// to %r3 (bits %f1 to %f3) and store %r10 to %r13.
std::string kernel(const std::string& instruction) {
  return R"(
.visible .entry fetch(.param .u64 in, .param .u64 out) {
  .reg .pred %p<3>; .reg .b32 %r<20>; .reg .f32 %f<8>; .reg .b64 %rd<8>;
  ld.param.u64 %rd2, [in];
  ld.param.u64 %rd3, [out];
  mov.u32 %r4, %tid.x;
  mul.wide.u32 %rd4, %r4, 32;
  add.u64 %rd5, %rd2, %rd4;
  ld.global.u64 %rd1, [%rd5];
  ld.global.u32 %r1, [%rd5+8];
  ld.global.u32 %r2, [%rd5+12];
  ld.global.u32 %r3, [%rd5+16];
  ld.global.u32 %r5, [%rd5+20];
  mov.b32 %f1, %r1; mov.b32 %f2, %r2; mov.b32 %f3, %r3; mov.b32 %f5, %r5;
  mov.b32 %r11, 0; mov.b32 %r12, 0; mov.b32 %r13, 0;
  )" + instruction +
         R"(
  mul.wide.u32 %rd4, %r4, 16;
  add.u64 %rd5, %rd3, %rd4;
  st.global.v4.u32 [%rd5], {%r10, %r11, %r12, %r13};
  ret;
})";
}

struct lane_input {
  std::uint64_t handle = 0;
  std::array<std::uint32_t, 6> at = {};  ///< the fourth: of %r5
};

using words = std::vector<std::uint32_t>;

struct run {
  explicit run(const std::string& instruction) : m(kernel(instruction)) {}

  template <class T>
  std::uint64_t texture(texture_description d, const std::vector<T>& texels) {
    d.at = m.buffer(texels, "texels");
    last = d.at;
    return m.emulator.create_texture(d);
  }
  words operator()(const std::vector<lane_input>& lanes) {
    const auto n = static_cast<std::uint32_t>(lanes.size());
    const address in = m.buffer(lanes), out = m.buffer(words(lanes.size() * 4));
    report = m.run("fetch", 1, n, {in, out});
    return m.read<std::uint32_t>(out, lanes.size() * 4);
  }

  machine_fixture m;
  run_report report;
  address last = 0;
};

constexpr const char* results = " {%r10, %r11, %r12, %r13}, ";

texture_description array_of(texture_shape shape, channel_type type) {
  texture_description d;
  d.storage = texel_storage::array;
  d.shape = shape;
  d.channel = type;
  return d;
}

TEST(machine_texture_run, linear_memory_is_read_by_number_and_gives_zero_beyond_its_ends) {
  run r(std::string("tex.1d.v4.u32.s32") + results + "[%rd1, {%r1}];");
  texture_description d;
  d.channel = channel_type::u32;
  d.width = 4;
  // Not used by linear memory.
  d.modes[0] = address_mode::wrap;
  d.border = {9, 9, 9, 9};
  d.normalized_coordinates = true;
  const std::uint64_t t = r.texture(d, words{5, 6, 7, 8});
  EXPECT_EQ(r({{t, {0}}, {t, {3}}, {t, {4}}, {t, {0xffffffff}}}),
            (words{5, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
}

TEST(machine_texture_run, lanes_may_have_handles_of_their_own) {
  run r(std::string("tex.1d.v4.u32.s32") + results + "[%rd1, %r1];");
  texture_description d;
  d.channel = channel_type::u8;
  d.channels = 4;
  d.width = 2;
  const std::uint64_t bytes = r.texture(d, std::vector<std::uint8_t>{1, 2, 3, 4, 5, 6, 7, 8});
  d.channel = channel_type::s16;
  d.channels = 2;
  const std::uint64_t shorts = r.texture(d, std::vector<std::int16_t>{-1, 2, -3, 4});
  EXPECT_EQ(r({{bytes, {1}}, {shorts, {1}}, {bytes, {0}}}),
            (words{5, 6, 7, 8, 0xfffffffd, 4, 0, 0, 1, 2, 3, 4}));
}

TEST(machine_texture_run, a_result_may_lie_where_the_coordinate_did) {
  run r("tex.1d.v4.u32.s32 {%r1, %r2, _, _}, [%rd1, {%r1}]; mov.u32 %r10, %r1;");
  texture_description d;
  d.channel = channel_type::u32;
  d.width = 3;
  const std::uint64_t ring = r.texture(d, words{2, 0, 1});
  const words v = r({{ring, {0}}, {ring, {1}}, {ring, {2}}});
  EXPECT_EQ((words{v[0], v[4], v[8]}), (words{2, 0, 1}));
}

TEST(machine_texture_run, every_shape_finds_its_texels) {
  std::vector<float> texels(24);
  for (std::size_t i = 0; i < texels.size(); ++i) texels[i] = static_cast<float>(i);
  struct form {
    texture_shape shape;
    std::array<std::uint32_t, 4> size;  ///< width, height, depth, layers
    std::string floating, numbered;     ///< coordinates
    std::array<std::uint32_t, 3> at;
    float value;
  };
  using enum texture_shape;
  // A layer comes first; what would be three is four. An array of one dimension is not read by
  // number, as measured on an H200: that gives zeros.
  for (const form& f : std::vector<form>{
           {d1, {24, 1, 1, 1}, "{%f1}", "{%r1}", {17, 0, 0}, 17},
           {d2, {6, 4, 1, 1}, "{%f1, %f2}", "{%r1, %r2}", {5, 2, 0}, 17},
           {d3, {2, 3, 4, 1}, "{%f1, %f2, %f3, %f3}", "{%r1, %r2, %r3, %r3}", {1, 2, 2}, 17},
           {a1d, {6, 1, 1, 4}, "{%r5, %f1}", "{%r5, %r1}", {5, 0, 0}, 17},
           {a2d, {2, 3, 1, 4}, "{%r5, %f1, %f2, %f3}", "{%r5, %r1, %r2, %r3}", {1, 2, 0}, 17}}) {
    texture_description d = array_of(f.shape, channel_type::f32);
    d.width = f.size[0];
    d.height = f.size[1];
    d.depth = f.size[2];
    d.layers = f.size[3];
    lane_input by_number{0, {f.at[0], f.at[1], f.at[2], 2}}, by_float = by_number;
    for (unsigned k = 0; k < 3; ++k) by_float.at[k] = as_bits(static_cast<float>(f.at[k]) + 0.5F);
    const std::string shape(name(f.shape));
    const std::uint32_t numbers_give = f.shape == d1 ? 0 : as_bits(f.value);
    for (const char* mip : {"", "base."}) {
      run floating(
          fmt::format("tex.{}{}.v4.f32.f32{}[%rd1, {}];", mip, shape, results, f.floating));
      by_float.handle = floating.texture(d, texels);
      EXPECT_EQ(floating({by_float})[0], as_bits(f.value)) << shape << floating.report.reason;
      run numbered(
          fmt::format("tex.{}{}.v4.f32.s32{}[%rd1, {}];", mip, shape, results, f.numbered));
      by_number.handle = numbered.texture(d, texels);
      EXPECT_EQ(numbered({by_number})[0], numbers_give) << shape << numbered.report.reason;
    }
    // A level is of the coordinates' type.
    run level("tex.level." + shape + ".v4.f32.s32" + results + "[%rd1, " + f.numbered + "], 0;");
    by_number.handle = level.texture(d, texels);
    EXPECT_EQ(level({by_number})[0], numbers_give) << shape << level.report.reason;
  }
}

TEST(machine_texture_run, beyond_the_texture_a_number_gives_zero_and_with_a_level_the_edge) {
  // As measured on an H200, whatever the address mode; layers too.
  texture_description d = array_of(texture_shape::a2d, channel_type::u32);
  d.width = 3;
  d.height = 2;
  d.layers = 2;
  const words texels = {1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16};
  const auto read = [&](const std::string& mip, const std::string& level) {
    run r("tex." + mip + "a2d.v4.u32.s32" + results + "[%rd1, {%r5, %r1, %r2, %r2}]" + level + ";");
    const std::uint64_t t = r.texture(d, texels);
    const words v = r({{t, {2, 1, 0, 1}},
                       {t, {3, 1, 0, 0}},
                       {t, {0, 0xffffffff, 0, 0}},
                       {t, {1, 1, 0, 2}},
                       {t, {0x80000000, 9, 0, 0xffffffff}}});
    return words{v[0], v[4], v[8], v[12], v[16]};
  };
  for (const address_mode m : {address_mode::clamp, address_mode::border}) {
    d.modes = {m, m, m};
    for (const char* mip : {"", "base."}) EXPECT_EQ(read(mip, ""), (words{16, 0, 0, 0, 0})) << mip;
    EXPECT_EQ(read("level.", ", 0"), (words{16, 6, 1, 15, 14}));
  }
}

TEST(machine_texture_run, rows_are_a_pitch_apart_and_filters_weigh_four_texels) {
  run r(std::string("tex.2d.v4.f32.f32") + results + "[%rd1, {%f1, %f2}];");
  texture_description d;
  d.storage = texel_storage::pitched;
  d.shape = texture_shape::d2;
  d.width = d.height = 2;
  d.pitch_bytes = 32;
  d.filter = filter_mode::linear;
  const std::uint64_t t = r.texture(d, std::vector<float>{1, 2, -9, -9, -9, -9, -9, -9, 3, 4});
  const words v = r({{t, {as_bits(1), as_bits(1)}}, {t, {as_bits(1.25F), as_bits(0.5F)}}});
  EXPECT_EQ((words{v[0], v[3], v[4]}), (words{as_bits(2.5F), 0, as_bits(1.75F)}));
}

TEST(machine_texture_run, a_gather_goes_counter_clockwise_from_the_lower_left) {
  run r(std::string("tld4.g.2d.v4.u32.f32") + results + "[%rd1, {%f1, %f2}];");
  texture_description d = array_of(texture_shape::d2, channel_type::u16);
  d.channels = 2;
  d.width = 3;
  d.height = 2;
  // The second channel: 1 2 3 above 4 5 6.
  const std::uint64_t t =
      r.texture(d, std::vector<std::uint16_t>{0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6});
  EXPECT_EQ(r({{t, {as_bits(1), as_bits(1)}}, {t, {as_bits(2.9F), as_bits(1)}}}),
            (words{4, 5, 2, 1, 6, 6, 3, 3}));
}

TEST(machine_texture_run, queries_tell_what_the_description_said) {
  texture_description d = array_of(texture_shape::a2d, channel_type::s16);
  d.width = 5;
  d.height = 4;
  d.layers = 3;
  d.channels = 2;
  for (const auto& [field, value] :
       std::vector<std::pair<std::string, std::uint32_t>>{{"width", 5},
                                                          {"height", 4},
                                                          {"array_size", 3},
                                                          {"normalized_coords", 0},
                                                          {"channel_data_type", 0x10d8},
                                                          {"channel_order", 0x10b2}}) {
    run r("txq." + field + ".b32 %r10, [%rd1];");
    const std::uint64_t t = r.texture(d, std::vector<std::int16_t>(120));
    EXPECT_EQ(r({{t, {}}})[0], value) << field << r.report.reason;
  }
  run r("txq.depth.b32 %r10, [%rd1];");
  r({{r.texture(d, std::vector<std::int16_t>(120)), {}}});
  EXPECT_NE(r.report.reason.find("the depth of a texture of shape a2d"), std::string::npos);
}

// --- observers -----------------------------------------------------------------------------------

struct listener : observer {
  void accessed(const access& a) override {
    if (a.space != flow::space::texture) return;
    EXPECT_EQ(a.what, flow::kind::load);
    for (unsigned i = 0; i < warp_lanes; ++i)
      if ((a.who.mask >> i & 1) != 0) seen.push_back({i, a.at[i], a.bytes});
  }
  struct one {
    unsigned lane;
    address at;
    std::uint32_t bytes;
    bool operator==(const one&) const = default;
  };
  std::vector<one> seen;
};

TEST(machine_texture_run, observers_are_told_the_first_texel_of_each_lane) {
  run r(std::string("tex.1d.v4.f32.f32") + results + "[%rd1, {%f1}];");
  texture_description d = array_of(texture_shape::d1, channel_type::f32);
  d.width = 4;
  d.filter = filter_mode::linear;
  d.modes[0] = address_mode::border;
  const std::uint64_t narrow = r.texture(d, std::vector<float>(4));
  const address first = r.last;
  d.channels = 2;
  const std::uint64_t wide = r.texture(d, std::vector<float>(8));
  listener l;
  r.m.how.observers = {&l};
  // Lane 2 reads the border alone; lane 3's first corner is border, its second is texel 0.
  r({{narrow, {as_bits(2)}}, {wide, {as_bits(3)}}, {narrow, {as_bits(9)}}, {narrow, {0}}});
  ASSERT_EQ(r.report.how, ending::finished) << r.report.reason;
  EXPECT_EQ(l.seen,
            (std::vector<listener::one>{{0, first + 4, 4}, {3, first, 4}, {1, r.last + 16, 8}}));
}

// --- what is refused -----------------------------------------------------------------------------

struct refused : testing::Test {
  run r{std::string("tex.level.2d.v4.f32.f32") + results + "[%rd1, {%f1, %f2}], %f5;"};
  texture_description d = array_of(texture_shape::d2, channel_type::f32);

  std::string reason(const lane_input& lane) {
    r({lane});
    EXPECT_EQ(r.report.how, ending::fault);
    return r.report.reason;
  }
  void has(const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
};

TEST_F(refused, handles_that_are_none) {
  const std::uint64_t t = r.texture(d, words{1});
  r({{t, {}}});
  EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
  has(reason({0, {}}), "0x0 is no texture object");
  has(reason({t + 1, {}}), "is no texture object");
  has(reason({t + 32, {}}), "is no texture object");
  has(reason({r.last, {}}), "is no texture object");
  r.m.emulator.destroy_texture(t);
  has(reason({t, {}}), "was destroyed");
}

TEST_F(refused, levels_shapes_and_memory_that_do_not_fit) {
  const std::uint64_t t = r.texture(d, words{1});
  has(reason({t, {0, 0, 0, as_bits(1)}}), "a level other than 0");
  r({{t, {0, 0, 0, as_bits(-0.0F)}}});
  EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
  has(reason({r.texture(array_of(texture_shape::a2d, channel_type::f32), words{1}), {}}),
      "shape 2d from a texture of shape a2d");
  has(reason({r.texture(texture_description{}, words{1}), {}}), "shape 1d");
  const std::uint64_t gone = r.texture(d, words{1});
  r.m.emulator.device().release(r.last);
  has(reason({gone, {}}), "'texels', which was freed");
}

TEST_F(refused, floating_coordinates_into_linear_memory) {
  run line(std::string("tex.1d.v4.f32.f32") + results + "[%rd1, {%f1}];");
  line({{line.texture(texture_description{}, words{1}), {}}});
  EXPECT_EQ(line.report.how, ending::fault);
  has(line.report.reason, "linear memory");
}

TEST_F(refused, texels_that_nobody_wrote) {
  r.m.emulator.device().track_writes(true);
  d.width = 2;
  d.at = r.m.emulator.device().allocate(8, "half");
  r.m.emulator.device().fill(d.at, std::byte{1}, 4);
  const std::uint64_t t = r.m.emulator.create_texture(d);
  r.m.how.check_uninitialised = true;
  r({{t, {as_bits(0.5F)}}});
  EXPECT_EQ(r.report.how, ending::finished) << r.report.reason;
  has(reason({t, {as_bits(1.5F)}}), "byte 4 of 'half', which nobody wrote");
}

TEST(machine_texture_run, forms_that_the_machine_does_not_have_are_listed) {
  const std::string r = results;
  for (const std::string& in : {
           "tex.cube.v4.f32.f32" + r + "[%rd1, {%f1, %f2, %f3, %f3}];",
           "tex.2dms.v4.f32.s32" + r + "[%rd1, {%r1, %r2, %r3, %r3}];",
           "tex.grad.2d.v4.f32.f32" + r + "[%rd1, {%f1, %f2}], {%f1, %f2}, {%f1, %f2};",
           "tex.2d.v4.f32.f32" + r + "[%rd1, {%f1, %f2}], {%r1, %r2};",
           "tex.2d.v4.f32.f32" + r + "[%rd1, {%f1, %f2}], {%r1, %r2}, %f3;",
           "tex.2d.v4.f32.f32" + r + "[%rd1, %rd1, {%f1, %f2}];",
           "tex.2d.v4.f32.f32" + r + "[%rd1, {%f1}];",
           "tex.3d.v4.f32.f32" + r + "[%rd1, {%f1, %f2, %f3}];",
           "tex.2d.v4.f32.f32" + r + "[%rd1];",
           "tex.2d.v4.f32.f32" + r + "[%r1, {%f1, %f2}];",
           std::string("tex.2d.v4.f32.f32 {%r10, %r11}, [%rd1, {%f1, %f2}];"),
           std::string("tex.2d.v4.f32.f32 {%r10, %r11, %r12, %r13}|%p1, [%rd1, {%f1, %f2}];"),
           std::string("tex.2d.v2.f16x2.f32 {%r10, %r11}, [%rd1, {%f1, %f2}];"),
           "tex.level.2d.v4.f32.f32" + r + "[%rd1, {%f1, %f2}];",
           "tld4.r.cube.v4.f32.f32" + r + "[%rd1, {%f1, %f2, %f3, %f3}];",
           "tld4.2d.v4.f32.f32" + r + "[%rd1, {%f1, %f2}];",
           std::string("txq.num_samples.b32 %r10, [%rd1];"),
           std::string("txq.level.width.b32 %r10, [%rd1], %r1;"),
           std::string("txq.width.b32 %r10, [%rd1+4];"),
       }) {
    machine_fixture m(kernel(in));
    const decoded& d = m.module.kernel("fetch");
    ASSERT_EQ(d.missing.size(), 1U) << in;
    EXPECT_FALSE(d.missing[0].reason.empty());
  }
}

}  // namespace
}  // namespace ptxlab::machine
