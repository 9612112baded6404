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
    return r.how.writes && (r.bytes & x.as.bytes) != 0 &&
           (r.how.by_copy ? copying_lanes(x, r, 0) : unsynchronised_lanes(x, r)) != 0;
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
                                            static_cast<std::uint8_t>(x.lane), x.as.how});
  if (x.as.how.writes && x.as.how.strong) {
    w.strongly_written = true;
  } else if (x.as.how.writes && w.strongly_written) {
    for (std::uint32_t i = 0; i < 4; ++i)
      if ((x.as.bytes >> i & 1) != 0)
        order_.overwritten(thread_order::place(x.a->space, x.a->holder(), x.word * 4 + i));
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
  if (morally_strong(earlier, x.as, order_.same_cluster(earlier.block, x.as.block))) {
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
  if (now.strong &&
      !(then.strong && then.wide >= now.wide && (then.wide || then.cluster >= now.cluster)))
    return;
  earlier.bytes = static_cast<std::uint8_t>(earlier.bytes & ~x.as.bytes);
  if (earlier.bytes == 0) earlier.lanes = 0;
}

lane_mask race_detector::unordered_lanes(const lane_access& x, const access_record& earlier) {
  if (earlier.how.by_copy && earlier.when != x.as.when)
    return copying_lanes(x, earlier, several(x.as.lanes) ? 0 : x.as.lanes);
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
    if (known.of_lane(earlier.by(), earlier.warp, lane) < earlier.when)
      result |= lane_mask{1} << lane;
  }
  return result;
}

lane_mask race_detector::copying_lanes(const lane_access& x, const access_record& earlier,
                                       lane_mask own) {
  lane_mask result = unsynchronised_lanes(x, earlier);
  const bool same_warp = earlier.block == x.as.block && earlier.warp == x.as.warp;
  if (same_warp && x.group->copies_over >= earlier.when) result &= ~own;
  return result;
}

race_clock::warp_view race_detector::view_of(const race_clock& known,
                                             const access_record& earlier) {
  if (known.latest() < earlier.when) return {};
  if (asked_.of != &known || asked_.by != earlier.by() || asked_.warp != earlier.warp)
    asked_ = {&known, earlier.by(), earlier.warp, known.of_warp(earlier.by(), earlier.warp)};
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
    const bool same = order_.same_cluster(o.block, write.block);
    if (o.block != write.block && !(o.how.reaches(same) && write.how.reaches(same))) return false;
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
  // Strong among strong, and all within their scopes.
  const bool own = !f.several_blocks && f.block == x.as.block;
  if (x.as.how.strong && !f.any_weak && (own || (x.as.how.wide && !f.any_narrow))) return;
  const race_clock& known = x.group->known;
  stamp upto = std::max(f.several_blocks ? 0 : known.of_block(f.block), known_of_all(x));
  if (f.any_copy) upto = f.several_blocks ? 0 : std::min(upto, known.of_block(copies_of(f.block)));
  if (upto < f.latest) uncertain_ += static_cast<std::uint64_t>(std::popcount(x.as.lanes));
  if (x.as.how.writes && !x.as.how.strong) f = {};
}

}  // namespace ptxlab::machine
