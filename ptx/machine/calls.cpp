// SPDX-License-Identifier: Apache-2.0
// Activations of routines: calls, what they hand over, and returns.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "ptx/machine/fault.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::uint32_t deepest_call = 4096;
/// What the activations of one lane may hold in local memory.
constexpr std::uint32_t local_limit = 512 << 10;

}  // namespace

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

}  // namespace ptxlab::machine
