// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

/// Steps of a warp before the next one of its block runs, and of a block before the next block.
constexpr std::uint64_t warp_slice = 512, block_slice = 1 << 16;
/// A block that has run so long while others wait for room to start may be waiting for them.
constexpr std::uint64_t patience = 1 << 20;
/// A join is given up when its missing lanes have run so long without coming.
constexpr std::uint64_t join_patience = 1 << 16;

/// Leaves those who are not about to publish, if there are any.
void hold_back_writers(std::vector<warp*>& ready) {
  const auto publishes = [](const warp* w) {
    return std::all_of(w->fragments().begin(), w->fragments().end(), [&](const fragment& f) {
      return f.is != fragment::state::ready || w->about_to_publish(f);
    });
  };
  if (!std::all_of(ready.begin(), ready.end(), publishes)) std::erase_if(ready, publishes);
}

bool any_ready(const warp& w) {
  return std::any_of(w.fragments().begin(), w.fragments().end(), [](const fragment& f) {
    return f.is == fragment::state::ready && f.mask != 0;
  });
}

}  // namespace

scheduler::scheduler(grid& g, std::uint32_t first, std::uint32_t end)
    : g_(g),
      first_(first),
      end_(end),
      next_(first),
      limit_(g.how().resident.blocks == 0 ? end - first : g.how().resident.blocks),
      random_(g.how().seed),
      began_(std::chrono::steady_clock::now()) {}

bool scheduler::room() const {
  return next_ < end_ && resident_.size() + g_.clusters().blocks() <= limit_;
}

bool scheduler::start_one() {
  if (!room()) return false;
  const std::uint32_t blocks = g_.clusters().blocks();
  const auto together = std::make_shared<cluster>(g_, next_ / blocks, blocks);
  for (std::uint32_t rank = 0; rank < blocks; ++rank) {
    const std::uint32_t index = g_.info().block_at(next_++);
    if (g_.watched())
      for (observer* const o : g_.observers()) o->block_begins(index);
    resident_.push_back(std::make_unique<block>(g_, index, together));
  }
  return true;
}

void scheduler::retire(std::size_t i) {
  if (g_.watched())
    for (observer* const o : g_.observers()) o->block_ends(resident_[i]->index());
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(i));
  ++finished_;
}

bool scheduler::over_budget() {
  if (g_.warp_steps >= g_.how().step_budget) {
    why_ = ending::step_budget;
    return true;
  }
  if (g_.how().seconds > 0 &&
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count() >
          g_.how().seconds) {
    why_ = ending::time_budget;
    return true;
  }
  return false;
}

std::uint64_t scheduler::run_warp(warp& w, std::uint64_t most) {
  std::uint64_t ran = 0;
  const auto& fragments = w.fragments();
  for (std::size_t i = 0; i < fragments.size() && ran < most;) {
    if (fragments[i].is != fragment::state::ready || fragments[i].mask == 0) {
      ++i;
      continue;
    }
    const std::size_t before = fragments.size();
    const std::uint64_t n = run_fragment(w, i, most, false);
    ran += n;
    // Who parted stands behind; who met is gone.
    if (fragments.size() <= before) ++i;
    if (n == 0) break;
  }
  return ran;
}

std::uint64_t scheduler::run_fragment(warp& w, std::size_t fragment, std::uint64_t most,
                                      bool carefully) {
  const lane_mask lanes = w.fragments()[fragment].mask;
  current_ = &w;
  std::uint64_t n = 0;
  try {
    n = w.run(fragment, most, carefully);
  } catch (const fault&) {
    g_.warp_steps += w.steps_now();
    throw;
  }
  g_.warp_steps += n;
  g_.advance(n);
  if (auto* const turns = g_.how().record) turns->push_back({w.in().index(), w.number(), lanes, n});
  return n;
}

bool scheduler::give_up(warp& w, bool missing_must_wait) {
  if (!w.give_up_join(missing_must_wait)) return false;
  if (auto* const turns = g_.how().record)
    turns->push_back({w.in().index(), w.number(), 0, missing_must_wait ? 1U : 0U});
  return true;
}

std::uint64_t scheduler::run_block(block& b, std::uint64_t most) {
  std::uint64_t ran = 0;
  while (ran < most && !b.finished()) {
    std::uint64_t round = 0;
    for (auto& w : b.warps()) {
      if (w->finished() || (!any_ready(*w) && !w->settle())) continue;
      round += run_warp(*w, warp_slice);
      if (g_.how().by == policy::its)
        for (const join& j : w->joins())
          if (j.used && j.arrived != 0 && w->steps() - j.since > join_patience) {
            give_up(*w, false);
            break;
          }
    }
    ran += round;
    if (round == 0) {
      bool settled = false;
      for (auto& w : b.warps()) settled = (!w->finished() && w->settle()) || settled;
      if (!settled) break;
    }
  }
  return ran;
}

ending scheduler::run() {
  if (g_.how().by == policy::trace) return run_as_recorded();
  const bool drawn = g_.how().by == policy::random || g_.how().by == policy::adversarial;
  return drawn ? run_at_random() : run_in_turn();
}

ending scheduler::go_on_with_independent_threads() {
  independent_ = true;
  return run_in_turn();
}

