// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/warp.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/specials.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::uint32_t deepest_call = 4096;
/// What the activations of one lane may hold in local memory.
constexpr std::uint32_t local_limit = 512 << 10;

}  // namespace

warp::warp(block& in, std::uint32_t number, lane_mask lanes)
    : in_(in), code_(&in.in().code()), number_(number), live_(lanes), born_(lanes) {
  frame first;
  first.lanes = lanes;
  frames_.push_back(first);
  make_room(first);
  fragment f;
  f.mask = lanes;
  fragments_.push_back(f);
  fill_specials();
}

void warp::fill_specials() {
  specials_.resize(code_->warp_slots);
  for (const auto& [name, at] : code_->specials)
    special_named(name)->fill(*this, bytes_at(specials_, at & 0x3fffffff));
}

void warp::expand(lane_mask mask) {
  for (unsigned i = 0; i < warp_lanes; ++i) on_[i] = (mask & 1U << i) != 0 ? all_lanes : 0;
  expanded_ = mask;
}

void warp::make_room(const frame& f) {
  const routine& r = code_->routines[f.routine];
  const std::size_t slots = f.window + r.slots;
  if (windows_.size() < slots) windows_.resize(slots);
  const std::uint32_t bytes = f.local + r.local_bytes;
  if (bytes > local_limit)
    throw fault{fault::kind::stack,
                fmt::format("stack overflow: {} needs more than {} bytes of local memory", r.name,
                            local_limit),
                0};
  if (bytes <= local_bytes_) return;
  // Lane after lane: what is there moves to its place in the wider layout.
  const std::uint32_t wider = std::max(bytes, 2 * local_bytes_);
  std::vector<std::byte> moved(std::size_t{wider} * warp_lanes);
  for (unsigned i = 0; i < warp_lanes; ++i)
    if (local_bytes_ != 0)
      std::memcpy(moved.data() + std::size_t{i} * wider, local_memory(i), local_bytes_);
  local_ = std::move(moved);
  local_bytes_ = wider;
}

std::uint32_t warp::meeting_point(const fragment& f) const {
  if (f.join == no_index || joins_[f.join].frame != f.frame) return no_index - 1;
  return joins_[f.join].pc;
}

context warp::context_of(const fragment& f) {
  context c;
  c.banks[0] = bytes_at(windows_, frames_[f.frame].window);
  c.banks[1] = const_cast<std::byte*>(code_->constants.data());
  c.banks[2] = bytes_at(specials_, 0);
  c.on = on_;
  c.whole = f.mask;
  c.mask = f.mask;
  c.carry = carry_;
  c.pc = f.pc;
  c.in = this;
  return c;
}

std::uint64_t warp::run(std::size_t index, std::uint64_t most, bool carefully) {
  running_ = static_cast<std::uint32_t>(index);
  context c = context_of(fragments_[index]);
  std::uint32_t meet = meeting_point(fragments_[index]);
  const step* const steps = code_->steps.data();
  site_counts* const counts = in_.in().counts();
  std::uint64_t n = 0, lane_steps = 0;
  for (;;) {
    if (c.pc == meet) {
      if (!arrive(running_, fragments_[running_].join)) break;
      fragment& f = fragments_[running_];
      c = context_of(f);
      meet = meeting_point(f);
      continue;
    }
    if (n == most) break;
    const step& s = steps[c.pc];
    if (carefully && s.publishes && n != 0) break;
    c.mask = c.whole;
    if (s.guard != no_slot) {
      const lane_mask p = c.predicate(s.guard);
      c.mask &= s.guard_negated ? ~p : p;
    }
    if (counts != nullptr && s.counts) {
      ++counts[s.site].executed;
      counts[s.site].lanes += static_cast<unsigned>(std::popcount(c.mask));
    }
    lane_steps += c.mask == all_lanes ? warp_lanes : static_cast<unsigned>(std::popcount(c.mask));
    ++c.pc;
    now_ = ++n;
    site_ = s.site;
    if (c.mask == 0) continue;
    if (c.mask != all_lanes && c.mask != expanded_) expand(c.mask);
    s.run(s, c);
    if (c.asks == request::none) continue;
    fragment& f = fragments_[running_];
    if (c.asks == request::back) {
      c.asks = request::none;
      if (!repeats_itself(f, c)) continue;
      f.is = fragment::state::spinning;
      f.seen_version = in_.in().version();
      f.pc = c.pc;
      break;
    }
    f.pc = c.pc;
    carry_ = c.carry;
    handle(c);
    if (running_ == no_index || fragments_[running_].is != fragment::state::ready) break;
    c = context_of(fragments_[running_]);
    meet = meeting_point(fragments_[running_]);
  }
  if (running_ != no_index) {
    if (fragments_[running_].is == fragment::state::ready) fragments_[running_].pc = c.pc;
    carry_ = c.carry;
  }
  std::erase_if(fragments_, [](const fragment& f) { return f.mask == 0; });
  steps_ += n;
  in_.in().lane_steps += lane_steps;
  return n;
}

