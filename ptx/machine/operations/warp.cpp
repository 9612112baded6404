// SPDX-License-Identifier: Apache-2.0
// Operations across the lanes of a warp: PTX ISA 9.0, vote.sync, match.sync, redux.sync,
// bar.warp.sync, activemask, elect.sync. Lanes wait until all of the member mask are there.
#include <array>
#include <cstdint>
#include <string_view>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/builder.hpp"
#include "ptx/machine/operations/members.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

enum class vote : std::uint8_t { all, any, uni, ballot };

template <vote Mode>
void vote_sync(const step& s, context& c) {
  if (!all_here(s, c)) return;
  const lane_mask p = c.predicate(s.a);
  lane_mask result = 0;
  std::uint32_t ballots[warp_lanes];
  each_active(c, [&](unsigned i) {
    const lane_mask with = team(s, c, i);
    const bool r = Mode == vote::all   ? (p & with) == with
                   : Mode == vote::any ? (p & with) != 0
                                       : (p & with) == with || (p & with) == 0;
    result |= static_cast<lane_mask>(r) << i;
    ballots[i] = p & with;
  });
  if (Mode == vote::ballot) {
    auto* const d = c.at<std::uint32_t>(s.d);
    each_active(c, [&](unsigned i) { d[i] = ballots[i]; });
  } else {
    lane_mask& d = c.predicate(s.d);
    d = (d & ~c.mask) | result;
  }
}
void build_vote(instruction_builder& b, const choice& c) {
  if (b.count() != 3) b.fail("three operands are expected");
  const std::string_view mode = c.get("mode");
  const slot a = b.source(1, type::pred), members = b.source(2, type::u32);
  const slot d = b.result(0, mode == "ballot" ? type::b32 : type::pred);
  step& s = b.add(mode == "all"   ? vote_sync<vote::all>
                  : mode == "any" ? vote_sync<vote::any>
                  : mode == "uni" ? vote_sync<vote::uni>
                                  : vote_sync<vote::ballot>);
  s.a = a;
  s.e = members;
  s.d = d;
}

/// match: d gets the lanes with the same value; match.all: 0 unless all have it, and a predicate
/// (slot imm).
template <class T, bool All>
void match_sync(const step& s, context& c) {
  if (!all_here(s, c)) return;
  const T* const a = c.at<T>(s.a);
  std::uint32_t out[warp_lanes];
  lane_mask agreed = 0;
  each_active(c, [&](unsigned i) {
    const lane_mask with = team(s, c, i);
    lane_mask same = 0;
    for (unsigned j = 0; j < warp_lanes; ++j)
      if ((with >> j & 1) != 0 && a[j] == a[i]) same |= 1U << j;
    const bool all = same == with;
    out[i] = !All ? same : all ? with : 0;
    agreed |= static_cast<lane_mask>(all) << i;
  });
  auto* const d = c.at<std::uint32_t>(s.d);
  each_active(c, [&](unsigned i) { d[i] = out[i]; });
  if (All && static_cast<slot>(s.imm) != no_slot) {
    lane_mask& p = c.predicate(static_cast<slot>(s.imm));
    p = (p & ~c.mask) | agreed;
  }
}
void build_match(instruction_builder& b, const choice& c) {
  if (b.count() != 3) b.fail("three operands are expected");
  const type t = c.type("t");
  const slot a = b.source(1, t), members = b.source(2, type::u32);
  slot d = no_slot, p = no_slot;
  if (b.operand(0).kind == ptx::operand_kind::pair) {
    const auto both = b.children(0);
    d = b.result(b.at(both[0]), type::b32);
    p = b.result(b.at(both[1]), type::pred);
  } else {
    d = b.result(0, type::b32);
  }
  const bool all = c.is("mode", "all");
  const run_function narrow =
      all ? match_sync<std::uint32_t, true> : match_sync<std::uint32_t, false>;
  const run_function wide =
      all ? match_sync<std::uint64_t, true> : match_sync<std::uint64_t, false>;
  step& s = b.add(bits(t) == 32 ? narrow : wide);
  s.a = a;
  s.e = members;
  s.d = d;
  s.imm = p;
}

