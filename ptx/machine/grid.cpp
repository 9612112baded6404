// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/explain.hpp"

namespace ptxlab::machine {
namespace {

unsigned count(lane_mask m) {
  return static_cast<unsigned>(std::popcount(m));
}

}  // namespace

block::block(grid& in, std::uint32_t index, std::shared_ptr<machine::cluster> with)
    : in_(in), index_(index), cluster_(std::move(with)) {
  const launch& l = in.how();
  position_[0] = index % l.grid[0];
  position_[1] = index / l.grid[0] % l.grid[1];
  position_[2] = index / l.grid[0] / l.grid[1];
  rank_ = in.info().turn_of(index) % in.clusters().blocks();
  const std::uint32_t used = in.code().shared_bytes;
  shared_.resize(l.dynamic_shared == 0 ? used : (used + 15) / 16 * 16 + l.dynamic_shared);
  if (l.check_uninitialised) shared_written_.assign(shared_.size() / 64 + 1, 0);
  const std::uint32_t threads = in.threads();
  const std::uint32_t n = (threads + warp_lanes - 1) / warp_lanes;
  warps_.reserve(n);
  for (std::uint32_t w = 0; w < n; ++w) warps_.push_back(nullptr);
  for (std::uint32_t w = 0; w < n; ++w) {
    const std::uint32_t left = threads - w * warp_lanes;
    warps_[w] = std::make_unique<warp>(*this, w, left >= warp_lanes ? all_lanes : (1U << left) - 1);
  }
  running_warps_ = n;
  cluster_->join(*this);
}

block::~block() {
  cluster_->leave(*this);
}

std::uint32_t block::live_threads() const {
  std::uint32_t n = 0;
  for (const auto& w : warps_) n += count(w->live());
  return n;
}

void block::arrive(warp& w, lane_mask who, const arrival& a, std::uint32_t site) {
  if (a.barrier == cluster_barrier) return;  // it has arrived before
  barrier_state& b = barriers_[a.barrier];
  if (!b.in_use) {
    b = {};
    b.in_use = true;
    b.site = site;
  }
  if (a.threads != 0 && b.needed != 0 && a.threads != b.needed)
    throw fault{fault::kind::undefined,
                fmt::format("barrier {} is waited for with {} threads and with {}", a.barrier,
                            b.needed, a.threads),
                0};
  b.needed = std::max(b.needed, a.threads);
  (a.waits ? b.arrived : b.arrived_only).push_back({index_, w.number(), who});
  b.threads += count(who);
  b.votes += count(a.vote);
  b.voters += count(who);
  in_.note_lanes(site, who, w.live());
  complete_if_all_arrived(a.barrier);
}

void block::lanes_ended(warp& w) {
  if (w.finished()) --running_warps_;
  for (std::uint32_t i = 0; i < barriers_.size(); ++i)
    if (barriers_[i].in_use) complete_if_all_arrived(i);
  cluster_->lanes_ended(w);
}

void block::complete_if_all_arrived(std::uint32_t number) {
  barrier_state& b = barriers_[number];
  std::uint32_t needed = b.needed, have = b.threads;
  if (needed == 0) {
    needed = live_threads();
  } else {
    // Hardware counts warps: lanes that a warp does not have, or has no more, count with the
    // others.
    for (const auto& w : warps_) {
      lane_mask here = 0;
      for (const auto* list : {&b.arrived, &b.arrived_only})
        for (const lanes& l : *list)
          if (l.warp == w->number()) here |= l.mask;
      if (here != 0 && (w->live() & ~here) == 0) have += warp_lanes - count(here);
    }
  }
  if (have < needed) return;
  const barrier_state done = b;
  b = {};
  if (in_.watched())
    for (observer* const o : in_.observers())
      o->barrier_completed(done.site, done.arrived, done.arrived_only);
  in_.changed();
  for (const auto& w : warps_)
    for (const fragment& f : w->fragments())
      if (f.is == fragment::state::at_barrier && f.arrival.barrier == number) {
        using reduction = arrival::reduction;
        const std::uint32_t value = f.arrival.reduce == reduction::popc ? done.votes
                                    : f.arrival.reduce == reduction::and_
                                        ? done.votes == done.voters
                                        : done.votes != 0;
        w->pass_barrier(number, value);
        break;
      }
}

bool block::shared_was_written(std::uint32_t offset, std::uint32_t bytes) const {
  for (std::uint32_t i = offset; i < offset + bytes; ++i)
    if ((shared_written_[i / 64] >> i % 64 & 1) == 0) return false;
  return true;
}

void block::mark_shared(std::uint32_t offset, std::uint32_t bytes) {
  for (std::uint32_t i = offset; i < offset + bytes; ++i)
    shared_written_[i / 64] |= std::uint64_t{1} << i % 64;
}

// --- grid
// ------------------------------------------------------------------------------------------

grid::grid(const program& p, memory& m, const texture_table& textures, const launch& l)
    : code_(p), memory_(m), textures_(textures), launch_(l), clusters_(cluster_of(p, l)) {
  info_ = {p.name, {}, {}, p.sites, {}};
  std::copy_n(l.grid, 3, info_.grid);
  std::copy_n(l.block, 3, info_.block);
  std::copy_n(clusters_.extent, 3, info_.cluster);
  if (launch_.count) counts_.resize(p.sites.size());
  std::byte* const at = m.host(parameter_base);
  std::memset(at, 0, parameter_space_bytes);
  if (!l.parameters.empty()) std::memcpy(at, l.parameters.data(), l.parameters.size());
  parameters_ = at;
  if (l.cooperative) {
    workspace_ = m.allocate(256, "workspace of the grid barrier");
    m.fill(workspace_, std::byte{0}, 256);
  }
}

void grid::note_lanes(std::uint32_t site, lane_mask who, lane_mask live) {
  if (who == live || notes_.size() >= 16) return;
  const auto& s = code_.sites[site];
  std::string note = fmt::format("{} at {} with {} of {} lanes of a warp", s.opcode, place_of(s),
                                 count(who), count(live));
  if (std::find(notes_.begin(), notes_.end(), note) == notes_.end())
    notes_.push_back(std::move(note));
}

void grid::tell(const access& a) {
  for (observer* const o : launch_.observers) o->accessed(a);
}

}  // namespace ptxlab::machine