void warp::handle(context& c) {
  const request asked = std::exchange(c.asks, request::none);
  fragment& f = fragments_[running_];
  switch (asked) {
    case request::diverge:
      return diverge(c);
    case request::call:
      return enter(c);
    case request::leave:
      return leave(c);
    case request::finish: {
      const lane_mask over = c.mask;
      f.mask &= ~over;
      if (f.mask == 0) running_ = no_index;
      return finish(over);
    }
    case request::wait_block: {
      // Lanes that the guard held back go on alone.
      if (c.mask != f.mask) {
        fragment rest = f;
        rest.mask = f.mask & ~c.mask;
        f.mask = c.mask;
        const std::uint32_t meet = rest.pc;
        if (meeting_point(f) != meet) {
          f.join = rest.join = new_join({meet, f.frame, f.join, f.mask | rest.mask, 0, 0, true});
        }
        fragments_.push_back(rest);
      }
      fragment& now = fragments_[running_];
      if (c.arrival.waits) {
        now.is = fragment::state::at_barrier;
        now.arrival = c.arrival;
      }
      return in_.arrive(*this, now.mask, c.arrival, code_->steps[c.pc - 1].site);
    }
    case request::wait_lanes:
      return wait_for_lanes(c);
    case request::yield:
    case request::back:
    case request::none:
      break;
  }
}

// --- parting and meeting -------------------------------------------------------------------------

std::uint32_t warp::new_join(const join& j) {
  for (std::uint32_t i = 0; i < joins_.size(); ++i)
    if (!joins_[i].used) {
      joins_[i] = j;
      return i;
    }
  joins_.push_back(j);
  return static_cast<std::uint32_t>(joins_.size() - 1);
}

std::uint32_t warp::new_frame(const frame& f) {
  if (!free_frames_.empty()) {
    const std::uint32_t i = free_frames_.back();
    free_frames_.pop_back();
    frames_[i] = f;
    return i;
  }
  frames_.push_back(f);
  return static_cast<std::uint32_t>(frames_.size() - 1);
}

void warp::diverge(context& c) {
  if (site_counts* const counts = in_.in().counts(); counts != nullptr)
    ++counts[code_->steps[c.target == c.pc ? c.pc : c.pc - 1].site].diverged;
  fragment& f = fragments_[running_];
  const bool same =
      f.join != no_index && joins_[f.join].frame == f.frame && joins_[f.join].pc == c.meet;
  if (!same) f.join = new_join({c.meet, f.frame, f.join, f.mask, 0, 0, true});
  fragment other = f;
  other.mask = c.taken;
  other.pc = c.target;
  other.repeats = {};
  f.mask &= ~c.taken;
  f.pc = c.pc;
  f.repeats = {};
  // Who has something to do before they meet goes first.
  if (f.pc == c.meet) std::swap(f, other);
  fragments_.push_back(other);
}

