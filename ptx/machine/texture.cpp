// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/texture.hpp"

#include <fmt/format.h>

#include "ptx/machine/texture_limits.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

/// Beside the windows and functions of decode.hpp, where no memory is.
constexpr std::uint64_t first_handle = 0x0400'0000'0000, handle_step = 32;

const texture_extents& most(const texture_description& d, const texture_limits& l) {
  if (d.storage == texel_storage::linear) return l.linear;
  if (d.storage == texel_storage::pitched) return l.pitched;
  switch (d.shape) {
    case texture_shape::d1:
      return l.d1;
    case texture_shape::d2:
      return l.d2;
    case texture_shape::d3:
      return l.d3;
    case texture_shape::a1d:
      return l.a1d;
    case texture_shape::a2d:
      break;
  }
  return l.a2d;
}

std::uint32_t channel_bytes(channel_type t) {
  switch (t) {
    case channel_type::u8:
    case channel_type::s8:
      return 1;
    case channel_type::u16:
    case channel_type::s16:
    case channel_type::f16:
      return 2;
    default:
      return 4;
  }
}

void check_extent(const char* what, std::uint64_t have, std::uint64_t limit,
                  const texture_limits& l) {
  if (have == 0 || have > limit)
    throw error(fmt::format("a texture with {} {}: 1 to {} for this shape and storage on {}", what,
                            have, limit, l.of));
}

void check_pitch(const texture_description& d, const texture_limits& l) {
  if (d.pitch_bytes % l.pitch_alignment_bytes != 0 || d.pitch_bytes > l.pitch_bytes)
    throw error(fmt::format("a texture with rows {} bytes apart: a multiple of {}, at most {}",
                            d.pitch_bytes, l.pitch_alignment_bytes, l.pitch_bytes));
  const std::uint64_t row = std::uint64_t{d.width} * texel_bytes(d);
  if (d.pitch_bytes < row)
    throw error(
        fmt::format("a texture with rows of {} bytes that are {} bytes apart", row, d.pitch_bytes));
}

}  // namespace

unsigned dimensions(texture_shape s) {
  return s == texture_shape::d3 ? 3 : s == texture_shape::d2 || s == texture_shape::a2d ? 2 : 1;
}

bool layered(texture_shape s) {
  return s == texture_shape::a1d || s == texture_shape::a2d;
}

std::string_view name(texture_shape s) {
  switch (s) {
    case texture_shape::d1:
      return "1d";
    case texture_shape::d2:
      return "2d";
    case texture_shape::d3:
      return "3d";
    case texture_shape::a1d:
      return "a1d";
    case texture_shape::a2d:
      return "a2d";
  }
  return "?";
}

std::uint32_t texel_bytes(const texture_description& d) {
  return channel_bytes(d.channel) * d.channels;
}

std::uint32_t extent(const texture_description& d, unsigned dimension) {
  if (dimension >= dimensions(d.shape)) return 1;
  return dimension == 0 ? d.width : dimension == 1 ? d.height : d.depth;
}

std::uint64_t texture_bytes(const texture_description& d) {
  const std::uint64_t row = std::uint64_t{d.width} * texel_bytes(d);
  if (d.storage == texel_storage::pitched)
    return (std::uint64_t{d.height} - 1) * d.pitch_bytes + row;
  return row * extent(d, 1) * extent(d, 2) * (layered(d.shape) ? d.layers : 1);
}

bool reads_floats(const texture_description& d) {
  if (d.channel == channel_type::f16 || d.channel == channel_type::f32) return true;
  return d.reads == read_mode::normalized_float && channel_bytes(d.channel) < 4;
}

std::uint32_t channel_data_type(const texture_description& d) {
  const bool fraction = reads_floats(d);
  switch (d.channel) {
    case channel_type::s8:
      return fraction ? 0x10d0 : 0x10d7;
    case channel_type::s16:
      return fraction ? 0x10d1 : 0x10d8;
    case channel_type::s32:
      return 0x10d9;
    case channel_type::u8:
      return fraction ? 0x10d2 : 0x10da;
    case channel_type::u16:
      return fraction ? 0x10d3 : 0x10db;
    case channel_type::u32:
      return 0x10dc;
    case channel_type::f16:
      return 0x10dd;
    case channel_type::f32:
      return 0x10de;
  }
  return 0;
}

std::uint32_t channel_order(const texture_description& d) {
  return d.channels == 1 ? 0x10b0 : d.channels == 2 ? 0x10b2 : 0x10b5;
}

void check(const texture_description& d) {
  check(d, {});
}

void check(const texture_description& d, const texture_limits& l) {
  if (d.channels != 1 && d.channels != 2 && d.channels != 4)
    throw error(fmt::format("a texture with {} channels: 1, 2 or 4", d.channels));
  const texture_shape wanted =
      d.storage == texel_storage::linear ? texture_shape::d1 : texture_shape::d2;
  if (d.storage != texel_storage::array && d.shape != wanted)
    throw error(fmt::format("a {} texture in {} memory: that is {} only", name(d.shape),
                            d.storage == texel_storage::linear ? "linear" : "pitched",
                            name(wanted)));
  const texture_extents& m = most(d, l);
  check_extent("width", d.width, m.width, l);
  check_extent("height", d.height, m.height, l);
  check_extent("depth", d.depth, m.depth, l);
  check_extent("layers", d.layers, m.layers, l);
  if (d.storage == texel_storage::pitched)
    check_pitch(d, l);
  else if (d.pitch_bytes != 0)
    throw error("a texture with a pitch that is not in pitched memory");
  if (d.filter == filter_mode::linear && d.storage != texel_storage::linear && !reads_floats(d))
    throw error("a texture that filters integers: linear filters need floats");
}

void check_offset(std::uint64_t offset, const std::string& name, const texture_limits& l) {
  if (offset % l.address_alignment_bytes != 0)
    throw error(fmt::format("a texture at byte {} of '{}': a multiple of {}", offset, name,
                            l.address_alignment_bytes));
}

std::uint64_t texture_table::add(const texture_description& d, const memory& m) {
  check(d);
  const std::uint64_t bytes = texture_bytes(d);
  const allocation* const a = m.find(d.at);
  if (a == nullptr || !a->live || bytes > a->end() - d.at)
    throw error(fmt::format("a texture: {}", m.explain(d.at, bytes)));
  // What cuMemAlloc gives is aligned, so the offset in the allocation is what can be wrong.
  check_offset(d.at - a->begin, a->name, {});
  all_.push_back({d, true});
  return first_handle + (all_.size() - 1) * handle_step;
}

void texture_table::remove(std::uint64_t handle) {
  const entry* const e = find(handle);
  if (e == nullptr || !e->live)
    throw error(
        fmt::format("{:#x} is no texture object{}", handle, e == nullptr ? "" : " any more"));
  all_[static_cast<std::size_t>(e - all_.data())].live = false;
}

const texture_table::entry* texture_table::find(std::uint64_t handle) const {
  const std::uint64_t offset = handle - first_handle;
  if (offset % handle_step != 0 || offset / handle_step >= all_.size()) return nullptr;
  return &all_[offset / handle_step];
}

}  // namespace ptxlab::machine
