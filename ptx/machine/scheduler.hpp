// SPDX-License-Identifier: Apache-2.0
// Who of the resident warps runs next, and for how long; and when nobody can.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

#include "ptx/machine/grid.hpp"

namespace ptxlab::machine {

/// Runs the blocks whose turns to start are [first, end), whole clusters, to their end, or to the
/// reason why they do not end.
class scheduler {
 public:
  scheduler(grid& g, std::uint32_t first, std::uint32_t end);

  /// Throws fault. `stuck` blocks stay to be looked at.
  ending run();

  /// After ending::simt_deadlock: what becomes of the launch where lanes do not wait for each
  /// other.
  ending go_on_with_independent_threads();

  const std::vector<std::unique_ptr<block>>& resident() const { return resident_; }
  std::uint32_t started() const { return next_ - first_; }
  std::uint32_t finished() const { return finished_; }
  /// The warp that a fault happened in, else null.
  const warp* current() const { return current_; }

 private:
  /// The next cluster, if there is one and room for it.
  bool start_one();
  bool room() const;
  std::uint64_t run_block(block& b, std::uint64_t most);
  std::uint64_t run_warp(warp& w, std::uint64_t most);
  std::uint64_t run_fragment(warp& w, std::size_t fragment, std::uint64_t most, bool carefully);
  bool give_up(warp& w, bool missing_must_wait);
  std::size_t draw(const warp& w);
  ending run_in_turn();
  ending run_at_random();
  ending run_as_recorded();
  bool loosen();
  void retire(std::size_t i);
  bool over_budget();
  ending classify();

  grid& g_;
  const std::uint32_t first_, end_;
  std::uint32_t next_, limit_, finished_ = 0;
  std::vector<std::unique_ptr<block>> resident_;
  const warp* current_ = nullptr;
  std::mt19937_64 random_;
  std::chrono::steady_clock::time_point began_;
  ending why_ = ending::finished;
  std::size_t notes_before_loosening_ = 0;
  bool loosened_ = false, independent_ = false;
};

}  // namespace ptxlab::machine