/// The running fragment has come to its join. Returns whether all have: then it holds them all.
bool warp::arrive(std::size_t index, std::uint32_t j) {
  fragment& f = fragments_[index];
  joins_[j].arrived |= f.mask;
  joins_[j].since = steps_;
  f.pc = joins_[j].pc;
  if (joins_[j].arrived != joins_[j].expected) {
    f.is = fragment::state::parked;
    return false;
  }
  complete(j, joins_[j].expected, static_cast<std::uint32_t>(index));
  return true;
}

/// Ends a join for `lanes`: what is parked there becomes the one fragment `keep`.
void warp::complete(std::uint32_t j, lane_mask lanes, std::uint32_t keep) {
  for (std::uint32_t i = 0; i < fragments_.size(); ++i) {
    fragment& g = fragments_[i];
    if (i != keep && g.join == j && g.is == fragment::state::parked) g.mask = 0;
  }
  fragment& f = fragments_[keep];
  f.mask = lanes;
  f.is = fragment::state::ready;
  f.repeats = {};
  const join done = joins_[j];
  joins_[j].expected &= ~lanes;
  joins_[j].arrived &= ~lanes;
  joins_[j].used = joins_[j].expected != 0;
  if (done.pc == program::at_return) {
    do_return(f, done.parent);
  } else {
    f.pc = done.pc;
    f.join = done.parent;
  }
}

bool warp::settle_joins() {
  bool any = false;
  for (std::uint32_t j = 0; j < joins_.size(); ++j) {
    if (!joins_[j].used || joins_[j].arrived != joins_[j].expected) continue;
    if (joins_[j].expected == 0) {
      // Nobody comes any more. Fragments that passed through it know it as their parent's.
      joins_[j].used = false;
      continue;
    }
    for (std::uint32_t i = 0; i < fragments_.size(); ++i)
      if (fragments_[i].join == j && fragments_[i].is == fragment::state::parked &&
          fragments_[i].mask != 0) {
        complete(j, joins_[j].expected, i);
        any = true;
        break;
      }
  }
  return any;
}

bool warp::give_up_join(bool missing_must_wait) {
  for (std::uint32_t j = static_cast<std::uint32_t>(joins_.size()); j-- > 0;) {
    join& here = joins_[j];
    if (!here.used || here.arrived == 0 || here.arrived == here.expected) continue;
    const lane_mask missing = here.expected & ~here.arrived;
    bool stuck = true;
    for (const fragment& f : fragments_)
      if ((f.mask & missing) != 0 && f.is == fragment::state::ready) stuck = false;
    if (missing_must_wait && !stuck) continue;
    for (std::uint32_t i = 0; i < fragments_.size(); ++i)
      if (fragments_[i].join == j && fragments_[i].is == fragment::state::parked &&
          fragments_[i].mask != 0) {
        complete(j, here.arrived, i);
        std::erase_if(fragments_, [](const fragment& f) { return f.mask == 0; });
        return true;
      }
  }
  return false;
}

void warp::finish(lane_mask lanes) {
  live_ &= ~lanes;
  for (join& j : joins_)
    if (j.used) j.expected &= ~lanes;
  for (frame& f : frames_) f.lanes &= ~lanes;
  settle_joins();
  in_.lanes_ended(*this);
}

// --- calls ---------------------------------------------------------------------------------------

