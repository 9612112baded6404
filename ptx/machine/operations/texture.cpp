// SPDX-License-Identifier: Apache-2.0
// Fetches from textures: PTX ISA 9.0, tex, tld4. Textures have one level. The machine has no
// texture cache: a fetch sees what was stored before it.
#include "ptx/machine/operations/texture.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/sampling.hpp"

namespace ptxlab::machine {

const texture_description& texture_of(const grid& g, std::uint64_t handle, unsigned lane) {
  const texture_table::entry* const e = g.texture(handle);
  if (e == nullptr)
    throw fault{fault::kind::undefined, fmt::format("{:#x} is no texture object", handle), lane};
  if (!e->live)
    throw fault{fault::kind::freed,
                fmt::format("{:#x} is a texture object that was destroyed", handle), lane};
  return e->what;
}

slot texture_handle(instruction_builder& b, const ptx::operand& o) {
  if (o.kind != ptx::operand_kind::reg)
    b.fail(fmt::format("'{}': textures by reference are not supported", b.text(o)));
  return b.source(o, type::u64);
}

namespace {

/// Whether a fetch may be made from this texture; and where its texels lie on the host.
const std::byte* texels_of(const grid& g, const texture_description& d, texture_shape wanted,
                           bool by_texel, unsigned lane) {
  if (d.shape != wanted)
    throw fault{
        fault::kind::undefined,
        fmt::format("a fetch of shape {} from a texture of shape {}", name(wanted), name(d.shape)),
        lane};
  if (d.storage == texel_storage::linear && !by_texel)
    throw fault{fault::kind::undefined,
                "a fetch by floating coordinates from linear memory, which has texel numbers only",
                lane};
  const allocation* const a = g.device().find(d.at);
  if (a == nullptr || !a->live)
    throw fault{fault::kind::freed,
                fmt::format("a texture of {}", g.device().explain(d.at, texture_bytes(d))), lane};
  return g.device().host(d.at);
}

void check_written(const grid& g, const texture_description& d, const footprint& f, unsigned lane) {
  const memory& m = g.device();
  if (!m.tracks_writes()) return;
  for (unsigned c = 0; c < f.count; ++c) {
    const footprint::corner& at = f.corners[c];
    if (!at.inside || m.was_written(d.at + at.offset, texel_bytes(d))) continue;
    const named_place place = m.place(d.at + at.offset);
    throw fault{
        fault::kind::uninitialised,
        fmt::format("fetches byte {} of '{}', which nobody wrote", place.offset, place.name), lane};
  }
}

/// What the lanes of one fetch read, for observers: the texel of each lane's first corner that lies
/// in the texture, as a load of space texture. Lanes that read the border alone are left out. One
/// access for each size of a texel, where handles differ.
class told_fetch {
 public:
  void add(unsigned lane, const texture_description& d, const footprint& f) {
    for (unsigned c = 0; c < f.count && bytes_[lane] == 0; ++c)
      if (f.corners[c].inside) {
        at_[lane] = d.at + f.corners[c].offset;
        bytes_[lane] = texel_bytes(d);
      }
  }
  void tell(const step& s, const context& c) const {
    grid& g = c.in->in().in();
    if (!g.watched()) return;
    access a;
    a.site = s.site;
    a.space = flow::space::texture;
    a.at = at_.data();
    for (const std::uint32_t size : {1U, 2U, 4U, 8U, 16U}) {
      a.bytes = size;
      a.who = {c.in->in().index(), c.in->number(), 0};
      for (unsigned i = 0; i < warp_lanes; ++i)
        if (bytes_[i] == size) a.who.mask |= 1U << i;
      if (a.who.mask != 0) g.tell(a);
    }
  }

