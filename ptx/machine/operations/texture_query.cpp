// SPDX-License-Identifier: Apache-2.0
// Queries of textures: PTX ISA 9.0, txq.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <string_view>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/operations/texture.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

enum class query : std::uint8_t { width, height, depth, layers, data_type, order, normalized };

std::uint32_t answer(const texture_description& d, query what, unsigned lane) {
  const auto only_if = [&](bool has, const char* field) {
    if (!has)
      throw fault{fault::kind::undefined,
                  fmt::format("asks for the {} of a texture of shape {}", field, name(d.shape)),
                  lane};
  };
  switch (what) {
    case query::width:
      return d.width;
    case query::height:
      only_if(dimensions(d.shape) >= 2, "height");
      return d.height;
    case query::depth:
      only_if(dimensions(d.shape) == 3, "depth");
      return d.depth;
    case query::layers:
      only_if(layered(d.shape), "array size");
      return d.layers;
    case query::data_type:
      return channel_data_type(d);
    case query::order:
      return channel_order(d);
    case query::normalized:
      return d.normalized_coordinates ? 1 : 0;
  }
  return 0;
}

void run_query(const step& s, context& c) {
  const grid& g = c.in->in().in();
  std::uint32_t out[warp_lanes];
  each_active(c, [&](unsigned i) {
    const texture_description& d = texture_of(g, c.at<std::uint64_t>(s.a)[i], i);
    out[i] = answer(d, static_cast<query>(s.imm), i);
  });
  auto* const d = c.at<std::uint32_t>(s.d);
  each_active(c, [&](unsigned i) { d[i] = out[i]; });
}

void build_txq(instruction_builder& b, const choice& c) {
  if (b.count() != 2) b.fail("two operands are expected");
  if (b.operand(1).kind != ptx::operand_kind::address || b.children(1).size() != 1)
    b.fail("[texture] is expected");
  const slot from = texture_handle(b, b.at(b.children(1)[0]));
  const std::string_view field = c.get("field");
  const query what = field == "width"               ? query::width
                     : field == "height"            ? query::height
                     : field == "depth"             ? query::depth
                     : field == "array_size"        ? query::layers
                     : field == "channel_data_type" ? query::data_type
                     : field == "channel_order"     ? query::order
                                                    : query::normalized;
  const slot d = b.result(0, type::b32);
  step& s = b.add(run_query);
  s.a = from;
  s.d = d;
  s.imm = static_cast<std::int64_t>(what);
}

const std::array table = {
    row{"txq",
        "field:width|height|depth|array_size|channel_data_type|channel_order|normalized_coords "
        "t:b32",
        "d, [handle]", nullptr, nullptr, build_txq},
};

}  // namespace

rows texture_query_rows() {
  return table;
}

}  // namespace ptxlab::machine