void warp::enter(context& c) {
  fragment& f = fragments_[running_];
  const lane_mask going = c.taken, waiting = c.mask & ~c.taken, passing = f.mask & ~c.mask;
  const std::uint32_t next = c.pc;
  if (going != f.mask) {
    const bool same =
        f.join != no_index && joins_[f.join].frame == f.frame && joins_[f.join].pc == next;
    if (!same) f.join = new_join({next, f.frame, f.join, f.mask, 0, 0, true});
    fragment other = f;
    other.repeats = {};
    f.mask = going;
    if (waiting != 0) {  // other targets of the same call
      other.mask = waiting;
      other.pc = next - 1;
      fragments_.push_back(other);
    }
    if (passing != 0) {
      other.mask = passing;
      other.pc = next;
      fragments_.push_back(other);
    }
  }
  fragment& caller = fragments_[running_];
  const frame from = frames_[caller.frame];
  const routine& r = code_->routines[from.routine];
  frame to;
  to.parent = caller.frame;
  to.return_pc = next;
  to.routine = c.target;
  to.call = c.meet;
  to.window = from.window + r.slots;
  to.local = from.local + r.local_bytes;
  to.lanes = going;
  to.depth = from.depth + 1;
  if (to.depth > deepest_call)
    throw fault{fault::kind::stack, fmt::format("stack overflow: {} calls deep", to.depth), 0};
  const std::uint32_t number = new_frame(to);
  make_room(to);
  const routine& callee = code_->routines[to.routine];
  const call_site& call = code_->calls[to.call];
  if (call.actuals.size() != callee.formals.size())
    throw fault{fault::kind::undefined,
                fmt::format("{} is called with {} parameters, it has {}", callee.name,
                            call.actuals.size(), callee.formals.size()),
                0};
  std::byte* const out = bytes_at(windows_, from.window + r.param_at);
  std::byte* const in = bytes_at(windows_, to.window + callee.param_at);
  for (std::size_t k = 0; k < callee.formals.size(); ++k)
    for (unsigned i = 0; i < warp_lanes; ++i)
      if ((going >> i & 1) != 0)
        std::memcpy(in + std::size_t{i} * callee.param_bytes + callee.formals[k].offset,
                    out + std::size_t{i} * r.param_bytes + call.actuals[k].offset,
                    std::min(callee.formals[k].bytes, call.actuals[k].bytes));
  caller.frame = number;
  caller.pc = callee.first_step;
}

void warp::leave(context& c) {
  const lane_mask going = c.mask;
  fragment& f = fragments_[running_];
  const std::uint32_t here = f.frame;
  if (frames_[here].parent == no_index) {
    f.mask &= ~going;
    if (f.mask == 0) running_ = no_index;
    return finish(going);
  }
  // They do not come to the places inside of the activation where others wait for them.
  std::uint32_t j = f.join;
  while (j != no_index && joins_[j].frame == here && joins_[j].pc != program::at_return) {
    joins_[j].expected &= ~going;
    j = joins_[j].parent;
  }
  const bool has_join = j != no_index && joins_[j].frame == here;
  if (!has_join && going != f.mask) {
    const std::uint32_t outer = j;
    j = new_join({program::at_return, here, outer, frames_[here].lanes, 0, 0, true});
    // Joins inside of the activation now end in it.
    for (std::uint32_t i = 0; i < joins_.size(); ++i)
      if (i != j && joins_[i].used && joins_[i].frame == here && joins_[i].parent == outer)
        joins_[i].parent = j;
    for (fragment& g : fragments_)
      if (g.frame == here && g.join == outer) g.join = j;
  }
  fragment leaving = f;
  leaving.mask = going;
  leaving.repeats = {};
  f.mask &= ~going;
  if (j == no_index || joins_[j].frame != here) {
    do_return(leaving, j);
    if (f.mask == 0) {
      f = leaving;
    } else {
      fragments_.push_back(leaving);
    }
    settle_joins();
    return;
  }
  leaving.join = j;
  leaving.is = fragment::state::parked;
  joins_[j].arrived |= going;
  joins_[j].since = steps_;
  const bool all_gone = f.mask == 0;
  if (all_gone) {
    f = leaving;
  } else {
    fragments_.push_back(leaving);
  }
  settle_joins();
}