 private:
  std::array<address, warp_lanes> at_ = {};
  std::array<std::uint32_t, warp_lanes> bytes_ = {};
};

constexpr std::size_t results = 4;
/// The fetch by floating coordinates, or the one by texel numbers, or the one of four texels.
enum class fetch : std::uint8_t { floating, texel, gather };

/// a: handle; e: level, if any; imm: the shape; aux: a list of four results, then the layer of a
/// layered shape, then the coordinates. c (no slot): the channel of a gather.
template <fetch What>
void run_fetch(const step& s, context& c) {
  const grid& g = c.in->in().in();
  const auto& slots = c.in->code().lists[s.aux].slots;
  const auto shape = static_cast<texture_shape>(s.imm);
  const std::size_t first = results + (layered(shape) ? 1 : 0);
  std::array<std::array<std::uint32_t, results>, warp_lanes> out;
  told_fetch told;
  each_active(c, [&](unsigned i) {
    const texture_description& d = texture_of(g, c.at<std::uint64_t>(s.a)[i], i);
    const std::byte* const texels = texels_of(g, d, shape, What == fetch::texel, i);
    if (s.e != no_slot &&
        (What == fetch::texel ? c.at<std::uint32_t>(s.e)[i] != 0 : c.at<float>(s.e)[i] != 0))
      throw fault{fault::kind::undefined, "a fetch of a level other than 0", i};
    const std::uint32_t layer = layered(shape) ? c.at<std::uint32_t>(slots[results])[i] : 0;
    std::array<std::uint32_t, 3> x = {};
    for (unsigned k = 0; k < dimensions(shape); ++k)
      x[k] = c.at<std::uint32_t>(slots[first + k])[i];
    const auto f = [&] {
      if constexpr (What == fetch::texel)
        return at_texel(d, std::bit_cast<std::array<std::int32_t, 3>>(x), layer,
                        s.e != no_slot ? beyond::clamp : beyond::zero);
      else if constexpr (What == fetch::gather)
        return around(d, std::bit_cast<std::array<float, 3>>(x), layer);
      else
        return at_coordinates(d, std::bit_cast<std::array<float, 3>>(x), layer);
    }();
    check_written(g, d, f, i);
    out[i] = What == fetch::gather ? gather(d, f, s.c, texels) : sample(d, f, texels);
    told.add(i, d, f);
  });
  // A result may lie where a coordinate did, so all are written last.
  for (std::size_t k = 0; k < results; ++k) {
    auto* const d = c.at<std::uint32_t>(slots[k]);
    each_active(c, [&](unsigned i) { d[i] = out[i][k]; });
  }
  told.tell(s, c);
}

std::vector<std::uint32_t> parts(instruction_builder& b, std::uint32_t of) {
  std::vector<std::uint32_t> out;
  ptx::for_each_child(b.function().f->operands, of, [&](std::uint32_t p) { out.push_back(p); });
  return out;
}

texture_shape shape_of(const choice& c) {
  const std::string_view s = c.get("shape");
  return s == "1d"    ? texture_shape::d1
         : s == "2d"  ? texture_shape::d2
         : s == "3d"  ? texture_shape::d3
         : s == "a1d" ? texture_shape::a1d
                      : texture_shape::a2d;
}

/// Registers of a fetch, in the order of run_fetch; returns the handle's slot.
slot operands(instruction_builder& b, texture_shape shape, type coordinate,
              std::vector<slot>& slots) {
  if (b.operand(0).kind == ptx::operand_kind::pair)
    b.fail("the predicate of residency is not supported");
  if (b.operand(0).kind != ptx::operand_kind::vector) b.fail("four results are expected");
  if (b.operand(1).kind != ptx::operand_kind::address) b.fail("[texture, coordinates] is expected");
  const auto where = b.children(1);
  if (where.size() == 3) b.fail("samplers of their own are not supported");
  if (where.size() != 2) b.fail("[texture, coordinates] is expected");
  std::vector<std::uint32_t> at = {where[1]};
  if (b.at(where[1]).kind == ptx::operand_kind::vector) at = parts(b, where[1]);
  // What would be three coordinates is four, of which the last does not count.
  const std::size_t needed = dimensions(shape) + (layered(shape) ? 1 : 0);
  if (at.size() != (needed == 3 ? 4 : needed))
    b.fail(fmt::format("{} coordinates for shape {}", at.size(), name(shape)));
  const slot from = texture_handle(b, b.at(where[0]));
  std::vector<slot> sources;
  for (std::size_t k = 0; k < needed; ++k)
    sources.push_back(b.source(b.at(at[k]), layered(shape) && k == 0 ? type::u32 : coordinate));
  const auto to = b.children(0);
  if (to.size() != results) b.fail("four results are expected");
  for (const std::uint32_t r : to) slots.push_back(b.result(b.at(r), type::b32));
  slots.insert(slots.end(), sources.begin(), sources.end());
  return from;
}

void build_tex(instruction_builder& b, const choice& c) {
  const bool has_level = c.is("mip", "level");
  if (b.count() != (has_level ? 3U : 2U))
    b.fail(
        "results, [texture, coordinates] and, of .level, a level are expected: offsets and depth"
        " compare are not supported");
  const texture_shape shape = shape_of(c);
  const type coordinate = c.type("s");
  std::vector<slot> slots;
  const slot from = operands(b, shape, coordinate, slots);
  const slot level = has_level ? b.source(2, coordinate) : no_slot;
  step& s = b.add(coordinate == type::s32 ? run_fetch<fetch::texel> : run_fetch<fetch::floating>);
  s.a = from;
  s.e = level;
  s.imm = static_cast<std::int64_t>(shape);
  s.aux = b.list(std::move(slots));
}

void build_tld4(instruction_builder& b, const choice& c) {
  if (b.count() != 2)
    b.fail(
        "results and [texture, coordinates] are expected: offsets and depth compare are not"
        " supported");
  std::vector<slot> slots;
  const texture_shape shape = shape_of(c);
  const slot from = operands(b, shape, type::f32, slots);
  const std::string_view channel = c.get("channel");
  step& s = b.add(run_fetch<fetch::gather>);
  s.a = from;
  s.c = channel == "r" ? 0 : channel == "g" ? 1 : channel == "b" ? 2 : 3;
  s.imm = static_cast<std::int64_t>(shape);
  s.aux = b.list(std::move(slots));
}

const std::array table = {
    row{"tex", "mip:base|level? shape:1d|2d|3d|a1d|a2d v4 t:u32|s32|f32 s:s32|f32",
        "{d, d, d, d}, [handle, {coordinates}]", nullptr, nullptr, build_tex, "level 0 only"},
    row{"tld4", "channel:r|g|b|a shape:2d|a2d v4 t:u32|s32|f32 s:f32",
        "{d, d, d, d}, [handle, {coordinates}]", nullptr, nullptr, build_tld4},
};

}  // namespace

rows texture_rows() {
  return table;
}

}  // namespace ptxlab::machine
