// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/cluster.hpp"

#include <fmt/format.h>

#include <bit>
#include <utility>

#include "ptx/machine/fault.hpp"
#include "ptx/machine/grid.hpp"

namespace ptxlab::machine {
namespace {

std::uint32_t count(lane_mask m) {
  return static_cast<std::uint32_t>(std::popcount(m));
}

}  // namespace

cluster::cluster(grid& in, std::uint32_t number, std::uint32_t blocks)
    : in_(in), number_(number), members_(blocks) {}

void cluster::join(block& b) {
  block_state& s = members_[b.rank()];
  s.is = &b;
  s.index = b.index();
  for (const auto& w : b.warps()) {
    s.warps.push_back({w->live(), 0, 0});
    live_ += count(w->live());
  }
}

void cluster::leave(const block& b) {
  members_[b.rank()].is = nullptr;
}

cluster::warp_state& cluster::state_of(const warp& w) {
  return members_[w.in().rank()].warps[w.number()];
}

void cluster::arrive(warp& w, lane_mask who, bool releases, std::uint32_t site) {
  warp_state& s = state_of(w);
  if (const lane_mask again = who & (s.arrived | s.free); again != 0)
    throw fault{fault::kind::undefined,
                "arrives at the barrier of the cluster again, without a wait in between",
                static_cast<unsigned>(std::countr_zero(again))};
  s.arrived |= who;
  arrived_ += count(who);
  if (in_.watched())
    for (observer* const o : in_.observers())
      o->cluster_arrived({site, {w.in().index(), w.number(), who}, number_, phase_, releases});
  complete_if_all_arrived();
}

lane_mask cluster::pass(warp& w, lane_mask who, std::uint32_t site) {
  warp_state& s = state_of(w);
  if (const lane_mask never = who & ~(s.arrived | s.free); never != 0)
    throw fault{fault::kind::undefined, "waits at the barrier of the cluster without an arrival",
                static_cast<unsigned>(std::countr_zero(never))};
  const lane_mask over = who & s.free;
  s.free &= ~over;
  if (over != 0) tell_passed(site, {w.in().index(), w.number(), over}, phase_ - 1);
  return who & ~over;
}

void cluster::lanes_ended(warp& w) {
  warp_state& s = state_of(w);
  const lane_mask gone = s.live & ~w.live();
  live_ -= count(gone);
  arrived_ -= count(gone & s.arrived);
  s.live &= ~gone;
  s.arrived &= ~gone;
  s.free &= ~gone;
  complete_if_all_arrived();
}

void cluster::complete_if_all_arrived() {
  if (arrived_ == 0 || arrived_ < live_) return;
  const std::uint64_t over = phase_++;
  arrived_ = 0;
  in_.changed();
  for (block_state& b : members_) {
    if (b.is == nullptr) continue;
    for (const auto& w : b.is->warps()) {
      warp_state& s = b.warps[w->number()];
      s.free = std::exchange(s.arrived, 0);
      if (s.free == 0) continue;
      bool waits = false;
      for (const fragment& f : w->fragments()) {
        if (f.is != fragment::state::at_barrier || f.arrival.barrier != cluster_barrier) continue;
        waits = true;
        s.free &= ~f.mask;
        tell_passed(in_.code().steps[f.pc - 1].site, {b.index, w->number(), f.mask}, over);
      }
      if (waits) w->pass_barrier(cluster_barrier, 0);
    }
  }
}

void cluster::tell_passed(std::uint32_t site, const lanes& who, std::uint64_t phase) const {
  if (!in_.watched()) return;
  for (observer* const o : in_.observers()) o->cluster_passed({site, who, number_, phase, true});
}

std::string cluster::arrivals() const {
  std::string out =
      fmt::format("{} of the {} threads of cluster {} have arrived", arrived_, live_, number_);
  for (const block_state& b : members_) {
    lane_mask live = 0, arrived = 0;
    for (const warp_state& s : b.warps) {
      live |= s.live;
      arrived |= s.arrived;
    }
    if (live != 0 && arrived == 0) out += fmt::format(", none of block {}", b.index);
  }
  return out;
}

}  // namespace ptxlab::machine
