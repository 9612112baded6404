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
/// In global or constant memory a device address; in shared memory an offset in the block's; in
/// local memory an offset in the thread's.
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
  std::uint32_t bytes = 4;          ///< of each lane, all elements of a vector together
  lanes who;                        ///< lanes outside of the mask have no address
  const address* at = nullptr;      ///< warp_lanes addresses
  const std::byte* data = nullptr;  ///< of a store: what lane i writes starts at data + i * bytes
};

/// The launch that is about to run. The spans live until observer::end.
struct launch_info {
  std::string_view kernel;
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::span<const site> sites;

  std::uint32_t blocks() const { return grid[0] * grid[1] * grid[2]; }
  std::uint32_t threads() const { return block[0] * block[1] * block[2]; }
  std::uint32_t warps() const { return (threads() + warp_lanes - 1) / warp_lanes; }
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
  /// The lanes of one warp met: bar.warp.sync, and shfl, vote, match, redux with .sync.
  virtual void warp_synced(std::uint32_t /*site*/, const lanes&) {}
  virtual void block_ends(std::uint32_t /*block*/) {}
  virtual void end() {}
};

}  // namespace ptxlab::machine
