// SPDX-License-Identifier: Apache-2.0
// Golden cases for textures: every spelling of tex, tld4 and txq; what becomes of coordinates, by
// shape, address mode and filter; and what becomes of texels, by type and read mode.
#include <fmt/format.h>

#include "ptx/machine/row.hpp"
#include "tests/golden/cases.hpp"
#include "tests/golden/spelled.hpp"

namespace ptxlab::golden {
namespace {

using machine::address_mode;
using machine::channel_type;
using machine::filter_mode;
using machine::read_mode;
using machine::texel_storage;
using machine::texture_description;
using machine::texture_shape;
using machine::type;

constexpr texture_shape shapes[] = {texture_shape::d1, texture_shape::d2, texture_shape::d3,
                                    texture_shape::a1d, texture_shape::a2d};
constexpr address_mode modes[] = {address_mode::wrap, address_mode::clamp, address_mode::mirror,
                                  address_mode::border};
constexpr const char* mode_names[] = {"wrap", "clamp", "mirror", "border"};
struct named_channel {
  channel_type of;
  const char* name;
};
constexpr named_channel channels[] = {{channel_type::u8, "u8"},   {channel_type::s8, "s8"},
                                      {channel_type::u16, "u16"}, {channel_type::s16, "s16"},
                                      {channel_type::u32, "u32"}, {channel_type::s32, "s32"},
                                      {channel_type::f16, "f16"}, {channel_type::f32, "f32"}};

/// "2d,linear,wrap,unit,13x7x1,u8x4": the texture in a case's name.
std::string text_of(const textured& t) {
  constexpr const char* storages[] = {"memory", "pitch", "array"};
  constexpr const char* contents[] = {"", ",steps", ",ramp", ",wild"};
  const texture_description& d = t.what;
  const char* channel = channels[static_cast<std::size_t>(d.channel)].name;
  return fmt::format("{},{}x{}{},{},{},{},{}x{}x{}{}",
                     storages[static_cast<std::size_t>(d.storage)], channel, d.channels,
                     d.reads == read_mode::normalized_float ? "n" : "",
                     d.filter == filter_mode::linear ? "linear" : "point",
                     mode_names[static_cast<std::size_t>(d.modes[0])],
                     d.normalized_coordinates ? "unit" : "texels", d.width, machine::extent(d, 1),
                     machine::layered(d.shape) ? d.layers : machine::extent(d, 2),
                     contents[static_cast<std::size_t>(t.content)]);
}

/// The register type that a fetch of a texture has: another one is undefined.
const char* fetched(const texture_description& d) {
  if (machine::reads_floats(d)) return "f32";
  return d.channel == channel_type::s8 || d.channel == channel_type::s16 ||
                 d.channel == channel_type::s32
             ? "s32"
             : "u32";
}

struct extents {
  std::uint32_t width, height, depth, layers;
};
constexpr extents odd = {13, 7, 5, 3}, even = {16, 8, 4, 4};

texture_description description(texture_shape s, const extents& e, channel_type t,
                                std::uint32_t count) {
  texture_description d;
  d.storage = texel_storage::array;
  d.shape = s;
  d.channel = t;
  d.channels = count;
  d.width = e.width;
  if (machine::dimensions(s) >= 2) d.height = e.height;
  if (machine::dimensions(s) == 3) d.depth = e.depth;
  if (machine::layered(s)) d.layers = e.layers;
  return d;
}
/// Colours that a texel of the type could have, but for the third of fractions without a sign.
std::array<std::uint32_t, 4> border_of(const texture_description& d) {
  if (machine::reads_floats(d)) return {0x3e800000, 0x3f000000, 0xbf400000, 0x3f666666};
  return {0x11, 0x22, std::string_view(fetched(d)) == "s32" ? 0xffffffcd : 0x33, 0x44};
}
void set_modes(texture_description& d, address_mode m) {
  d.modes = {m, m, m};
}

/// Operands of a fetch: the layer, then the coordinates; and the list of them in PTX.
std::string add_coordinates(golden_case& c, const texture_description& d, bool by_texel) {
  std::string list;
  if (machine::layered(d.shape))
    c.in.push_back({type::u32, use::layer, static_cast<std::uint16_t>(d.layers)});
  const use as = by_texel ? use::texel : d.normalized_coordinates ? use::fraction : use::texels;
  for (unsigned k = 0; k < machine::dimensions(d.shape); ++k)
    c.in.push_back(
        {by_texel ? type::s32 : type::f32, as, static_cast<std::uint16_t>(machine::extent(d, k))});
  for (std::size_t k = 0; k < c.in.size(); ++k)
    list += fmt::format("{}%i{}", k == 0 ? "" : ", ", k);
  return c.in.size() == 3 ? fmt::format("{}, %i{}", list, c.in.size() - 1) : list;
}

golden_case fetch(std::string_view spelling, const textured& t, bool by_texel,
                  const std::string& level = "") {
  golden_case c;
  c.name = fmt::format("{}:{}", spelling, text_of(t));
  c.texture = t;
  c.texture->what.border = border_of(t.what);
  c.out = {32, 32, 32, 32};
  const std::string list = add_coordinates(c, t.what, by_texel);
  c.code = fmt::format("{} {{%o0, %o1, %o2, %o3}}, [%tex, {{{}}}]{};\n", spelling, list, level);
  return c;
}

/// A fetch by the texture's own shape and type.
void add_fetch(const textured& t, bool by_texel, std::vector<golden_case>& to) {
  const std::string spelling = fmt::format("tex.{}.v4.{}.{}", machine::name(t.what.shape),
                                           fetched(t.what), by_texel ? "s32" : "f32");
  to.push_back(fetch(spelling, t, by_texel));
}

// --- spellings -----------------------------------------------------------------------------------

texture_shape shape_named(std::string_view text) {
  for (const texture_shape s : shapes)
    if (machine::name(s) == text) return s;
  return texture_shape::d1;
}
channel_type channel_named(std::string_view text) {
  return text == "u32" ? channel_type::u32 : text == "s32" ? channel_type::s32 : channel_type::f32;
}

void add_spellings(std::vector<golden_case>& to) {
  each_spelling("tex", [&](const std::string& s, const machine::choice& c) {
    const texture_shape shape = shape_named(c.get("shape"));
    const textured t{description(shape, odd, channel_named(c.get("t")), 4)};
    const bool by_texel = c.is("s", "s32");
    to.push_back(fetch(s, t, by_texel,
                       !c.is("mip", "level") ? ""
                       : by_texel            ? ", 0"
                                             : ", 0f00000000"));
  });
  each_spelling("tld4", [&](const std::string& s, const machine::choice& c) {
    const texture_shape shape = shape_named(c.get("shape"));
    textured t{description(shape, odd, channel_named(c.get("t")), 4)};
    to.push_back(fetch(s, t, false));
    if (channel_named(c.get("t")) == channel_type::f32) t.what.filter = filter_mode::linear;
    t.what.normalized_coordinates = true;
    set_modes(t.what, c.is("channel", "r") ? address_mode::wrap : address_mode::border);
    to.push_back(fetch(s, t, false));
  });
  // The other fields cannot be measured. ptxas 13.0 reads them from a table whose entries have the
  // size of a symbol, .nv.unified.texrefDescSize, that no driver of CUDA defines (580.159 here):
  // the cubin holds their kernels, the module that the driver makes of it does not.
  each_spelling("txq", [&](const std::string& s, const machine::choice& c) {
    const std::string_view field = c.get("field");
    for (const texture_shape shape : shapes) {
      if (!(field == "width" || (field == "height" && machine::dimensions(shape) >= 2) ||
            (field == "depth" && machine::dimensions(shape) == 3)))
        continue;
      textured t{description(shape, odd, channel_type::f16, 2)};
      t.what.normalized_coordinates = shape == texture_shape::a2d;
      golden_case q;
      q.name = fmt::format("{}:{},{}", s, machine::name(shape), text_of(t));
      q.in = {{type::b32, use::bits}};
      q.texture = t;
      q.out = {32};
      q.code = fmt::format("{} %o0, [%tex];\n", s);
      to.push_back(std::move(q));
    }
  });
}

// --- coordinates ---------------------------------------------------------------------------------

void add_coordinates(std::vector<golden_case>& to) {
  for (const texture_shape shape : shapes)
    for (const extents& e : {odd, even})
      for (const bool pitched : {false, true})
        for (const address_mode m : modes)
          for (const bool unit : {false, true})
            for (const filter_mode f : {filter_mode::point, filter_mode::linear}) {
              if (pitched && shape != texture_shape::d2) continue;
              textured t{description(shape, e, channel_type::f32, 1)};
              set_modes(t.what, m);
              t.what.normalized_coordinates = unit;
              t.what.filter = f;
              if (pitched) {
                t.what.storage = texel_storage::pitched;
                t.what.pitch_bytes = 96;
              }
              add_fetch(t, false, to);
            }
  // Modes that differ, and a long texture, whose coordinates have few digits behind the point.
  for (const filter_mode f : {filter_mode::point, filter_mode::linear}) {
    textured t{description(texture_shape::d3, odd, channel_type::f32, 1)};
    t.what.modes = {address_mode::mirror, address_mode::wrap, address_mode::border};
    t.what.normalized_coordinates = true;
    t.what.filter = f;
    add_fetch(t, false, to);
    to.back().name += ",mixed";
    for (const std::uint32_t width : {1000U, 1024U, 30000U})
      for (const bool unit : {false, true}) {
        textured u{description(texture_shape::d1, {width, 1, 1, 1}, channel_type::f32, 1)};
        u.what.filter = f;
        u.what.normalized_coordinates = unit;
        add_fetch(u, false, to);
      }
  }
}

/// The weights themselves.
void add_weights(std::vector<golden_case>& to) {
  for (const texture_shape shape : {texture_shape::d1, texture_shape::d2, texture_shape::d3})
    for (const extents& e : {odd, even})
      for (const bool unit : {false, true})
        for (const channel_type of : {channel_type::f32, channel_type::f16}) {
          textured t{description(shape, e, of, 1), texel_content::steps};
          t.what.filter = filter_mode::linear;
          t.what.normalized_coordinates = unit;
          add_fetch(t, false, to);
        }
}

// --- texels --------------------------------------------------------------------------------------

bool has_fractions(channel_type t) {
  return t <= channel_type::s16;
}

void add_formats(std::vector<golden_case>& to) {
  for (const named_channel& n : channels)
    for (const std::uint32_t count : {1U, 2U, 4U})
      for (const read_mode reads : {read_mode::element, read_mode::normalized_float}) {
        if (reads == read_mode::normalized_float && !has_fractions(n.of)) continue;
        textured t{description(texture_shape::d2, even, n.of, count)};
        t.what.reads = reads;
        for (const bool pitched : {false, true})
          for (const address_mode m : {address_mode::clamp, address_mode::border})
            for (const filter_mode f : {filter_mode::point, filter_mode::linear}) {
              if (f == filter_mode::linear && !machine::reads_floats(t.what)) continue;
              textured u = t;
              u.what.storage = pitched ? texel_storage::pitched : texel_storage::array;
              u.what.pitch_bytes = pitched ? 320 : 0;
              u.what.filter = f;
              u.what.normalized_coordinates = m == address_mode::border;
              set_modes(u.what, m);
              // The like is among the coordinates.
              if (n.of == channel_type::f32 && count == 1) continue;
              add_fetch(u, false, to);
            }
        textured u{description(texture_shape::d1, {37, 1, 1, 1}, n.of, count)};
        u.what.storage = texel_storage::linear;
        u.what.reads = reads;
        add_fetch(u, true, to);
      }
}

/// All values of a channel, or 1000 of them; and what lies between two of them.
void add_values(std::vector<golden_case>& to) {
  for (const named_channel& n : channels) {
    if (!has_fractions(n.of)) continue;
    const bool narrow = n.of == channel_type::u8 || n.of == channel_type::s8;
    const std::uint32_t width = narrow ? 256 : 1021;
    textured t{description(texture_shape::d1, {width, 1, 1, 1}, n.of, 1), texel_content::ramp};
    t.what.reads = read_mode::normalized_float;
    golden_case c = fetch("tex.1d.v4.f32.s32", t, true);
    c.name += ",all";
    c.in = {{type::b32, use::bits}};
    c.code = "tex.1d.v4.f32.s32 {%o0, %o1, %o2, %o3}, [%tex, {%t0}];\n";
    to.push_back(std::move(c));
    t.what.filter = filter_mode::linear;
    add_fetch(t, false, to);
  }
  for (const channel_type of : {channel_type::f16, channel_type::f32})
    for (const texture_shape shape : {texture_shape::d1, texture_shape::d2})
      for (const filter_mode f : {filter_mode::point, filter_mode::linear}) {
        textured t{description(shape, {64, 33, 1, 1}, of, 2), texel_content::wild};
        t.what.filter = f;
        add_fetch(t, false, to);
      }
}

/// What the machine refuses, since no document says what it gives.
void add_undefined(std::vector<golden_case>& to) {
  for (const char* level : {"0f3F000000", "0f3F800000", "0f41200000", "0fBF800000", "0f7FC00000"})
    for (const filter_mode f : {filter_mode::point, filter_mode::linear}) {
      textured t{description(texture_shape::d2, odd, channel_type::f32, 1)};
      t.what.filter = f;
      to.push_back(fetch("tex.level.2d.v4.f32.f32", t, false, fmt::format(", {}", level)));
      to.back().name += fmt::format(",level={}", level);
      to.back().only_measured = true;
    }
  for (const char* level : {"1", "-1", "100"}) {
    const textured t{description(texture_shape::d2, odd, channel_type::f32, 1)};
    to.push_back(fetch("tex.level.2d.v4.f32.s32", t, true, fmt::format(", {}", level)));
    to.back().name += fmt::format(",level={}", level);
    to.back().only_measured = true;
  }
  for (const char* as : {"f32", "u32", "s32"})
    for (const channel_type of : {channel_type::u8, channel_type::s16, channel_type::f16}) {
      const textured t{description(texture_shape::d2, odd, of, 4)};
      if (as == std::string_view(fetched(t.what))) continue;
      to.push_back(fetch(fmt::format("tex.2d.v4.{}.f32", as), t, false));
      to.back().only_measured = true;
    }
}

}  // namespace

void add_texture_families(std::vector<golden_case>& to) {
  add_spellings(to);
  add_coordinates(to);
  add_weights(to);
  add_formats(to);
  add_values(to);
  add_undefined(to);
}

}  // namespace ptxlab::golden
