// SPDX-License-Identifier: Apache-2.0
// Barriers of a block and fences: PTX ISA 9.0, bar, barrier, membar, fence.
#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

/// a: number of the barrier, b: of threads (no_slot: all); aux: an arrival::reduction, or
/// `arrives`. c: a reduction's predicate, d its result.
constexpr std::uint32_t arrives = 100;

std::uint32_t uniform(const context& c, slot at, const char* what) {
  const auto* const v = c.at<std::uint32_t>(at);
  const auto first = static_cast<unsigned>(__builtin_ctz(c.mask));
  each_active(c, [&](unsigned i) {
    if (v[i] != v[first])
      throw fault{fault::kind::undefined,
                  fmt::format("lanes of one warp name different {} of a barrier", what), i};
  });
  return v[first];
}

void come_to_barrier(const step& s, context& c) {
  arrival a;
  a.barrier = uniform(c, s.a, "numbers");
  if (a.barrier >= 16)
    throw fault{fault::kind::undefined, fmt::format("barrier {} of 16", a.barrier), 0};
  if (s.b != no_slot) a.threads = uniform(c, s.b, "thread counts");
  if (s.b != no_slot && (a.threads == 0 || a.threads % warp_lanes != 0))
    throw fault{fault::kind::undefined,
                fmt::format("a barrier of {} threads: no multiple of a warp", a.threads), 0};
  a.waits = s.aux != arrives;
  if (a.waits) a.reduce = static_cast<arrival::reduction>(s.aux);
  if (a.reduce != arrival::reduction::none) {
    a.vote = c.predicate(s.c) & c.mask;
    a.result = s.d;
  }
  c.arrival = a;
  c.asks = request::wait_block;
}

void build_barrier(instruction_builder& b, const choice& c) {
  const bool reduces = c.has("red");
  const std::size_t first = reduces ? 1 : 0, last = b.count() - (reduces ? 1 : 0);
  if (b.count() < first + 1 || last > first + 2) b.fail("operands do not fit");
  const slot number = b.source(first, type::u32);
  const slot threads = last == first + 2 ? b.source(first + 1, type::u32) : no_slot;
  if (c.is("what", "arrive") && threads == no_slot) b.fail("a number of threads is missing");
  const slot p = reduces ? b.source(b.count() - 1, type::pred) : no_slot;
  const bool counts = c.is("op", "popc");
  const slot d = reduces ? b.result(0, counts ? type::u32 : type::pred) : no_slot;
  step& s = b.add(come_to_barrier);
  using reduction = arrival::reduction;
  s.aux = c.is("what", "arrive") ? arrives
                                 : static_cast<std::uint32_t>(!reduces            ? reduction::none
                                                              : counts            ? reduction::popc
                                                              : c.is("op", "and") ? reduction::and_
                                                                                  : reduction::or_);
  s.a = number;
  s.b = threads;
  s.c = p;
  s.d = d;
}

/// aux: a flow::order, imm: a flow::scope. The machine performs accesses in order, so that a fence
/// orders nothing; observers are told.
void fence(const step& s, context& c) {
  grid& g = c.in->in().in();
  if (!g.watched()) return;
  const lanes who{c.in->in().index(), c.in->number(), c.mask};
  for (observer* const o : g.observers())
    o->fenced(s.site, who, static_cast<flow::order>(s.aux), static_cast<flow::scope>(s.imm));
}
void build_fence(instruction_builder& b, const choice& c) {
  step& s = b.add(fence);
  using flow::order;
  using flow::scope;
  const std::string_view reach = c.get("scope");
  const std::string_view sem = c.get("sem");
  const bool membar = b.whole().m.op(b.instruction()).base == "membar";
  s.aux = static_cast<std::uint32_t>(membar || sem == "sc" ? order::sc
                                     : sem == "acquire"    ? order::acquire
                                     : sem == "release"    ? order::release
                                                           : order::acq_rel);
  s.imm = static_cast<std::int64_t>(reach == "cta"                    ? scope::cta
                                    : reach == "cluster"              ? scope::cluster
                                    : reach == "gpu" || reach == "gl" ? scope::gpu
                                                                      : scope::sys);
  if (static_cast<scope>(s.imm) != scope::cta) b.whole().out.communicates = true;
}
void nothing(const step&, context&) {}
void build_nothing(instruction_builder& b, const choice&) {
  b.add(nothing);
}

const std::array table = {
    row{"bar", "cta? what:sync|arrive", "a{, b}", nullptr, nullptr, build_barrier},
    row{"bar", "cta? red op:popc t:u32", "d, a{, b}, p", nullptr, nullptr, build_barrier},
    row{"bar", "cta? red op:and|or t:pred", "d, a{, b}, p", nullptr, nullptr, build_barrier},
    row{"barrier", "cta? what:sync|arrive aligned?", "a{, b}", nullptr, nullptr, build_barrier},
    row{"barrier", "cta? red op:popc aligned? t:u32", "d, a{, b}, p", nullptr, nullptr,
        build_barrier},
    row{"barrier", "cta? red op:and|or aligned? t:pred", "d, a{, b}, p", nullptr, nullptr,
        build_barrier},
    row{"membar", "scope:cta|gl|sys", "", nullptr, nullptr, build_fence},
    row{"fence", "sem:sc|acq_rel|acquire|release? scope:cta|cluster|gpu|sys", "", nullptr, nullptr,
        build_fence},
    row{"fence", "mbarrier_init release cluster", "", nullptr, nullptr, build_nothing},
    row{"fence", "proxy kind:alias|async|async.global|async.shared::cta|async.shared::cluster", "",
        nullptr, nullptr, build_nothing, "there are no proxies"},
};

}  // namespace

rows barrier_rows() {
  return table;
}

}  // namespace ptxlab::machine