template <class T>
using combine = T (*)(T, T);
template <class T, combine<T> F>
void redux(const step& s, context& c) {
  if (!all_here(s, c)) return;
  const T* const a = c.at<T>(s.a);
  T out[warp_lanes];
  each_active(c, [&](unsigned i) {
    lane_mask with = team(s, c, i);
    T r = a[static_cast<unsigned>(__builtin_ctz(with))];
    for (with &= with - 1; with != 0; with &= with - 1)
      r = F(r, a[static_cast<unsigned>(__builtin_ctz(with))]);
    out[i] = r;
  });
  T* const d = c.at<T>(s.d);
  each_active(c, [&](unsigned i) { d[i] = out[i]; });
}
using u32 = std::uint32_t;
using s32 = std::int32_t;
u32 sum(u32 a, u32 b) {
  return a + b;
}
u32 conjunction(u32 a, u32 b) {
  return a & b;
}
u32 disjunction(u32 a, u32 b) {
  return a | b;
}
u32 difference(u32 a, u32 b) {
  return a ^ b;
}
template <class T>
T lower(T a, T b) {
  return b < a ? b : a;
}
template <class T>
T higher(T a, T b) {
  return a < b ? b : a;
}

void build_redux(instruction_builder& b, const choice& c) {
  if (b.count() != 3) b.fail("three operands are expected");
  const slot a = b.source(1, type::b32), members = b.source(2, type::u32);
  const slot d = b.result(0, type::b32);
  const std::string_view op = c.get("op");
  const bool sign = c.is("t", "s32");
  step& s = b.add(
      op == "add"   ? redux<u32, sum>
      : op == "and" ? redux<u32, conjunction>
      : op == "or"  ? redux<u32, disjunction>
      : op == "xor" ? redux<u32, difference>
      : op == "min"
          ? (sign ? static_cast<run_function>(redux<s32, lower<s32>>) : redux<u32, lower<u32>>)
          : (sign ? static_cast<run_function>(redux<s32, higher<s32>>) : redux<u32, higher<u32>>));
  s.a = a;
  s.e = members;
  s.d = d;
}

void warp_barrier(const step& s, context& c) {
  all_here(s, c);
}
void build_warp_barrier(instruction_builder& b, const choice&) {
  if (b.count() != 1) b.fail("one operand is expected");
  const slot members = b.source(0, type::u32);
  step& s = b.add(warp_barrier);
  s.e = members;
  s.aux = meets_anywhere_mark;
}

void activemask(const step& s, context& c) {
  auto* const d = c.at<u32>(s.d);
  const lane_mask now = c.mask;
  each_active(c, [&](unsigned i) { d[i] = now; });
}
void build_activemask(instruction_builder& b, const choice&) {
  const slot d = b.result(0, type::b32);
  b.add(activemask).d = d;
}

/// elect: the lowest lane of the members is the leader: d its number, imm the predicate.
void elect(const step& s, context& c) {
  if (!all_here(s, c)) return;
  lane_mask leaders = 0;
  each_active(c, [&](unsigned i) {
    const auto leader = static_cast<unsigned>(__builtin_ctz(team(s, c, i)));
    leaders |= static_cast<lane_mask>(leader == i) << i;
    if (s.d != no_slot) c.at<u32>(s.d)[i] = leader;
  });
  lane_mask& p = c.predicate(static_cast<slot>(s.imm));
  p = (p & ~c.mask) | leaders;
}
void build_elect(instruction_builder& b, const choice&) {
  if (b.count() != 2 || b.operand(0).kind != ptx::operand_kind::pair)
    b.fail("d|p, members are expected");
  const slot members = b.source(1, type::u32);
  const auto both = b.children(0);
  const slot d = b.result(b.at(both[0]), type::b32), p = b.result(b.at(both[1]), type::pred);
  step& s = b.add(elect);
  s.e = members;
  s.d = d;
  s.imm = p;
}

const std::array table = {
    row{"vote", "sync mode:all|any|uni t:pred", "p, a, members", nullptr, nullptr, build_vote},
    row{"vote", "sync mode:ballot t:b32", "d, a, members", nullptr, nullptr, build_vote},
    row{"match", "mode:any|all sync t:b32|b64", "d|p, a, members", nullptr, nullptr, build_match},
    row{"redux", "sync op:add|min|max t:u32|s32", "d, a, members", nullptr, nullptr, build_redux},
    row{"redux", "sync op:and|or|xor t:b32|u32|s32", "d, a, members", nullptr, nullptr,
        build_redux},
    row{"bar", "warp sync", "members", nullptr, nullptr, build_warp_barrier},
    row{"activemask", "t:b32", "d", nullptr, nullptr, build_activemask},
    row{"elect", "sync", "d|p, members", nullptr, nullptr, build_elect},
};

}  // namespace

rows warp_rows() {
  return table;
}

}  // namespace ptxlab::machine