/// The lanes of `f` go back to the caller, with what the routine returns.
void warp::do_return(fragment& f, std::uint32_t outer_join) {
  const frame done = frames_[f.frame];
  frames_[f.frame].lanes &= ~f.mask;
  if (frames_[f.frame].lanes == 0) free_frames_.push_back(f.frame);
  const frame& to = frames_[done.parent];
  const routine& callee = code_->routines[done.routine];
  const routine& r = code_->routines[to.routine];
  const call_site& call = code_->calls[done.call];
  std::byte* const out = bytes_at(windows_, to.window + r.param_at);
  const std::byte* const in = bytes_at(windows_, done.window + callee.param_at);
  for (std::size_t k = 0; k < std::min(callee.results.size(), call.results.size()); ++k)
    for (unsigned i = 0; i < warp_lanes; ++i)
      if ((f.mask >> i & 1) != 0)
        std::memcpy(out + std::size_t{i} * r.param_bytes + call.results[k].offset,
                    in + std::size_t{i} * callee.param_bytes + callee.results[k].offset,
                    std::min(callee.results[k].bytes, call.results[k].bytes));
  f.frame = done.parent;
  f.pc = done.return_pc;
  f.join = outer_join;
}

// --- waiting -------------------------------------------------------------------------------------

void warp::wait_for_lanes(context& c) {
  fragment& f = fragments_[running_];
  if (c.mask != f.mask) {  // the guard held some back
    fragment rest = f;
    rest.mask = f.mask & ~c.mask;
    rest.pc = c.pc;
    rest.repeats = {};
    if (meeting_point(f) != c.pc)
      f.join = rest.join = new_join({c.pc, f.frame, f.join, f.mask, 0, 0, true});
    f.mask = c.mask;
    fragments_.push_back(rest);
  }
  fragment& now = fragments_[running_];
  now.is = fragment::state::at_lanes;
  now.members = c.members;
  now.pc = c.pc - 1;
}

bool warp::settle_lanes() {
  for (std::size_t i = 0; i < fragments_.size(); ++i) {
    const fragment f = fragments_[i];
    if (f.is != fragment::state::at_lanes || f.mask == 0) continue;
    const bool meets_anywhere = code_->steps[f.pc].aux == meets_anywhere_mark;
    const auto with = [&](const fragment& g) {
      return g.is == fragment::state::at_lanes && g.mask != 0 && g.members == f.members &&
             (g.pc == f.pc ? g.frame == f.frame
                           : meets_anywhere && code_->steps[g.pc].aux == meets_anywhere_mark);
    };
    lane_mask here = 0;
    for (const fragment& g : fragments_)
      if (with(g)) here |= g.mask;
    if ((f.members & live_ & ~here) != 0) continue;
    context c = context_of(f);
    c.whole = c.mask = here;
    c.met = true;
    c.pc = f.pc + 1;
    if (here != all_lanes && here != expanded_) expand(here);
    const step& s = code_->steps[f.pc];
    running_ = static_cast<std::uint32_t>(i);
    site_ = s.site;
    s.run(s, c);
    for (fragment& g : fragments_)
      if (with(g) && &g != &fragments_[i]) {
        ++g.pc;
        g.is = fragment::state::ready;
      }
    ++fragments_[i].pc;
    fragments_[i].is = fragment::state::ready;
    return true;
  }
  return false;
}

bool warp::settle() {
  bool any = false;
  for (fragment& f : fragments_) {
    if (f.is == fragment::state::spinning && f.seen_version != in_.in().version()) {
      f.is = fragment::state::ready;
      f.repeats = {};
    }
    any = any || f.is == fragment::state::ready;
  }
  if (any) return true;
  any = settle_joins();
  std::erase_if(fragments_, [](const fragment& f) { return f.mask == 0; });
  return settle_lanes() || any;
}

