// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/explain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include "ptx/machine/accesses.hpp"
#include "ptx/machine/scheduler.hpp"

namespace ptxlab::machine {
namespace {

/// Different places at which somebody is stuck that a report lists.
constexpr std::size_t most_places = 8;

std::string_view file_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? path : path.substr(slash + 1);
}

/// Collects what a fragment does while it goes round once.
class poll_recorder : public observer {
 public:
  void accessed(const access& a) override {
    if (a.what == flow::kind::store || a.who.mask == 0) return;
    const auto lane = static_cast<unsigned>(__builtin_ctz(a.who.mask));
    found.push_back({a.site, a.space, a.at[lane], a.bytes, a.holder()});
  }
  struct poll {
    std::uint32_t site;
    flow::space space;
    address at;
    std::uint32_t bytes;
    std::uint32_t owner;
  };
  std::vector<poll> found;
};

std::string value_text(grid& g, const block& b, const poll_recorder::poll& p) {
  const std::byte* host = nullptr;
  if (p.space == flow::space::shared) {
    for (std::uint32_t r = 0; r < b.together().blocks(); ++r)
      if (block* const of = b.together().member(r); of != nullptr && of->index() == p.owner)
        host = of->shared() + p.at;
  } else if (g.device().find(p.at) != nullptr) {
    host = g.device().host(p.at);
  }
  if (host == nullptr || p.bytes > 8) return "?";
  std::uint64_t v = 0;
  std::memcpy(&v, host, p.bytes);
  return std::to_string(v);
}

class stuck_reader {
 public:
  stuck_reader(grid& g, const scheduler& s, run_report& out) : g_(g), s_(s), out_(out) {}

  void run() {
    for (const auto& b : s_.resident())
      for (const auto& w : b->warps())
        for (std::size_t i = 0; i < w->fragments().size(); ++i) one(*b, *w, i);
    std::sort(out_.stuck.begin(), out_.stuck.end(), [](const waiting& a, const waiting& b) {
      return std::tie(a.who.block, a.who.warp, a.who.mask) <
             std::tie(b.who.block, b.who.warp, b.who.mask);
    });
  }

 private:
  void one(const block& b, warp& w, std::size_t i) {
    const fragment f = w.fragments()[i];
    if (f.mask == 0) return;
    ++out_.stuck_in_all;
    const site& at = g_.code().sites[g_.code()
                                         .steps[f.is == fragment::state::at_barrier ||
                                                        f.is == fragment::state::at_lanes
                                                    ? f.pc - (f.is == fragment::state::at_barrier)
                                                    : f.pc]
                                         .site];
    const std::string place = place_of(at);
    if (std::size_t& seen = seen_[{static_cast<int>(f.is), place}]; seen++ != 0) return;
    if (out_.stuck.size() == most_places) return;
    waiting x;
    x.who = {b.index(), w.number(), f.mask};
    switch (f.is) {
      case fragment::state::parked:
        x.at = fmt::format("waits at {} for the other lanes of its branch", place);
        break;
      case fragment::state::at_barrier:
        x.at = fmt::format(
            "waits at {} ({}){}", place, at.opcode,
            f.arrival.barrier == cluster_barrier ? ": " + b.together().arrivals() : std::string());
        break;
      case fragment::state::at_lanes:
        x.at = fmt::format("waits at {} ({}) for lanes {:#x}", place, at.opcode, f.members);
        break;
      case fragment::state::ready:
        x.at = fmt::format("runs at {}", place);
        break;
      case fragment::state::spinning:
        x.at = fmt::format("spins at {}", place);
        watch(b, w, i, x);
        break;
    }
    out_.stuck.push_back(std::move(x));
  }

  /// Lets the fragment go round once more and looks at what it reads and compares.
  void watch(const block& b, warp& w, std::size_t i, waiting& x) {
    poll_recorder polls;
    const auto before = g_.watch_only({&polls});
    const round_trip r = w.go_round(i);
    g_.watch_only(before);
    for (const auto& p : polls.found) {
      if (p.space == flow::space::local) continue;
      named_place at = places(g_.device(), g_.code()).name(p.space, p.at);
      if (p.space == flow::space::shared && p.owner != b.index())
        at.name += fmt::format(" of block {}", p.owner);
      x.polls = fmt::format("{}+{} ({} bytes, {}, read at {}) holds {}", at.name, at.offset,
                            p.bytes, g_.code().sites[p.site].opcode,
                            place_of(g_.code().sites[p.site]), value_text(g_, b, p));
      x.polled_space = p.space;
      x.polled = p.at;
      x.polled_bytes = p.bytes;
      x.polled_block = p.owner;
      break;
    }
    x.condition = r.condition;
    if (polls.found.empty()) x.at += " in a loop that re-reads nothing";
  }

