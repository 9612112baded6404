// SPDX-License-Identifier: Apache-2.0
// The check of one access against the earlier accesses of the words that it touches.
#include <algorithm>
#include <bit>

#include "ptx/machine/observers/races.hpp"

namespace ptxlab::machine {

namespace {

constexpr bool several(lane_mask lanes) {
  return (lanes & (lanes - 1)) != 0;
}

// The lowest of the lanes, and those that follow at the same address.
lane_mask at_one_place(const access& a, lane_mask lanes) {
  const address first = a.at[std::countr_zero(lanes)];
  lane_mask rest = lanes;
  while (rest != 0 && a.at[std::countr_zero(rest)] == first) rest &= rest - 1;
  return lanes & ~rest;
}

}  // namespace

void race_detector::check(const access& a, const access_strength& how) {
  shadow_memory& memory = memory_of(a);
  lane_access x;
  x.a = &a;
  x.as.block = a.who.block;
  x.as.warp = static_cast<std::uint8_t>(a.who.warp);
  x.as.when = now_;
  x.as.site = a.site;
  x.as.how = how;
  asked_.of = nullptr;
  const std::optional<lane_line> line = how.strong ? std::nullopt : lane_line::of(a);
  for (const lane_group& g : order_.groups(a.who.block, a.who.warp)) {
    x.group = &g;
    lane_mask rest = a.who.mask & g.mask;
    if (line) {
      check_line(x, memory, *line, rest);
      continue;
    }
    while (rest != 0) {
      const lane_mask lanes = how.strong || how.writes ? rest & -rest : at_one_place(a, rest);
      check_place(x, memory, lanes);
      rest &= ~lanes;
    }
  }
}

void race_detector::check_place(lane_access& x, shadow_memory& memory, lane_mask lanes) {
  x.lane = static_cast<std::uint32_t>(std::countr_zero(lanes));
  const address begin = x.a->at[x.lane], end = begin + x.a->bytes;
  for (x.word = begin / 4; x.word * 4 < end; ++x.word) {
    const address low = std::max(begin, x.word * 4), high = std::min(end, x.word * 4 + 4);
    x.as.bytes = static_cast<std::uint8_t>(((1U << (high - low)) - 1) << (low - x.word * 4));
    shadow_word& w = memory.row(x.word / row_words).split()[x.word % row_words];
    x.as.lanes = lanes;
    if (!several(lanes) || !race_together(x, w)) {
      check_word(x, w);
      continue;
    }
    for (lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
      x.lane = static_cast<std::uint32_t>(std::countr_zero(rest));
      x.as.lanes = rest & -rest;
      check_word(x, w);
    }
  }
}

bool race_detector::race_together(const lane_access& x, const shadow_word& w) {
  const auto races = [&](const access_record& r) {
    return r.how.writes && (r.bytes & x.as.bytes) != 0 && unsynchronised_lanes(x, r) != 0;
  };
  return races(w.write) ||
         (w.history && std::any_of(w.history->more.begin(), w.history->more.end(), races));
}

void race_detector::check_word(lane_access& x, shadow_word& w) {
  x.observes = 0;
  if (w.write.lanes != 0 && check_pair(x, w.write, w)) replace(x, w.write);
  if (w.read.lanes != 0 && check_pair(x, w.read, w)) replace(x, w.read);
  if (w.history) {
    bool gone = false;
    for (access_record& r : w.history->more) {
      if (check_pair(x, r, w)) replace(x, r);
      gone |= r.lanes == 0;
    }
    if (gone) std::erase_if(w.history->more, [](const access_record& r) { return r.lanes == 0; });
    if (w.history->forgotten.latest != 0) check_forgotten(x, w);
  }
  if (x.observes != 0)
    shadow_memory::add(w, write_observation{x.as.when, w.stored, x.observes, x.as.block, x.as.warp,
                                            static_cast<std::uint8_t>(x.lane), x.as.how.wide});
  if (x.as.how.writes && x.as.how.strong) {
    w.strongly_written = true;
  } else if (x.as.how.writes && w.strongly_written) {
    for (std::uint32_t i = 0; i < 4; ++i)
      if ((x.as.bytes >> i & 1) != 0)
        order_.overwritten(thread_order::place(x.a->space, x.a->who.block, x.word * 4 + i));
  }
  if (x.as.how.writes && !x.as.how.atomic) w.stored = x.as.when;
  shadow_memory::add(w, x.as);
}

bool race_detector::check_pair(lane_access& x, const access_record& earlier, const shadow_word& w) {
  if ((earlier.bytes & x.as.bytes) == 0) return false;
  const bool conflict = x.as.how.writes || earlier.how.writes;
  const bool together = earlier.when == x.as.when;
  if (together && (!conflict || x.as.how.atomic)) return false;
  const lane_mask unordered = unordered_lanes(x, earlier);
  if (together) {
    found(x, earlier, unordered);
    return false;  // lanes of one instruction stay side by side
  }
  if (unordered == 0) return true;
  if (!conflict) return false;
  if (morally_strong(earlier, x.as)) {
    if (earlier.how.writes && (x.as.how.atomic || !x.as.how.writes))
      x.observes = std::max(x.observes, earlier.when);
    return false;
  }
  if (!observed(x, earlier, w)) found(x, earlier, unordered);
  return true;
}

// A later access stands for a settled earlier one where whatever is ordered after, or morally
// strong with, the later one is so with the earlier one too.
void race_detector::replace(const lane_access& x, access_record& earlier) {
  const access_strength &now = x.as.how, &then = earlier.how;
  if (!now.writes && then.writes) return;
  if (now.strong && !(then.strong && then.wide >= now.wide)) return;
  earlier.bytes = static_cast<std::uint8_t>(earlier.bytes & ~x.as.bytes);
  if (earlier.bytes == 0) earlier.lanes = 0;
}

lane_mask race_detector::unordered_lanes(const lane_access& x, const access_record& earlier) {
  if (earlier.block != x.as.block || earlier.warp != x.as.warp)
    return unsynchronised_lanes(x, earlier);
  const lane_mask others = earlier.lanes & ~x.as.lanes;
  if (earlier.when == x.as.when) return others;          // at once
  if (others == 0 && !several(earlier.lanes)) return 0;  // program order
  const lane_mask unordered = unsynchronised_lanes(x, earlier);
  // Of several lanes that read, one that comes after all others is enough.
  return several(x.as.lanes) && several(unordered) ? unordered : unordered & ~x.as.lanes;
}

lane_mask race_detector::unsynchronised_lanes(const lane_access& x, const access_record& earlier) {
  const race_clock& known = x.group->known;
  const race_clock::warp_view view = view_of(known, earlier);
  if (view.all >= earlier.when) return 0;
  if (!view.lanes) return earlier.lanes;
  lane_mask result = 0;
  for (lane_mask rest = earlier.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (known.of_lane(earlier.block, earlier.warp, lane) < earlier.when)
      result |= lane_mask{1} << lane;
  }
  return result;
}

race_clock::warp_view race_detector::view_of(const race_clock& known,
                                             const access_record& earlier) {
  if (known.latest() < earlier.when) return {};
  if (asked_.of != &known || asked_.block != earlier.block || asked_.warp != earlier.warp)
    asked_ = {&known, earlier.block, earlier.warp, known.of_warp(earlier.block, earlier.warp)};
  return asked_.view;
}

// A strong read that observed a strong write puts that write before whatever comes after the read,
// though it acquires nothing else (PTX ISA, "Causality order": observation, then base causality).
// The machine is sequentially consistent: the read observes the last write, and through atomics
// earlier ones, back to a store or to an atomic that is not morally strong with them.
bool race_detector::observed(const lane_access& x, const access_record& write,
                             const shadow_word& w) const {
  if (!w.history || !write.how.strong || !write.how.writes) return false;
  const auto saw = [&](const write_observation& o) {
    if (o.read <= write.when || o.store > write.when) return false;
    if (o.block != write.block && !(o.wide && write.how.wide)) return false;
    const bool same_thread = o.block == x.as.block && o.warp == x.as.warp && o.lane == x.lane;
    if (!same_thread && x.group->known.of_lane(o.block, o.warp, o.lane) < o.read) return false;
    const auto hides = [&](const access_record& r) {
      return r.lanes != 0 && r.how.atomic && r.when > write.when && r.when < o.read &&
             !morally_strong(write, r);
    };
    const auto& more = w.history->more;
    return !hides(w.write) && std::none_of(more.begin(), more.end(), hides);
  };
  const auto& list = w.history->observations;
  return std::any_of(list.begin(), list.end(), saw);
}

// Accesses that were forgotten can only be ordered as a whole: by knowing all of their block, or of
// the grid, up to the latest.
void race_detector::check_forgotten(const lane_access& x, shadow_word& w) {
  forgotten_accesses& f = w.history->forgotten;
  if (!x.as.how.writes && !f.any_write) return;
  if (x.as.how.wide && !f.any_weak) return;
  const race_clock& known = x.group->known;
  const stamp upto =
      std::max(f.several_blocks ? 0 : known.of_block(f.block), known.of_grid(launch_.blocks()));
  if (upto < f.latest) uncertain_ += static_cast<std::uint64_t>(std::popcount(x.as.lanes));
  if (x.as.how.writes && !x.as.how.strong) f = {};
}

bool race_detector::same_bytes(const lane_access& x, std::uint32_t other_lane,
                               std::uint32_t bytes) {
  if (x.a->data == nullptr) return false;
  const auto value = [&](std::uint32_t lane, address at) {
    return x.a->data[lane * std::size_t{x.a->bytes} + (at - x.a->at[lane])];
  };
  for (std::uint32_t i = 0; i < 4; ++i) {
    if ((bytes >> i & 1) == 0) continue;
    if (value(x.lane, x.word * 4 + i) != value(other_lane, x.word * 4 + i)) return false;
  }
  return true;
}

void race_detector::found(const lane_access& x, const access_record& earlier,
                          lane_mask lanes_of_earlier) {
  race_tally::pair p;
  const bool same_block = earlier.block == x.as.block;
  const bool same_warp = same_block && earlier.warp == x.as.warp;
  p.kind = earlier.when == x.as.when ? race_kind::one_instruction
           : same_warp               ? race_kind::within_warp
           : same_block              ? race_kind::between_warps
                                     : race_kind::between_blocks;
  p.a = earlier.site;
  p.b = x.as.site;
  p.thread_a = {earlier.block, earlier.warp,
                static_cast<std::uint32_t>(std::countr_zero(lanes_of_earlier))};
  p.thread_b = {x.as.block, x.as.warp, x.lane};
  p.space = x.a->space;
  p.word = x.word * 4;
  p.count = static_cast<std::uint64_t>(std::popcount(lanes_of_earlier));
  if (p.kind == race_kind::one_instruction)
    p.same_value = same_bytes(x, p.thread_a.lane, earlier.bytes & x.as.bytes);
  if (tally_.add(p)) tally_.explain(p, cause_of(x, earlier, p.kind, p));
}

race_cause race_detector::cause_of(const lane_access& x, const access_record& earlier,
                                   race_kind kind, const race_tally::pair& p) const {
  race_cause c;
  if (kind == race_kind::one_instruction) {
    c.what = missing::nothing;
    return c;
  }
  if (earlier.how.strong && x.as.how.strong && earlier.bytes == x.as.bytes) {
    c.what = missing::scope;
    c.narrow = earlier.how.wide ? x.as.site : earlier.site;
    return c;
  }
  c = log_.explain(p.thread_a, earlier.when, p.thread_b);
  if (c.what != missing::communication) return c;
  if (earlier.how.strong != x.as.how.strong) {
    c.what = missing::strength;
    c.narrow = earlier.how.strong ? x.as.site : earlier.site;
  } else if (kind == race_kind::within_warp) {
    c.what = missing::warp_sync;
  } else if (kind == race_kind::between_warps) {
    c.what = missing::barrier;
  }
  return c;
}

}  // namespace ptxlab::machine