void warp::pass_barrier(std::uint32_t barrier, std::uint32_t value) {
  for (fragment& f : fragments_) {
    if (f.is != fragment::state::at_barrier || f.arrival.barrier != barrier) continue;
    f.is = fragment::state::ready;
    if (f.arrival.result == no_slot) continue;
    const context c = context_of(f);
    if (f.arrival.reduce == arrival::reduction::popc) {
      for (unsigned i = 0; i < warp_lanes; ++i)
        if ((f.mask >> i & 1) != 0) c.at<std::uint32_t>(f.arrival.result)[i] = value;
    } else {
      lane_mask& p = c.predicate(f.arrival.result);
      p = value != 0 ? p | f.mask : p & ~f.mask;
    }
  }
}

round_trip warp::go_round(std::size_t index) {
  round_trip out;
  fragment f = fragments_[index];
  running_ = static_cast<std::uint32_t>(index);
  context c = context_of(f);
  constexpr unsigned longest = 100'000;
  for (unsigned n = 0; n < longest; ++n) {
    const step& s = code_->steps[c.pc];
    c.mask = c.whole;
    if (s.guard != no_slot) {
      const lane_mask p = c.predicate(s.guard);
      c.mask &= s.guard_negated ? ~p : p;
    }
    ++c.pc;
    if (c.mask == 0) continue;
    if (c.mask != all_lanes && c.mask != expanded_) expand(c.mask);
    site_ = s.site;
    s.run(s, c);
    const std::string_view opcode = code_->sites[s.site].opcode;
    if (opcode.starts_with("setp.") && s.counts) {
      const auto lane = static_cast<unsigned>(__builtin_ctz(c.mask));
      const bool wide = opcode.ends_with("64"), half = opcode.ends_with("16");
      const auto value = [&](slot at) -> std::string {
        if (at == no_slot) return "?";
        if (opcode.ends_with("f32")) return fmt::format("{}", c.at<float>(at)[lane]);
        if (opcode.ends_with("f64")) return fmt::format("{}", c.at<double>(at)[lane]);
        return fmt::format("{}", wide   ? c.at<std::uint64_t>(at)[lane]
                                 : half ? c.at<std::uint16_t>(at)[lane]
                                        : c.at<std::uint32_t>(at)[lane]);
      };
      out.condition = fmt::format("{} {}, {}", opcode, value(s.a), value(s.b));
    }
    if (c.asks == request::yield) c.asks = request::none;  // it sleeps while it polls
    if (c.asks != request::none) break;
  }
  return out;
}

// --- repetition ----------------------------------------------------------------------------------

std::uint64_t warp::register_hash(const context& c) const {
  constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;
  std::uint64_t h = c.pc + odd * c.whole + touched_ + c.carry;
  const auto* words = reinterpret_cast<const std::uint64_t*>(windows_.data());
  const frame& f = frames_[fragments_[running_].frame];
  const std::size_t n = (f.window + code_->routines[f.routine].slots) * std::size_t{slot_bytes / 8};
  std::uint64_t g = odd;
  for (std::size_t i = 0; i + 1 < n; i += 2) {
    h = (h ^ words[i]) * odd;
    g = (g ^ words[i + 1]) * odd;
    h ^= h >> 29;
    g ^= g >> 31;
  }
  return h ^ std::rotl(g, 17);
}

bool warp::repeats_itself(fragment& f, const context& c) {
  repetition& r = f.repeats;
  const std::uint64_t version = in_.in().version();
  ++r.rounds;
  if (r.looks_left != 0) {
    --r.looks_left;
    if (r.version == version && r.hash == register_hash(c)) return true;
    if (r.version != version) r.looks_left = 0;
  } else if (r.rounds >= r.look_at) {
    r.look_at *= 2;
    r.version = version;
    r.hash = register_hash(c);
    r.looks_left = 16;
  }
  return false;
}

}  // namespace ptxlab::machine
