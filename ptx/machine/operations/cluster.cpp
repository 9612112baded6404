// SPDX-License-Identifier: Apache-2.0
// What the blocks of a cluster share: PTX ISA 9.0, barrier.cluster, mapa, getctarank.
#include <array>
#include <cstdint>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/decode.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

/// imm: whether it is .aligned; then lanes that come without the others are noted.
void note_lanes(const step& s, const context& c) {
  if (s.imm != 0) c.in->in().in().note_lanes(s.site, c.mask, c.in->live());
}
/// aux: whether it releases.
void arrive_at_cluster(const step& s, context& c) {
  note_lanes(s, c);
  c.in->in().together().arrive(*c.in, c.mask, s.aux != 0, s.site);
}
void wait_for_cluster(const step& s, context& c) {
  note_lanes(s, c);
  c.mask = c.in->in().together().pass(*c.in, c.mask, s.site);
  if (c.mask == 0) return;
  c.arrival = {};
  c.arrival.barrier = cluster_barrier;
  c.asks = request::wait_block;
}
void build_barrier(instruction_builder& b, const choice& c) {
  if (b.count() != 0) b.fail("operands do not fit");
  step& s = b.add(c.has("arrive") ? arrive_at_cluster : wait_for_cluster);
  s.aux = c.is("sem", "relaxed") ? 0 : 1;
  s.imm = c.has("aligned") ? 1 : 0;
}

/// d: what a is in the block of rank b; imm: where the window begins. Of an address outside of the
/// window: one that no block has, for nothing says that anybody will use it.
template <class T>
void map_to_rank(const step& s, context& c) {
  const T* const a = c.at<T>(s.a);
  const auto* const rank = c.at<std::uint32_t>(s.b);
  T* const d = c.at<T>(s.d);
  const auto base = static_cast<std::uint64_t>(s.imm);
  each_active(c, [&](unsigned i) {
    const std::uint64_t offset = a[i] - base;
    const bool shared = offset < window_bytes;
    d[i] = static_cast<T>(base + offset_of_rank(offset, shared ? rank[i] : ~std::uint32_t{0}));
  });
}
/// d: the rank of the block that has a; all ones for an address outside of the window.
template <class T>
void rank_of_address(const step& s, context& c) {
  const T* const a = c.at<T>(s.a);
  auto* const d = c.at<std::uint32_t>(s.d);
  const std::uint32_t own = c.in->in().rank();
  each_active(c, [&](unsigned i) {
    const std::uint64_t offset = a[i] - static_cast<std::uint64_t>(s.imm);
    const std::int32_t rank = offset < window_bytes ? rank_at(offset) : -1;
    d[i] = offset >= window_bytes ? ~std::uint32_t{0}
           : rank < 0             ? own
                                  : static_cast<std::uint32_t>(rank);
  });
}
std::int64_t window_base(instruction_builder& b, const choice& c) {
  if (c.has("space")) return 0;
  if (c.is("t", "u32")) b.fail("generic addresses have 64 bits here");
  return static_cast<std::int64_t>(shared_base);
}
void build_mapa(instruction_builder& b, const choice& c) {
  if (b.count() != 3) b.fail("operands do not fit");
  const std::int64_t base = window_base(b, c);
  const slot a = b.source(1, c.type("t")), rank = b.source(2, type::u32);
  const slot d = b.result(0, c.type("t"));
  step& s = b.add(c.is("t", "u32") ? map_to_rank<std::uint32_t>
                                   : static_cast<run_function>(map_to_rank<std::uint64_t>));
  s.a = a;
  s.b = rank;
  s.d = d;
  s.imm = base;
}
void build_getctarank(instruction_builder& b, const choice& c) {
  if (b.count() != 2) b.fail("operands do not fit");
  const std::int64_t base = window_base(b, c);
  const slot a = b.source(1, c.type("t"));
  const slot d = b.result(0, type::u32);
  step& s = b.add(c.is("t", "u32") ? rank_of_address<std::uint32_t>
                                   : static_cast<run_function>(rank_of_address<std::uint64_t>));
  s.a = a;
  s.d = d;
  s.imm = base;
}

const std::array table = {
    row{"barrier", "cluster arrive sem:release|relaxed? aligned?", "", nullptr, nullptr,
        build_barrier},
    row{"barrier", "cluster wait sem:acquire? aligned?", "", nullptr, nullptr, build_barrier},
    row{"mapa", "space:shared::cluster? t:u32|u64", "d, a, b", nullptr, nullptr, build_mapa},
    row{"getctarank", "space:shared::cluster? t:u32|u64", "d, a", nullptr, nullptr,
        build_getctarank},
};

}  // namespace

rows cluster_rows() {
  return table;
}

}  // namespace ptxlab::machine