  grid& g_;
  const scheduler& s_;
  run_report& out_;
  std::map<std::pair<int, std::string>, std::size_t> seen_;
};

std::string first_stuck(const run_report& r) {
  if (r.stuck.empty()) return {};
  for (const waiting& w : r.stuck)
    if (!w.polls.empty())
      return fmt::format(": block {} warp {} {}", w.who.block, w.who.warp, w.at);
  return fmt::format(": block {} warp {} {}", r.stuck[0].who.block, r.stuck[0].who.warp,
                     r.stuck[0].at);
}

std::string reason_of(const grid& g, const scheduler& s, const run_report& r) {
  switch (r.how) {
    case ending::residency_deadlock:
      return fmt::format("{} blocks, of which {} can be resident ({}); {} of them never start{}",
                         g.blocks(), g.how().resident.blocks, g.how().resident.model,
                         g.blocks() - s.started(), first_stuck(r));
    case ending::simt_deadlock:
      return "lanes of one warp wait for each other where they parted; with independent threads "
             "the "
             "launch ends" +
             first_stuck(r);
    case ending::barrier_divergence:
      return "some threads wait at a barrier that others do not reach" + first_stuck(r);
    case ending::nobody_left_to_write:
      return "who still runs only reads what nobody else will write" + first_stuck(r);
    case ending::step_budget:
      return fmt::format("no end after {} warp steps; no proof that there is none{}", r.warp_steps,
                         first_stuck(r));
    case ending::time_budget:
      return fmt::format("no end after {} s; no proof that there is none{}", g.how().seconds,
                         first_stuck(r));
    default:
      return {};
  }
}

}  // namespace

std::string place_of(const site& s) {
  return s.line != 0 ? fmt::format("{}:{}", file_name(s.file), s.line)
                     : fmt::format("ptx:{}", s.ptx_line);
}

named_place places::name(flow::space s, address at) const {
  if (s == flow::space::shared) {
    for (const shared_variable& v : program_.shared)
      if (at >= v.offset && at < std::uint64_t{v.offset} + v.bytes) return {v.name, at - v.offset};
    const std::uint64_t dynamic = (program_.shared_bytes + 15) / 16 * 16;
    if (at >= dynamic) return {"dynamic shared memory", at - dynamic};
    return {"shared memory", at};
  }
  if (s == flow::space::local) return {"local memory", at};
  return memory_.place(at);
}

void run_part(grid& g, std::uint32_t first, std::uint32_t end, run_report& out) {
  scheduler s(g, first, end);
  try {
    out.how = s.run();
    if (out.how == ending::simt_deadlock) {
      // It is one if, and only if, the launch goes on where lanes are independent.
      stuck_reader(g, s, out).run();
      const run_report here = out;
      out.stuck.clear();
      out.stuck_in_all = 0;
      // Nobody watches: what observers told is of the launch as it was asked for.
      const auto watchers = g.watch_only({});
      const ending beyond = s.go_on_with_independent_threads();
      g.watch_only(watchers);
      if (beyond == ending::finished)
        out = here;
      else
        out.how = beyond;
    }
  } catch (const fault& f) {
    out.how = ending::fault;
    out.reason = f.text;
    if (const warp* const w = s.current(); w != nullptr) {
      out.site = w->faulting_site();
      out.who = {w->in().index(), w->number(), 1U << (f.lane & 31)};
      const site& at = g.code().sites[out.site];
      out.reason = fmt::format("{} ({}), block {} warp {} lane {}: {}", place_of(at), at.opcode,
                               out.who.block, out.who.warp, f.lane, f.text);
    }
  }
  out.warp_steps = g.warp_steps;
  out.lane_steps = g.lane_steps;
  out.blocks_finished = s.finished();
  out.blocks_started = s.started();
  out.notes = g.notes();
  if (out.how != ending::finished && out.how != ending::fault) {
    if (out.how != ending::simt_deadlock) stuck_reader(g, s, out).run();
    out.reason = reason_of(g, s, out);
  }
  out.printed = std::move(g.printed());
  out.counts = std::move(g.all_counts());
}

void merge(run_report& whole, run_report&& part) {
  if (whole.how == ending::finished && part.how != ending::finished) {
    whole.how = part.how;
    whole.reason = std::move(part.reason);
    whole.who = part.who;
    whole.site = part.site;
    whole.stuck = std::move(part.stuck);
  }
  whole.stuck_in_all += part.stuck_in_all;
  whole.warp_steps += part.warp_steps;
  whole.lane_steps += part.lane_steps;
  whole.blocks_finished += part.blocks_finished;
  whole.blocks_started += part.blocks_started;
  whole.printed += part.printed;
  for (std::string& n : part.notes)
    if (std::find(whole.notes.begin(), whole.notes.end(), n) == whole.notes.end())
      whole.notes.push_back(std::move(n));
  if (whole.counts.empty()) {
    whole.counts = std::move(part.counts);
    return;
  }
  for (std::size_t i = 0; i < part.counts.size(); ++i) {
    whole.counts[i].executed += part.counts[i].executed;
    whole.counts[i].lanes += part.counts[i].lanes;
    whole.counts[i].diverged += part.counts[i].diverged;
  }
}

std::string missing_text(const std::vector<unsupported>& missing) {
  std::string out = fmt::format("{} instructions that the machine does not run:", missing.size());
  std::size_t n = 0;
  for (const unsupported& u : missing) {
    if (++n > 20) {
      out += fmt::format("\n  ... and {} more", missing.size() - 20);
      break;
    }
    out += fmt::format("\n  {}: {} ({}): {}", place_of(u.where), u.where.opcode, u.where.function,
                       u.reason);
  }
  return out;
}

}  // namespace ptxlab::machine
