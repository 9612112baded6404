// SPDX-License-Identifier: Apache-2.0
// Copies between registers: PTX ISA 9.0, "Data Movement and Conversion Instructions": mov, cvta,
// isspacep; and the decoder's own conversions of width.
#include <array>
#include <cstdint>
#include <type_traits>

#include "ptx/machine/builder.hpp"
#include "ptx/machine/context.hpp"
#include "ptx/machine/decode.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/operations/widths.hpp"
#include "ptx/machine/row.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {
namespace {

template <class F>
void for_lanes(const context& c, F f) {
  if (c.mask == all_lanes) {
    for (unsigned i = 0; i < warp_lanes; ++i) f(i);
    return;
  }
  for (unsigned i = 0; i < warp_lanes; ++i)
    if ((c.mask >> i & 1) != 0) f(i);
}

template <class D, class A, class V>
void extend(const step& s, context& c) {
  D* const d = c.at<D>(s.d);
  const A* const a = c.at<A>(s.a);
  if (c.mask == all_lanes) {
    for (unsigned i = 0; i < warp_lanes; ++i) d[i] = static_cast<D>(static_cast<V>(a[i]));
    return;
  }
  const std::uint32_t* const on = c.on;
  for (unsigned i = 0; i < warp_lanes; ++i)
    d[i] = on[i] != 0 ? static_cast<D>(static_cast<V>(a[i])) : d[i];
}
template <class D, class A>
run_function extend_as(unsigned from, bool with_sign) {
  if (from == 8)
    return with_sign ? static_cast<run_function>(extend<D, A, std::int8_t>)
                     : extend<D, A, std::uint8_t>;
  return with_sign ? static_cast<run_function>(extend<D, A, std::make_signed_t<A>>)
                   : extend<D, A, A>;
}
template <class D>
run_function extend_to(unsigned from, bool with_sign) {
  if (from <= 16) return extend_as<D, std::uint16_t>(from, with_sign);
  if (from == 32) return extend_as<D, std::uint32_t>(from, with_sign);
  return extend_as<D, std::uint64_t>(from, with_sign);
}

template <class T>
void copy(const step& s, context& c) {
  extend<T, T, T>(s, c);
}
void copy_predicate(const step& s, context& c) {
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | (c.predicate(s.a) & c.mask);
}
void negate_predicate(const step& s, context& c) {
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | (~c.predicate(s.a) & c.mask);
}
template <class T>
void address_in_local(const step& s, context& c) {
  const std::uint64_t at = c.in->local_offset() + static_cast<std::uint64_t>(s.imm);
  T* const d = c.at<T>(s.d);
  for_lanes(c, [&](unsigned i) { d[i] = static_cast<T>(at); });
}
/// d's element is made of those of the list, the first one lowest.
template <class D, class E>
void pack(const step& s, context& c) {
  const auto& from = c.in->code().lists[s.aux].slots;
  D* const d = c.at<D>(s.d);
  D packed[warp_lanes] = {};
  for (std::size_t k = 0; k < from.size(); ++k) {
    const E* const a = c.at<E>(from[k]);
    for_lanes(c, [&](unsigned i) {
      packed[i] =
          static_cast<D>(packed[i] | static_cast<D>(static_cast<D>(a[i]) << (8 * sizeof(E) * k)));
    });
  }
  for_lanes(c, [&](unsigned i) { d[i] = packed[i]; });
}
template <class D, class E>
void unpack(const step& s, context& c) {
  const auto& to = c.in->code().lists[s.aux].slots;
  D whole[warp_lanes] = {};
  const D* const a = c.at<D>(s.a);
  for_lanes(c, [&](unsigned i) { whole[i] = a[i]; });
  for (std::size_t k = 0; k < to.size(); ++k) {
    E* const d = c.at<E>(to[k]);
    for_lanes(c, [&](unsigned i) { d[i] = static_cast<E>(whole[i] >> (8 * sizeof(E) * k)); });
  }
}

run_function packing(unsigned whole, unsigned element, bool into) {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  using u64 = std::uint64_t;
  if (whole == 32 && element == 16)
    return into ? static_cast<run_function>(pack<u32, u16>) : unpack<u32, u16>;
  if (whole == 64 && element == 32)
    return into ? static_cast<run_function>(pack<u64, u32>) : unpack<u64, u32>;
  if (whole == 64 && element == 16)
    return into ? static_cast<run_function>(pack<u64, u16>) : unpack<u64, u16>;
  return nullptr;
}

void build_vector_move(instruction_builder& b, type t, bool into) {
  const auto parts = b.children(into ? 1 : 0);
  if (parts.empty() || bits(t) % parts.size() != 0) b.fail("a vector that does not fit the type");
  const unsigned each = bits(t) / static_cast<unsigned>(parts.size());
  const run_function run = packing(bits(t), each, into);
  if (run == nullptr) b.fail("a vector that does not fit the type");
  const type e = each == 16 ? type::b16 : type::b32;
  std::vector<slot> slots;
  for (const std::uint32_t p : parts)
    slots.push_back(into ? b.source(b.at(p), e) : b.result(b.at(p), e));
  const slot whole = into ? b.result(0, t) : b.source(1, t);
  step& s = b.add(run);
  (into ? s.d : s.a) = whole;
  s.aux = b.list(std::move(slots));
}

void build_mov(instruction_builder& b, const choice& c) {
  const type t = c.type("t");
  if (b.count() != 2) b.fail("mov takes two operands");
  if (b.operand(0).kind == ptx::operand_kind::vector) return build_vector_move(b, t, false);
  if (b.operand(1).kind == ptx::operand_kind::vector) return build_vector_move(b, t, true);
  // The one special register that is a predicate.
  const bool explicit_cluster = t == type::pred &&
                                b.operand(1).kind == ptx::operand_kind::special &&
                                b.text(b.operand(1)) == "%is_explicit_cluster";
  const slot a = explicit_cluster ? b.whole().special("%is_explicit_cluster", 4) : b.source(1, t);
  const slot d = b.result(0, t);
  step& s = b.add(t == type::pred ? copy_predicate
                  : bits(t) == 16 ? copy<std::uint16_t>
                  : bits(t) == 32 ? copy<std::uint32_t>
                  : bits(t) == 64 ? static_cast<run_function>(copy<std::uint64_t>)
                                  : nullptr);
  s.a = a;
  s.d = d;
}

/// The generic address of something in shared memory: a block of several in a cluster names itself
/// in it, so that the others may use it too. The other way it becomes the own block's offset again.
void shared_to_generic(const step& s, context& c) {
  const block& own = c.in->in();
  const std::uint64_t tag = own.together().blocks() == 1 ? 0 : offset_of_rank(0, own.rank());
  auto* const d = c.at<std::uint64_t>(s.d);
  const auto* const a = c.at<std::uint64_t>(s.a);
  for_lanes(c, [&](unsigned i) { d[i] = a[i] + shared_base + (a[i] < cluster_stride ? tag : 0); });
}
void generic_to_shared(const step& s, context& c) {
  const std::uint64_t tag = offset_of_rank(0, c.in->in().rank());
  auto* const d = c.at<std::uint64_t>(s.d);
  const auto* const a = c.at<std::uint64_t>(s.a);
  for_lanes(c, [&](unsigned i) {
    const std::uint64_t offset = a[i] - shared_base;
    d[i] = offset - (offset - tag < cluster_stride ? tag : 0);
  });
}

/// d = a + imm.
template <class T>
void shift_window(const step& s, context& c) {
  T* const d = c.at<T>(s.d);
  const T* const a = c.at<T>(s.a);
  for_lanes(c,
            [&](unsigned i) { d[i] = static_cast<T>(a[i] + static_cast<std::uint64_t>(s.imm)); });
}
void build_cvta(instruction_builder& b, const choice& c) {
  const std::string_view space = c.get("space");
  const std::int64_t base = space.starts_with("shared") ? static_cast<std::int64_t>(shared_base)
                            : space == "local"          ? static_cast<std::int64_t>(local_base)
                                                        : 0;
  if (base != 0 && c.is("t", "u32")) b.fail("generic addresses have 64 bits here");
  const slot a = b.source(1, c.type("t"));
  const slot d = b.result(0, c.type("t"));
  const run_function run = c.is("t", "u32")               ? shift_window<std::uint32_t>
                           : !space.starts_with("shared") ? shift_window<std::uint64_t>
                           : c.has("to")                  ? generic_to_shared
                                                          : shared_to_generic;
  step& s = b.add(run);
  s.a = a;
  s.d = d;
  s.imm = c.has("to") ? -base : base;
}

/// Which window a generic address lies in: aux 0 global (and constant, parameters), 1 the own
/// block's shared, 2 local, 3 shared of any block of the cluster.
void in_window(const step& s, context& c) {
  const auto* const a = c.at<std::uint64_t>(s.a);
  const block& own = c.in->in();
  const auto blocks = static_cast<std::int32_t>(own.together().blocks());
  lane_mask r = 0;
  for_lanes(c, [&](unsigned i) {
    const bool shared = a[i] - shared_base < window_bytes, local = a[i] - local_base < window_bytes;
    const std::int32_t rank = shared ? rank_at(a[i] - shared_base) : blocks;
    const bool in = s.aux == 1   ? rank < 0 || rank == static_cast<std::int32_t>(own.rank())
                    : s.aux == 2 ? local
                    : s.aux == 3 ? rank < blocks
                                 : !shared && !local;
    r |= static_cast<lane_mask>(in) << i;
  });
  lane_mask& d = c.predicate(s.d);
  d = (d & ~c.mask) | r;
}
void build_isspacep(instruction_builder& b, const choice& c) {
  const slot a = b.source(1, type::u64);
  const slot d = b.result(0, type::pred);
  step& s = b.add(in_window);
  s.a = a;
  s.d = d;
  s.aux = c.is("space", "shared::cluster")       ? 3
          : c.get("space").starts_with("shared") ? 1
          : c.is("space", "local")               ? 2
                                                 : 0;
}

const std::array table = {
    row{"mov", "t:pred|b16|b32|b64|u16|u32|u64|s16|s32|s64|f32|f64",
        "d, a | d, {a, b, ..} | {d, e, ..}, a", nullptr, nullptr, build_mov},
    row{"cvta", "to? space:global|const|param|shared|local|shared::cta|shared::cluster t:u32|u64",
        "d, a", nullptr, nullptr, build_cvta},
    row{"isspacep", "space:global|shared|local|shared::cta|shared::cluster", "p, a", nullptr,
        nullptr, build_isspacep},
};

}  // namespace

run_function extension(unsigned from, unsigned to, bool with_sign) {
  if (to <= 16) return extend_to<std::uint16_t>(from, with_sign);
  if (to == 32) return extend_to<std::uint32_t>(from, with_sign);
  return extend_to<std::uint64_t>(from, with_sign);
}

run_function predicate_negation() {
  return negate_predicate;
}

run_function local_address(unsigned bits) {
  return bits == 32 ? static_cast<run_function>(address_in_local<std::uint32_t>)
                    : address_in_local<std::uint64_t>;
}

rows move_rows() {
  return table;
}

}  // namespace ptxlab::machine
