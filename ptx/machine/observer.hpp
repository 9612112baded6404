// SPDX-License-Identifier: Apache-2.0
// What the machine tells whoever watches a launch: accesses, fences, barriers, in the order in
// which the machine performs them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/flow/code.hpp"

namespace ptxlab::machine {

inline constexpr unsigned warp_lanes = 32;
using lane_mask = std::uint32_t;  ///< bit i: lane i
/// In global or constant memory a device address; in shared memory an offset in that of the block
/// that has it; in local memory an offset in the thread's.
using address = std::uint64_t;

/// One PTX instruction of a program, as reports name it.
struct site {
  std::string_view opcode;     ///< "ld.global.u32"
  std::string_view function;   ///< kernel or device function
  std::string_view file;       ///< of the source (.loc), else empty
  std::uint32_t line = 0;      ///< of the source, 1-based; 0: not known
  std::uint32_t ptx_line = 0;  ///< of the PTX text, 1-based
};

/// A variable or an allocation, as reports name it.
struct named_place {
  std::string name;          ///< "partial", "argument 1 (out)"
  std::uint64_t offset = 0;  ///< bytes from its start
};

/// Lanes of one warp.
struct lanes {
  std::uint32_t block = 0;  ///< linear index in the grid
  std::uint32_t warp = 0;   ///< within the block
  lane_mask mask = 0;
};

/// One memory instruction of one warp. `what` is load, store, atomic or reduction; `space` is never
/// generic: an access by generic address is told for each space that its lanes fall into.
struct access {
  std::uint32_t site = 0;  ///< index into launch::sites
  flow::kind what = flow::kind::load;
  flow::space space = flow::space::global;
  flow::order ordering = flow::order::weak;
  flow::scope reach = flow::scope::none;
  std::uint32_t bytes = 4;  ///< of each lane, all elements of a vector together
  lanes who;                ///< lanes outside of the mask have no address
  static constexpr std::uint32_t own = 0xffffffff;
  std::uint32_t owner = own;        ///< in shared memory of another block of the cluster: that one
  const address* at = nullptr;      ///< warp_lanes addresses
  const std::byte* data = nullptr;  ///< of a store: what lane i writes starts at data + i * bytes
  /// Lanes whose operation came to nothing: a compare-and-swap that did not match only reads, a
  /// test of an mbarrier whose phase is not over acquires nothing. Lanes take turns in ascending
  /// order.
  lane_mask failed = 0;
  /// Done by the copies that these lanes began (cp.async), not by the lanes themselves: as early as
  /// now, and as late as they are waited for. An atomic: all copies so far arrive at an mbarrier.
  bool by_copy = false;

  /// In shared memory: the block that has it.
  std::uint32_t holder() const { return owner == own ? who.block : owner; }
};

/// The launch that is about to run. The spans live until observer::end.
struct launch_info {
  std::string_view kernel;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::span<const site> sites;
  std::uint32_t cluster[3] = {1, 1, 1};  ///< in blocks

  std::uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::uint32_t cluster_blocks() const { return cluster[0] * cluster[1] * cluster[2]; }
  /// Blocks start cluster after cluster, those of one by rank: the linear index of the block whose
  /// turn is `turn`, and back.
  std::uint32_t block_at(std::uint32_t turn) const {
    if (cluster_blocks() == 1) return turn;
    std::uint32_t in_cluster = turn % cluster_blocks(), of_cluster = turn / cluster_blocks();
    std::uint32_t index = 0, stride = 1;
    for (unsigned d = 0; d < 3; ++d) {
      const std::uint32_t clusters = grid[d] / cluster[d];
      index += (of_cluster % clusters * cluster[d] + in_cluster % cluster[d]) * stride;
      of_cluster /= clusters;
      in_cluster /= cluster[d];
      stride *= grid[d];
    }
    return index;
  }
  std::uint32_t turn_of(std::uint32_t index) const {
    if (cluster_blocks() == 1) return index;
    std::uint32_t in_cluster = 0, of_cluster = 0, each = 1, clusters = 1;
    for (unsigned d = 0; d < 3; ++d) {
      const std::uint32_t at = index % grid[d];
      index /= grid[d];
      in_cluster += at % cluster[d] * each;
      of_cluster += at / cluster[d] * clusters;
      each *= cluster[d];
      clusters *= grid[d] / cluster[d];
    }
    return of_cluster * cluster_blocks() + in_cluster;
  }
  /// The cluster of a block, by its linear index among the grid's clusters.
  std::uint32_t cluster_of(std::uint32_t index) const { return turn_of(index) / cluster_blocks(); }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + warp_lanes - 1) / warp_lanes; }
};

/// Lanes at the barrier of their cluster: barrier.cluster.arrive, or a .wait that is over.
struct cluster_step {
  std::uint32_t site = 0;
  lanes who;
  std::uint32_t cluster = 0;  ///< launch_info::cluster_of
  std::uint64_t phase = 0;    ///< completions of the barrier before this one
  bool orders = true;         ///< of an arrival: it releases; false for .relaxed
};

/// Says where an address lies: implemented by the machine, asked when a report is written.
class place_names {
 public:
  virtual ~place_names() = default;
  virtual named_place name(flow::space s, address at) const = 0;
};

/// Watches one launch after the other. All calls come from one thread. The machine executes
/// sequentially consistently: an access takes effect before the next is told.
class observer {
 public:
  virtual ~observer() = default;
  virtual void begin(const launch_info&, const place_names&) {}
  virtual void block_begins(std::uint32_t /*block*/) {}
  virtual void accessed(const access&) {}
  /// fence or membar by `who`; bar.sync and warp_synced tell their own ordering.
  virtual void fenced(std::uint32_t /*site*/, const lanes& /*who*/, flow::order, flow::scope) {}
  /// A block barrier completed: everyone in `arrived` waited for everyone in it (lanes that arrived
  /// and did not wait, bar.arrive, are in `arrived_only`).
  virtual void barrier_completed(std::uint32_t /*site*/, std::span<const lanes> /*arrived*/,
                                 std::span<const lanes> /*arrived_only*/) {}
  /// The two sides of a cluster's barrier. A phase is over when every thread of the cluster has
  /// arrived or ended.
  virtual void cluster_arrived(const cluster_step&) {}
  virtual void cluster_passed(const cluster_step&) {}
  /// The lanes of one warp met: bar.warp.sync, and shfl, vote, match, redux with .sync.
  virtual void warp_synced(std::uint32_t /*site*/, const lanes&) {}
  virtual void block_ends(std::uint32_t /*block*/) {}
  virtual void end() {}
  /// cp.async.commit_group: what each of these lanes began to copy since its last one is a group.
  virtual void copies_committed(std::uint32_t /*site*/, const lanes&) {}
  /// cp.async.wait_group, wait_all: the groups of each of these lanes are copied but for its `left`
  /// last ones; every_copy: also what is in no group yet.
  virtual void copies_awaited(std::uint32_t /*site*/, const lanes&, std::uint32_t /*left*/) {}
  static constexpr std::uint32_t every_copy = 0xffffffff;
};

}  // namespace ptxlab::machine
