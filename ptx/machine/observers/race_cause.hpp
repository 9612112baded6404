// SPDX-License-Identifier: Apache-2.0
// Why two accesses race: which fence, scope or strength would have ordered them.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "ptx/machine/observers/race_order.hpp"

namespace ptxlab::machine {

/// What is missing between the two accesses of a race.
enum class missing : std::uint8_t {
  communication,        ///< nothing that the first thread wrote reached the second before
  barrier,              ///< the same within a block: no bar.sync between them
  warp_sync,            ///< the same within a warp: no __syncwarp between them
  release,              ///< the write that was observed releases nothing
  acquire,              ///< the read that observed it acquires nothing
  release_and_acquire,  ///< neither does
  scope,                ///< a fence's or access's scope does not reach the other thread
  strength,             ///< one access is strong, the other weak
  copy_wait,            ///< nobody waited for the asynchronous copy that is the first access
  nothing,              ///< lanes of one instruction: no order is possible
  unknown               ///< the history that is kept does not reach back to the first access
};

/// A verdict and the instructions it names: indices into launch_info::sites or flow::nowhere.
struct race_cause {
  missing what = missing::communication;
  std::uint32_t write = flow::nowhere;   ///< observed write of the communication that falls short
  std::uint32_t read = flow::nowhere;    ///< ... and the read that observed it
  std::uint32_t narrow = flow::nowhere;  ///< fence or access whose scope does not reach
  bool after_wait = false;  ///< the first access is a copy; this is missing after the wait for it
};

struct race_thread {
  std::uint32_t block = 0, warp = 0, lane = 0;

  std::uint32_t in_block() const { return warp * warp_lanes + lane; }
};

/// One event in which threads may have learned of each other.
struct communication {
  enum kind : std::uint8_t { access, fence, barrier, barrier_arrive, warp_sync };
  stamp when = 0;
  std::uint32_t site = 0;
  std::uint64_t place = 0;
  lanes who;
  kind what = access;
  access_strength how = {};  ///< of a fence: acquires, releases, wide
};

/// Everything by which the threads of a launch communicate, in order; searched backwards from a
/// race, under rules that forgive one kind of mistake after the other.
class communication_log {
 public:
  void reset();
  void access(const strong_access& a, std::uint32_t site);
  void fence(std::uint32_t site, const lanes& who, flow::order o, flow::scope s, stamp when);
  void barrier(std::uint32_t site, std::span<const lanes> arrived,
               std::span<const lanes> arrived_only, stamp when);
  void warp_sync(std::uint32_t site, const lanes& who, stamp when);

  /// Why what `first` did at `when` is not ordered before what `second` does next; `what` is one
  /// of communication, release, acquire, release_and_acquire, scope, unknown.
  race_cause explain(const race_thread& first, stamp when, const race_thread& second) const;

 private:
  /// Events that are kept (64 MiB), and of those how many one search looks at.
  static constexpr std::size_t kept = std::size_t{1} << 20, searched = std::size_t{1} << 18;

  void add(const communication& c);

  std::vector<communication> events_;
  stamp dropped_ = 0;                                    // events up to this stamp were dropped
  std::unordered_map<std::uint64_t, stamp> last_write_;  // by place that was read
  std::unordered_map<std::uint64_t, stamp> seen_;  // by reader and place: the write last observed
};

}  // namespace ptxlab::machine
