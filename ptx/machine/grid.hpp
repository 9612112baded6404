// SPDX-License-Identifier: Apache-2.0
// A launch in progress: the blocks that are resident, what they share, and who runs next.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ptx/machine/cluster.hpp"
#include "ptx/machine/cluster_shape.hpp"
#include "ptx/machine/fault.hpp"
#include "ptx/machine/launch.hpp"
#include "ptx/machine/memory.hpp"
#include "ptx/machine/texture.hpp"
#include "ptx/machine/warp.hpp"

namespace ptxlab::machine {

class grid;

/// One of the 16 barriers of a block.
struct barrier_state {
  std::vector<lanes> arrived, arrived_only;
  std::uint32_t threads = 0;  ///< that have arrived
  std::uint32_t needed = 0;   ///< 0: all
  std::uint32_t votes = 0, voters = 0;
  std::uint32_t site = 0;
  bool in_use = false;
};

class block {
 public:
  /// Joins the cluster until it is destroyed.
  block(grid& in, std::uint32_t index, std::shared_ptr<machine::cluster> with);
  ~block();
  block(const block&) = delete;
  block& operator=(const block&) = delete;

  grid& in() { return in_; }
  const grid& in() const { return in_; }
  std::uint32_t index() const { return index_; }
  std::uint32_t position(unsigned dimension) const { return position_[dimension]; }
  /// In its cluster.
  std::uint32_t rank() const { return rank_; }
  machine::cluster& together() { return *cluster_; }
  const machine::cluster& together() const { return *cluster_; }
  std::byte* shared() { return shared_.data(); }
  std::uint32_t shared_bytes() const { return static_cast<std::uint32_t>(shared_.size()); }
  std::vector<std::unique_ptr<warp>>& warps() { return warps_; }
  const std::vector<std::unique_ptr<warp>>& warps() const { return warps_; }
  bool finished() const { return running_warps_ == 0; }
  const std::array<barrier_state, 16>& barriers() const { return barriers_; }

  /// Lanes of a warp come to a barrier.
  void arrive(warp& w, lane_mask who, const arrival& a, std::uint32_t site);
  /// Lanes of a warp ended: who waits for all need not wait for them.
  void lanes_ended(warp& w);
  bool shared_was_written(std::uint32_t offset, std::uint32_t bytes) const;
  void mark_shared(std::uint32_t offset, std::uint32_t bytes);

 private:
  void complete_if_all_arrived(std::uint32_t barrier);
  std::uint32_t live_threads() const;

  grid& in_;
  std::uint32_t index_;
  std::uint32_t position_[3];
  std::uint32_t rank_ = 0;
  std::shared_ptr<machine::cluster> cluster_;
  std::vector<std::byte> shared_;
  std::vector<std::uint64_t> shared_written_;
  std::vector<std::unique_ptr<warp>> warps_;
  std::size_t running_warps_ = 0;
  std::array<barrier_state, 16> barriers_;
};

/// What all blocks of a launch share. Not the scheduler: that is scheduler.hpp.
class grid {
 public:
  grid(const program& p, memory& m, const texture_table& textures, const launch& l);

  const program& code() const { return code_; }
  memory& device() { return memory_; }
  const memory& device() const { return memory_; }
  const launch& how() const { return launch_; }
  std::uint32_t threads() const { return launch_.block[0] * launch_.block[1] * launch_.block[2]; }
  std::uint32_t blocks() const { return launch_.grid[0] * launch_.grid[1] * launch_.grid[2]; }
  const cluster_shape& clusters() const { return clusters_; }
  /// As observers are told.
  const launch_info& info() const { return info_; }

  const std::byte* parameters() const { return parameters_; }
  /// Null for what never was a texture object.
  const texture_table::entry* texture(std::uint64_t handle) const { return textures_.find(handle); }
  /// Grows whenever a store or an atomic changes a value in global or shared memory.
  std::uint64_t version() const { return version_; }
  void changed() { ++version_; }
  /// Counts of each site, or null when nobody asked.
  site_counts* counts() { return counts_.empty() ? nullptr : counts_.data(); }
  std::vector<site_counts>& all_counts() { return counts_; }
  bool watched() const { return !launch_.observers.empty(); }
  void tell(const access& a);
  const std::vector<observer*>& observers() const { return launch_.observers; }
  /// Replaces the observers; returns those it had.
  std::vector<observer*> watch_only(std::vector<observer*> others) {
    return std::exchange(launch_.observers, std::move(others));
  }
  std::string& printed() { return printed_; }
  /// Of a cooperative launch: the address of what grid-wide barriers count in; 0 for any other.
  address workspace() const { return workspace_; }
  std::vector<std::string>& notes() { return notes_; }
  /// Notes, once, that some lanes of a warp came to a barrier without the others.
  void note_lanes(std::uint32_t site, lane_mask who, lane_mask live);
  void advance(std::uint64_t steps) { clock_ += steps; }
  std::uint64_t clock() const { return clock_; }
  std::uint64_t lane_steps = 0, warp_steps = 0;

 private:
  const program& code_;
  memory& memory_;
  const texture_table& textures_;
  launch launch_;
  cluster_shape clusters_;
  launch_info info_;
  const std::byte* parameters_ = nullptr;
  std::uint64_t version_ = 1, clock_ = 0;
  std::vector<site_counts> counts_;
  std::string printed_;
  std::vector<std::string> notes_;
  address workspace_ = 0;
};

}  // namespace ptxlab::machine
