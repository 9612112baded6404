// SPDX-License-Identifier: Apache-2.0
// Where lanes of a warp part and meet again: joins, and instructions that lanes execute together.
#include <algorithm>
#include <utility>

#include "ptx/machine/grid.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {

// --- joins --------------------------------------------------------------------------------------

std::uint32_t warp::new_join(const join& j) {
  for (std::uint32_t i = 0; i < joins_.size(); ++i)
    if (!joins_[i].used) {
      joins_[i] = j;
      return i;
    }
  joins_.push_back(j);
  return static_cast<std::uint32_t>(joins_.size() - 1);
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

// --- instructions of several lanes --------------------------------------------------------------

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

}  // namespace ptxlab::machine