/// Blocks in turn. The next one starts only when those that run cannot get on alone, or have run
/// for long: most grids then never hold more than one.
ending scheduler::run_in_turn() {
  std::uint64_t since_start = 0;
  for (;;) {
    if (resident_.empty() && !start_one()) return ending::finished;
    std::uint64_t ran = 0;
    const std::uint32_t before = finished_;
    for (std::size_t i = 0; i < resident_.size();) {
      ran += run_block(*resident_[i], block_slice);
      if (over_budget()) return why_;
      if (resident_[i]->finished())
        retire(i);
      else
        ++i;
    }
    if (finished_ != before) {
      since_start = 0;
      continue;
    }
    since_start += ran;
    if (ran == 0 || since_start > patience * resident_.size()) {
      since_start = 0;
      if (start_one()) continue;
    }
    if (ran == 0 && !loosen()) return classify();
  }
}

/// Everyone resident, a warp drawn at each turn.
ending scheduler::run_at_random() {
  for (;;) {
    while (start_one()) {
    }
    if (resident_.empty()) return ending::finished;
    std::vector<warp*> ready;
    for (auto& b : resident_)
      for (auto& w : b->warps())
        if (!w->finished() && (any_ready(*w) || w->settle())) ready.push_back(w.get());
    if (g_.how().by == policy::adversarial) hold_back_writers(ready);
    if (ready.empty()) {
      if (!loosen()) return classify();
      continue;
    }
    // Many turns for each look at who is ready, so that looking does not take the time.
    const std::size_t turns = ready.size();
    for (std::size_t k = 0; k < turns; ++k) {
      warp* const w = ready[random_() % ready.size()];
      if (w->finished() || !any_ready(*w)) continue;
      run_fragment(*w, draw(*w), 1 + random_() % 32, g_.how().by == policy::adversarial);
    }
    for (std::size_t i = resident_.size(); i-- > 0;)
      if (resident_[i]->finished()) retire(i);
    if (over_budget()) return why_;
  }
}

/// A ready fragment of the warp.
std::size_t scheduler::draw(const warp& w) {
  std::vector<std::size_t> choices;
  for (std::size_t f = 0; f < w.fragments().size(); ++f)
    if (w.fragments()[f].is == fragment::state::ready) choices.push_back(f);
  return choices[random_() % choices.size()];
}

/// The turns of an earlier run.
ending scheduler::run_as_recorded() {
  std::size_t line = 0;
  for (const turn& t : g_.how().trace) {
    ++line;
    while (t.block < g_.blocks() && next_ <= g_.info().turn_of(t.block) && start_one()) {
    }
    warp* w = nullptr;
    for (auto& b : resident_)
      if (b->index() == t.block && t.warp < b->warps().size()) w = b->warps()[t.warp].get();
    const auto fits = [&](const fragment& f) {
      return f.mask == t.lanes && f.is == fragment::state::ready;
    };
    std::size_t i = 0;
    bool found = false;
    for (int tries = 0; w != nullptr && t.lanes != 0 && tries < 4 && !found; ++tries) {
      for (i = 0; i < w->fragments().size() && !found; i += found ? 0 : 1)
        found = fits(w->fragments()[i]);
      if (!found) w->settle();
    }
    if (w != nullptr && t.lanes == 0) w->settle();
    const bool done = w != nullptr && (t.lanes == 0 ? w->give_up_join(t.steps != 0) : found);
    if (!done)
      throw error(fmt::format("turn {} of the trace does not fit: block {} warp {} lanes {:#x}",
                              line, t.block, t.warp, t.lanes));
    if (t.lanes != 0) run_fragment(*w, i, t.steps, false);
    for (std::size_t k = resident_.size(); k-- > 0;)
      if (resident_[k]->finished()) retire(k);
    if (over_budget()) return why_;
  }
  if (resident_.empty() && next_ == end_) return ending::finished;
  for (auto& b : resident_)
    for (auto& w : b->warps())
      if (!w->finished() && (any_ready(*w) || w->settle()))
        throw error(fmt::format("the trace ends after {} turns, before the launch does", line));
  return classify();
}

/// Nobody can run: lanes that wait at a meeting point for lanes that wait themselves go on alone,
/// unless the policy is that of a stack.
bool scheduler::loosen() {
  if (g_.how().by == policy::lockstep && !independent_) return false;
  if (!loosened_) notes_before_loosening_ = g_.notes().size();
  loosened_ = true;
  bool any = false;
  for (auto& b : resident_)
    for (auto& w : b->warps()) any = give_up(*w, true) || any;
  return any;
}

ending scheduler::classify() {
  // What was noted of lanes that went on alone only because nobody else could run explains nothing.
  if (loosened_) g_.notes().resize(std::min(g_.notes().size(), notes_before_loosening_));
  bool parked = false, spinning = false;
  for (const auto& b : resident_)
    for (const auto& w : b->warps())
      for (const fragment& f : w->fragments()) {
        parked = parked || f.is == fragment::state::parked;
        spinning = spinning || f.is == fragment::state::spinning;
      }
  const bool stack =
      (g_.how().by == policy::lockstep || g_.how().by == policy::trace) && !independent_;
  if (parked && stack) return ending::simt_deadlock;
  if (spinning && next_ < end_) return ending::residency_deadlock;
  if (spinning) return ending::nobody_left_to_write;
  return ending::barrier_divergence;
}

}  // namespace ptxlab::machine
