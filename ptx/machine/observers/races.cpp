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
  order_.reset(launch_.warps(), launch_.threads(), launch_);
  log_.reset();
}

shadow_memory& race_detector::memory_of(const access& a) {
  if (a.space == flow::space::global) return global_;
  const std::uint32_t owner = a.holder();
  if (last_shared_ == nullptr || last_block_ != owner) {
    std::unique_ptr<shadow_memory>& m = shared_[owner];
    if (!m) m = std::make_unique<shadow_memory>();
    last_shared_ = m.get();
    last_block_ = owner;
  }
  return *last_shared_;
}

namespace {

/// Of how many scalar accesses a vector one is made (PTX ISA, "Vector Data-types" of the memory
/// model): ".v4" in the opcode.
std::uint32_t elements_of(std::string_view opcode) {
  for (const auto& [suffix, n] : {std::pair{".v2", 2U}, {".v4", 4U}, {".v8", 8U}})
    if (opcode.find(suffix) != std::string_view::npos) return n;
  return 1;
}

}  // namespace

void race_detector::accessed(const access& a) {
  if (a.space != flow::space::global && a.space != flow::space::shared) return;
  if (a.who.mask == 0 || a.bytes == 0) return;
  if ((a.failed & a.who.mask) == 0) return look(a);
  // Lanes take turns: those in a row that succeeded, or did not, are one access.
  for (lane_mask rest = a.who.mask; rest != 0;) {
    const bool failed = (a.failed >> std::countr_zero(rest) & 1) != 0;
    const lane_mask others = rest & (failed ? ~a.failed : a.failed);
    access part = a;
    part.who.mask = others == 0 ? rest : rest & ((others & -others) - 1);
    rest &= ~part.who.mask;
    if (failed && a.what == flow::kind::load) part.ordering = flow::order::relaxed;
    if (failed && part.ordering == flow::order::weak) part.ordering = flow::order::relaxed;
    if (failed) part.what = flow::kind::load;
    look(part);
  }
}

void race_detector::look(const access& a) {
  if (!next_event()) return;
  order_.acts(a.who);
  const access_strength how = strength_of(a, launch_.cluster_blocks() > 1);
  if (how.strong) synchronise(a, how);  // first: an acquire orders itself after what it acquires
  check(a, how);
  for (strong_access s : strong_) {
    s.how.wide = s.how.wide || s.how.cluster;
    log_.access(s, a.site);
  }
  strong_.clear();
  if (how.by_copy) order_.copies_began(a.who, now_);
}

// Lanes that read one place together learn the same; writes go one after the other.
void race_detector::synchronise(const access& a, const access_strength& how) {
  const std::uint32_t elements =
      a.site < launch_.sites.size() ? elements_of(launch_.sites[a.site].opcode) : 1;
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
    for (std::uint32_t e = 0; e < elements; ++e) {
      const strong_access s{
          {a.who.block, a.who.warp, part},
          how,
          thread_order::place(a.space, a.holder(), a.at[lane] + e * (a.bytes / elements)),
          a.space == flow::space::shared,
          now_,
          a.by_copy};
      order_.strong(s);
      strong_.push_back(s);
    }
  }
}

void race_detector::fenced(std::uint32_t site, const lanes& who, flow::order o, flow::scope s) {
  if (!next_event()) return;
  // membar says no order and is fence.sc; fence without one is acq_rel (PTX ISA, "membar/fence").
  if (o == flow::order::weak && site < launch_.sites.size() &&
      launch_.sites[site].opcode.substr(0, 6) == "membar")
    o = flow::order::sc;
  order_.fence(who, o, s, now_);
  // Where there are clusters, a fence of their scope counts as one of the GPU's.
  const bool widened = s == flow::scope::cluster && launch_.cluster_blocks() > 1;
  log_.fence(site, who, o, widened ? flow::scope::gpu : s, now_);
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

void race_detector::copies_committed(std::uint32_t /*site*/, const lanes& who) {
  if (next_event()) order_.copies_committed(who, now_);
}

void race_detector::copies_awaited(std::uint32_t /*site*/, const lanes& who, std::uint32_t left) {
  if (next_event()) order_.copies_awaited(who, left, now_);
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
