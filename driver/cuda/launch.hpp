// SPDX-License-Identifier: Apache-2.0
// Launching a kernel: geometry, attributes, arguments, and the arithmetic of co-residency.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <string>
#include <vector>

#include "driver/cuda/device.hpp"
#include "driver/cuda/module.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::cuda {

struct geometry {
  unsigned blocks = 1;  ///< a one-dimensional grid
  unsigned block_threads = 1;
  unsigned dynamic_shared_bytes = 0;
  unsigned cluster_blocks = 0;  ///< 0: no cluster
  bool cooperative = false;
  bool overlaps_previous = false;  ///< programmatic stream serialization
  /// Blocks wait for each other: more than are resident at once would hang, so they are refused.
  bool spins = false;
  bool unchecked = false;  ///< launched all the same, by someone who watches it
};

/// Arguments in order, copied by value.
class arguments {
 public:
  template <typename T>
  arguments& add(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    const auto* bytes = reinterpret_cast<const unsigned char*>(&value);
    values_.emplace_back(bytes, bytes + sizeof value);
    return *this;
  }
  std::vector<void*> pointers();

 private:
  std::vector<std::vector<unsigned char>> values_;
};

/// How many blocks can be resident at once, and how that was computed.
struct residency {
  int blocks_per_sm = 0, multiprocessors = 0;
  /// Clusters at once and the blocks of each: parts of the chip hold them, so that they may leave
  /// SMs empty. 0: no clusters.
  int clusters = 0, cluster_blocks = 0;
  int blocks() const {
    return cluster_blocks > 0 ? clusters * cluster_blocks : blocks_per_sm * multiprocessors;
  }
  /// "8 blocks per SM x 132 SMs = 1056 blocks of 256 threads at once", or
  /// "66 clusters x 2 blocks = 132 blocks of 256 threads at once".
  std::string text(unsigned block_threads) const;
};
residency co_resident(const device& d, const kernel& k, const geometry& g);

/// Queues the kernel on `s`. Throws ptxlab::error, with the arithmetic, for a grid of blocks that
/// wait for each other and do not fit at once; cuda_error for what the driver refuses.
void launch(const device& d, const kernel& k, const geometry& g, arguments& a, const stream& s);

}  // namespace ptxlab::cuda
