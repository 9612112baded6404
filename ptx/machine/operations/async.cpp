// SPDX-License-Identifier: Apache-2.0
// Asynchronous copies and mbarriers in a simple form: PTX ISA 9.0, cp.async, mbarrier. A copy is
// performed where it is issued, so that waiting for it never waits. An mbarrier is a word of the
// machine's own making: bits 0 to 19 arrivals still expected in this phase, 20 to 39 arrivals of
// each phase, 40 to 61 (as a signed number) bytes still expected, 63 the phase.
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/row.hpp"

namespace ptxlab::machine {
namespace {

/// Copies are over when they are issued; who watches is told what was waited for. imm: groups that
/// need not be over.
template <bool Commits>
void copies_grouped(const step& s, context& c) {
  grid& g = c.in->in().in();
  if (!g.watched()) return;
  const lanes who = {c.in->in().index(), c.in->number(), c.mask};
  for (observer* const o : g.observers())
    if (Commits)
      o->copies_committed(s.site, who);
    else
      o->copies_awaited(s.site, who, static_cast<std::uint32_t>(s.imm));
}
void build_grouped(instruction_builder& b, const choice& c) {
  if (c.is("what", "commit_group")) {
    b.add(copies_grouped<true>);
    return;
  }
  std::int64_t left = observer::every_copy;
  if (c.is("what", "wait_group")) {
    const auto n = b.count() == 1 ? b.integer(0) : std::nullopt;
    if (!n || *n < 0 || *n >= left) b.fail("a number of groups that is no constant");
    left = *n;
  }
  b.add(copies_grouped<false>).imm = left;
}

/// Two accesses: shared memory at a + imm (form aux), global memory at b (form aux + 1, its offset
/// in the form's list field). c: bytes that are copied, the rest is zero; no_slot: all.
void copy(const step& s, context& c) {
  resolved to, from;
  resolve(s, c, to);
  step source = s;
  source.a = s.b;
  source.aux = s.aux + 1;
  source.imm =
      static_cast<std::int64_t>(static_cast<std::int32_t>(c.in->code().forms[source.aux].list));
  resolve(source, c, from);
  const std::uint32_t bytes = to.form->bytes * to.form->elements;
  alignas(16) std::byte data[warp_lanes * 16] = {};
  each_active(c, [&](unsigned i) {
    std::uint32_t n = bytes;
    if (s.c != no_slot) n = std::min(n, c.at<std::uint32_t>(s.c)[i]);
    std::memcpy(data + std::size_t{i} * bytes, from.host[i], n);
    std::memcpy(to.host[i], data + std::size_t{i} * bytes, bytes);
  });
  c.in->in().in().changed();
  tell(source, c, from, nullptr, {.by_copy = true});
  tell(s, c, to, data, {.by_copy = true});
}
void build_copy(instruction_builder& b, const choice& c) {
  if (b.count() < 3 || b.count() > 4)
    b.fail("operands do not fit; cache policies are not supported");
  const auto n = b.integer(2);
  if (!n || (*n != 4 && *n != 8 && *n != 16) || (c.is("cache", "cg") && *n != 16))
    b.fail("copies of 4, 8 or 16 bytes, and of 16 with .cg");
  const slot size = b.count() == 4 ? b.source(3, type::u32) : no_slot;
  access_form to;
  to.what = flow::kind::store;
  to.space = flow::space::shared;
  to.bytes = to.align = static_cast<std::uint32_t>(*n);
  access_form from = to;
  from.what = flow::kind::load;
  from.space = flow::space::global;
  const address_operand source = b.address(1);
  if (source.from != address_operand::base::in_register) b.fail("a source that is no register");
  step& s = add_access(b, copy, to, 0);
  from.from = access_form::base::in_register;
  from.address_bytes = source.bytes;
  from.list = static_cast<std::uint32_t>(source.offset);
  b.whole().out.forms.push_back(from);
  s.b = source.at;
  s.c = size;
}

// --- mbarrier
// --------------------------------------------------------------------------------------

struct phase_word {
  std::uint64_t bits;
  std::uint32_t pending() const { return bits & 0xfffff; }
  std::uint32_t each() const { return bits >> 20 & 0xfffff; }
  std::int64_t bytes() const { return static_cast<std::int64_t>(bits << 2) >> 42; }
  bool phase() const { return bits >> 63 != 0; }
  static phase_word make(std::uint32_t pending, std::uint32_t each, std::int64_t bytes,
                         bool phase) {
    return {std::uint64_t{pending & 0xfffff} | std::uint64_t{each & 0xfffff} << 20 |
            (static_cast<std::uint64_t>(bytes) & 0x3fffff) << 40 | std::uint64_t{phase} << 63};
  }
  /// The same with arrivals and bytes gone; the phase ends with the last of both.
  phase_word less(std::uint32_t arrivals, std::int64_t arrived_bytes) const {
    const std::uint32_t left = pending() - arrivals;
    const std::int64_t bytes_left = bytes() - arrived_bytes;
    if (left != 0 || bytes_left != 0) return make(left, each(), bytes_left, phase());
    return make(each(), each(), 0, !phase());
  }
};

enum class act : std::uint8_t {
  init,
  arrive,
  arrive_drop,
  expect,
  arrive_expect,
  arrive_drop_expect,
  complete,
  test,
  invalidate,
  copies_arrive,         ///< it first expects one arrival more
  copies_arrive_counted  ///< one of those that are expected
};

/// a: address; b: count, bytes, state or parity; d: state, or the predicate of a test.
template <act What, bool Parity>
void mbarrier(const step& s, context& c) {
  resolved r;
  resolve(s, c, r);
  lane_mask over = 0;
  bool changes = false;
  each_active(c, [&](unsigned i) {
    std::uint64_t word;
    std::memcpy(&word, r.host[i], 8);
    const phase_word old{word};
    const std::uint64_t x = s.b == no_slot                 ? 1
                            : What == act::test && !Parity ? c.at<std::uint64_t>(s.b)[i]
                                                           : c.at<std::uint32_t>(s.b)[i];
    phase_word now = old;
    const auto arrivals = static_cast<std::uint32_t>(x);
    if (What == act::init) now = phase_word::make(arrivals, arrivals, 0, false);
    if (What == act::invalidate) now = {0};
    constexpr bool drops = What == act::arrive_drop || What == act::arrive_drop_expect,
                   expects = What == act::arrive_expect || What == act::arrive_drop_expect;
    if (What == act::arrive || drops || expects || What == act::copies_arrive_counted) {
      const std::uint32_t n = expects ? 1 : arrivals;
      if (n > old.pending())
        throw fault{fault::kind::undefined,
                    fmt::format("{} arrivals at an mbarrier that expects {}", n, old.pending()), i};
      // What is dropped is not expected in later phases, whoever counts the bytes of this one.
      const phase_word before =
          phase_word::make(old.pending(), old.each() - (drops ? n : 0),
                           old.bytes() + (expects ? static_cast<std::int64_t>(x) : 0), old.phase());
      now = before.less(n, 0);
      if (s.d != no_slot) c.at<std::uint64_t>(s.d)[i] = old.bits;
    }
    if (What == act::expect)
      now = phase_word::make(old.pending(), old.each(), old.bytes() + static_cast<std::int64_t>(x),
                             old.phase());
    if (What == act::complete) now = old.less(0, static_cast<std::int64_t>(x));
    if (What == act::test) {
      const bool waited = Parity ? (x & 1) != 0 : phase_word{x}.phase();
      over |= static_cast<lane_mask>(old.phase() != waited) << i;
    }
    changes |= now.bits != old.bits;
    std::memcpy(r.host[i], &now.bits, 8);
  });
  if (changes) c.in->in().in().changed();
  if (What == act::test) {
    lane_mask& p = c.predicate(s.d);
    p = (p & ~c.mask) | over;
  }
  access_remarks also;
  if (What == act::test) also.failed = c.mask & ~over;
  also.by_copy = What == act::copies_arrive || What == act::copies_arrive_counted;
  tell(s, c, r, nullptr, also);
}

access_form mbarrier_form(const choice& c, bool tests) {
  access_form f;
  f.what = tests ? flow::kind::load : flow::kind::atomic;
  f.space = c.has("space") ? flow::space::shared : flow::space::generic;
  f.ordering = c.is("sem", "relaxed") ? flow::order::relaxed
               : tests                ? flow::order::acquire
                                      : flow::order::release;
  f.of_cluster = c.is("space", "shared::cluster");
  f.reach = c.is("scope", "cluster") ? flow::scope::cluster : flow::scope::cta;
  f.bytes = f.align = 8;
  return f;
}
void build_init(instruction_builder& b, const choice& c) {
  const bool init = c.is("what", "init");
  if (b.count() != (init ? 2U : 1U)) b.fail("operands do not fit");
  const slot n = init ? b.source(1, type::u32) : no_slot;
  access_form f = mbarrier_form(c, false);
  f.ordering = flow::order::weak;
  f.what = flow::kind::store;
  step& s =
      add_access(b, init ? mbarrier<act::init, false> : mbarrier<act::invalidate, false>, f, 0);
  s.b = n;
}
void build_arrive(instruction_builder& b, const choice& c) {
  if (b.count() < 2 || b.count() > 3) b.fail("operands do not fit");
  const bool expects = c.has("expect"), drops = c.is("what", "arrive_drop");
  const slot n = b.count() == 3 ? b.source(2, type::u32) : no_slot;
  if (expects && n == no_slot) b.fail("a number of bytes is missing");
  const slot d = b.is_sink(0) ? no_slot : b.result(0, type::b64);
  step& s = add_access(b,
                       expects && drops ? mbarrier<act::arrive_drop_expect, false>
                       : expects        ? mbarrier<act::arrive_expect, false>
                       : drops          ? mbarrier<act::arrive_drop, false>
                                        : mbarrier<act::arrive, false>,
                       mbarrier_form(c, false), 1);
  s.b = n;
  s.d = d;
}
void build_bytes(instruction_builder& b, const choice& c) {
  if (b.count() != 2) b.fail("operands do not fit");
  const slot n = b.source(1, type::u32);
  access_form f = mbarrier_form(c, false);
  f.ordering = flow::order::relaxed;
  step& s = add_access(
      b, c.is("what", "expect_tx") ? mbarrier<act::expect, false> : mbarrier<act::complete, false>,
      f, 0);
  s.b = n;
}
void build_test(instruction_builder& b, const choice& c) {
  if (b.count() < 3 || b.count() > 4) b.fail("operands do not fit");
  const bool parity = c.has("parity");
  const slot x = b.source(2, parity ? type::u32 : type::b64);
  const slot p = b.result(0, type::pred);
  step& s = add_access(b, parity ? mbarrier<act::test, true> : mbarrier<act::test, false>,
                       mbarrier_form(c, true), 1);
  s.b = x;
  s.d = p;
}

void build_copies_arrive(instruction_builder& b, const choice& c) {
  if (b.count() != 1) b.fail("operands do not fit");
  access_form f = mbarrier_form(c, false);
  f.ordering = flow::order::relaxed;
  add_access(b,
             c.has("noinc") ? mbarrier<act::copies_arrive_counted, false>
                            : mbarrier<act::copies_arrive, false>,
             f, 0);
}

#define SHARED "space:shared|shared::cta? "
#define CLUSTER "space:shared|shared::cta|shared::cluster? "

const std::array table = {
    row{"cp",
        "async cache:ca|cg to:shared|shared::cta from:global prefetch:L2::64B|L2::128B|L2::256B?",
        "[to], [from], n{, size}", nullptr, nullptr, build_copy, "at once"},
    row{"cp", "async what:commit_group|wait_all", "", nullptr, nullptr, build_grouped,
        "copies are over"},
    row{"cp", "async what:wait_group", "n", nullptr, nullptr, build_grouped, "copies are over"},
    row{"cp", "async mbarrier arrive noinc? " SHARED "t:b64", "[a]", nullptr, nullptr,
        build_copies_arrive, "at once"},
    row{"mbarrier", "what:init|inval " SHARED "t:b64", "[a]{, n}", nullptr, nullptr, build_init},
    // An order and its scope come together; .noComplete stays in its block and may only release: so
    // says ptxas.
    row{"mbarrier", "what:arrive|arrive_drop expect:expect_tx? " CLUSTER "t:b64", "d, [a]{, n}",
        nullptr, nullptr, build_arrive},
    row{"mbarrier",
        "what:arrive|arrive_drop expect:expect_tx? sem:release|relaxed scope:cta|cluster " CLUSTER
        "t:b64",
        "d, [a]{, n}", nullptr, nullptr, build_arrive},
    row{"mbarrier", "what:arrive|arrive_drop noComplete " SHARED "t:b64", "d, [a], n", nullptr,
        nullptr, build_arrive},
    row{"mbarrier", "what:arrive|arrive_drop noComplete sem:release scope:cta " SHARED "t:b64",
        "d, [a], n", nullptr, nullptr, build_arrive},
    row{"mbarrier", "what:expect_tx|complete_tx " CLUSTER "t:b64", "[a], n", nullptr, nullptr,
        build_bytes},
    row{"mbarrier", "what:expect_tx|complete_tx sem:relaxed scope:cta|cluster " CLUSTER "t:b64",
        "[a], n", nullptr, nullptr, build_bytes},
    row{"mbarrier", "what:test_wait|try_wait parity? " SHARED "t:b64", "p, [a], state", nullptr,
        nullptr, build_test, "does not wait"},
    row{"mbarrier",
        "what:test_wait|try_wait parity? sem:acquire|relaxed scope:cta|cluster " SHARED "t:b64",
        "p, [a], state", nullptr, nullptr, build_test, "does not wait"},
};

}  // namespace

rows async_rows() {
  return table;
}

}  // namespace ptxlab::machine
