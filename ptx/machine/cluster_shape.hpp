// SPDX-License-Identifier: Apache-2.0
// The clusters of a launch: how many blocks each has, which those are, and where their shared
// memory lies in the window that they share.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ptx/machine/launch.hpp"
#include "ptx/machine/program.hpp"

namespace ptxlab::machine {

/// What runs on every GPU that has clusters (CUDA C++ Programming Guide, "Thread Block Clusters").
inline constexpr std::uint32_t most_cluster_blocks = 8;

/// In the window of shared memory, what block `rank` of a cluster has begins at (rank + 1) * this;
/// below lies what the block that asks has itself. More than any block's shared memory.
inline constexpr std::uint32_t cluster_stride = std::uint32_t{1} << 24;
/// The rank that an offset in the window names; -1: the own block's.
constexpr std::int32_t rank_at(std::uint64_t offset) {
  return static_cast<std::int32_t>(offset / cluster_stride) - 1;
}
/// The same offset in what a rank has. A rank beyond what the window holds gives its last part,
/// which no block has.
constexpr std::uint32_t offset_of_rank(std::uint64_t offset, std::uint32_t rank) {
  constexpr std::uint32_t last = 0xff;
  return static_cast<std::uint32_t>(offset % cluster_stride) +
         (rank < last ? rank + 1 : last) * cluster_stride;
}

struct cluster_shape {
  std::uint32_t extent[3] = {1, 1, 1};
  bool is_explicit = false;  ///< the kernel or the launch gave one: %is_explicit_cluster

  std::uint32_t blocks() const { return extent[0] * extent[1] * extent[2]; }
};

/// Reads .reqnctapercluster, .explicitcluster and .maxclusterrank from a kernel's header.
cluster_directives read_cluster_directives(std::string_view header);
/// The kernel's clusters, or else the launch's, or else one block each.
cluster_shape cluster_of(const program& p, const launch& l);
/// Why the launch's clusters cannot be, in one line; empty if they can. The grid has blocks.
std::string cluster_refusal(const program& p, const launch& l);

}  // namespace ptxlab::machine
