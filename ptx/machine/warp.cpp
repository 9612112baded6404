// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/warp.hpp"

#include <bit>
#include <utility>

#include "ptx/machine/grid.hpp"
#include "ptx/machine/specials.hpp"

namespace ptxlab::machine {

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
      if (!f.repeats.next() || !repeats_itself(f, c)) continue;
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

}  // namespace ptxlab::machine
