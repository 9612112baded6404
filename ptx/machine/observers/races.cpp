// SPDX-License-Identifier: Apache-2.0
// What each event of a launch means for the race detector.
#include "ptx/machine/observers/races.hpp"

#include <bit>
#include <limits>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {

void race_detector::begin(const launch_info& launch, const place_names& names) {
  constexpr std::uint32_t most = 1024;  // CUDA C++ Programming Guide, "Compute Capabilities"
  if (launch.threads() == 0 || launch.threads() > most)
    throw error("race detector: a block of " + std::to_string(launch.threads()) +
                " threads; 1 to 1024 are possible");
  launch_ = launch;
  names_ = &names;
  now_ = 0;
  forget();
  tally_.reset();
  uncertain_ = 0;
  complete_ = true;
  report_ = {};
}

bool race_detector::next_event() {
  if (!complete_) return false;
  if (now_ == std::numeric_limits<stamp>::max() || race_clock::live_entries() > entries_) {
    complete_ = false;
    forget();
    return false;
  }
  ++now_;
  return true;
}

void race_detector::forget() {
  global_.clear();
  shared_.clear();
  last_shared_ = nullptr;
  order_.reset(launch_.warps(), launch_.threads());
  log_.reset();
}

shadow_memory& race_detector::memory_of(const access& a) {
  if (a.space == flow::space::global) return global_;
  if (last_shared_ == nullptr || last_block_ != a.who.block) {
    std::unique_ptr<shadow_memory>& m = shared_[a.who.block];
    if (!m) m = std::make_unique<shadow_memory>();
    last_shared_ = m.get();
    last_block_ = a.who.block;
  }
  return *last_shared_;
}

void race_detector::accessed(const access& a) {
  if (a.space != flow::space::global && a.space != flow::space::shared) return;
  if (a.who.mask == 0 || a.bytes == 0) return;
  if (!next_event()) return;
  const access_strength how = strength_of(a);
  if (how.strong) synchronise(a, how);  // first: an acquire orders itself after what it acquires
  check(a, how);
  for (const strong_access& s : strong_) log_.access(s, a.site);
  strong_.clear();
}

// Lanes that read one place together learn the same; writes go one after the other.
void race_detector::synchronise(const access& a, const access_strength& how) {
  lane_mask rest = a.who.mask;
  while (rest != 0) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(rest));
    lane_mask part = lane_mask{1} << lane;
    if (!how.writes) {
      for (lane_mask m = rest; m != 0; m &= m - 1) {
        const auto other = static_cast<std::uint32_t>(std::countr_zero(m));
        if (a.at[other] == a.at[lane]) part |= lane_mask{1} << other;
      }
    }
    rest &= ~part;
    const strong_access s{{a.who.block, a.who.warp, part},
                          how,
                          thread_order::place(a.space, a.who.block, a.at[lane]),
                          a.space == flow::space::shared,
                          now_};
    order_.strong(s);
    strong_.push_back(s);
  }
}

void race_detector::fenced(std::uint32_t site, const lanes& who, flow::order o, flow::scope s) {
  if (!next_event()) return;
  // membar says no order and is fence.sc; fence without one is acq_rel (PTX ISA, "membar/fence").
  if (o == flow::order::weak && site < launch_.sites.size() &&
      launch_.sites[site].opcode.substr(0, 6) == "membar")
    o = flow::order::sc;
  order_.fence(who, o, s, now_);
  log_.fence(site, who, o, s, now_);
}

void race_detector::barrier_completed(std::uint32_t site, std::span<const lanes> arrived,
                                      std::span<const lanes> arrived_only) {
  if (!next_event()) return;
  order_.barrier(arrived, arrived_only, now_);
  log_.barrier(site, arrived, arrived_only, now_);
}

void race_detector::warp_synced(std::uint32_t site, const lanes& who) {
  if (!next_event()) return;
  order_.warp_sync(who, now_);
  log_.warp_sync(site, who, now_);
}

// What a block did stays unordered with the other blocks; only its own memory is gone.
void race_detector::block_ends(std::uint32_t block) {
  order_.block_ends(block);
  shared_.erase(block);
  last_shared_ = nullptr;
}

void race_detector::end() {
  if (names_ == nullptr) return;
  report_.launch = launch_name(launch_);
  report_.races = tally_.races(launch_.sites, *names_);
  report_.uncertain = uncertain_;
  report_.complete = complete_;
  names_ = nullptr;
  launch_ = {};
  forget();
  tally_.reset();
}

}  // namespace ptxlab::machine
