// SPDX-License-Identifier: Apache-2.0
// shfl.sync: PTX ISA 9.0, "Data Movement and Conversion Instructions: shfl.sync".
#include <array>
#include <cstdint>
#include <cstring>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/builder.hpp"
#include "ptx/machine/operations/members.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

enum class shuffle : std::uint8_t { up, down, bfly, idx };

/// a: value, b: lane or distance, c: clamp and segment mask; d: result, imm: the predicate's slot.
template <shuffle Mode>
void shfl(const step& s, context& c) {
  if (!all_here(s, c)) return;
  std::uint32_t value[warp_lanes];
  std::memcpy(value, c.at<std::uint32_t>(s.a), sizeof value);
  const auto* const b = c.at<std::uint32_t>(s.b);
  const auto* const k = c.at<std::uint32_t>(s.c);
  auto* const d = c.at<std::uint32_t>(s.d);
  lane_mask in_range = 0;
  std::uint32_t out[warp_lanes];
  each_active(c, [&](unsigned i) {
    const auto lane = static_cast<int>(i);
    const int bval = static_cast<int>(b[i] & 31), cval = static_cast<int>(k[i] & 31);
    const int segment = static_cast<int>(k[i] >> 8 & 31);
    const int most = (lane & segment) | (cval & ~segment);
    const int least = lane & segment;
    int j = lane;
    bool p = false;
    switch (Mode) {
      case shuffle::up:
        j = lane - bval;
        p = j >= most;
        break;
      case shuffle::down:
        j = lane + bval;
        p = j <= most;
        break;
      case shuffle::bfly:
        j = lane ^ bval;
        p = j <= most;
        break;
      case shuffle::idx:
        j = least | (bval & ~segment);
        p = j <= most;
        break;
    }
    if (!p) j = lane;
    out[i] = value[static_cast<unsigned>(j) & 31];
    in_range |= static_cast<lane_mask>(p) << i;
  });
  each_active(c, [&](unsigned i) { d[i] = out[i]; });
  if (static_cast<slot>(s.imm) != no_slot) {
    lane_mask& p = c.predicate(static_cast<slot>(s.imm));
    p = (p & ~c.mask) | in_range;
  }
}
void build_shfl(instruction_builder& b, const choice& c) {
  if (b.count() != 5) b.fail("five operands are expected");
  const slot a = b.source(1, type::b32), lane = b.source(2, type::u32), k = b.source(3, type::u32);
  const slot members = b.source(4, type::u32);
  slot d = no_slot, p = no_slot;
  if (b.operand(0).kind == ptx::operand_kind::pair) {
    const auto both = b.children(0);
    d = b.result(b.at(both[0]), type::b32);
    p = b.result(b.at(both[1]), type::pred);
  } else {
    d = b.result(0, type::b32);
  }
  const std::string_view mode = c.get("mode");
  step& s = b.add(mode == "up"     ? shfl<shuffle::up>
                  : mode == "down" ? shfl<shuffle::down>
                  : mode == "bfly" ? shfl<shuffle::bfly>
                                   : shfl<shuffle::idx>);
  s.a = a;
  s.b = lane;
  s.c = k;
  s.e = members;
  s.d = d;
  s.imm = p;
}

const std::array table = {
    row{"shfl", "sync mode:up|down|bfly|idx t:b32", "d|p, a, b, c, members", nullptr, nullptr,
        build_shfl},
};

}  // namespace

rows shuffle_rows() {
  return table;
}

}  // namespace ptxlab::machine
