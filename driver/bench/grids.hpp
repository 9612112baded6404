// SPDX-License-Identifier: Apache-2.0
// The grids that a measurement asks for, as numbers of blocks and threads.
#pragma once

#include <vector>

#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// The numbers of blocks, each once: `usual` where the measurement names none; 0 is one block on
/// every SM, and what is named for bigger devices is left out. Then so many blocks per SM as it
/// asks for, resident or not: a launch refuses them with the arithmetic. Where the kernel runs in
/// clusters, each is rounded down to a multiple of their blocks.
std::vector<unsigned> grid_blocks(const kernels::measurement& m, const sizes& s,
                                  std::vector<unsigned> usual = {0});

/// Threads of a block: `usual` where the measurement names none; at most the device's.
std::vector<unsigned> grid_threads(const kernels::measurement& m, const sizes& s,
                                   std::vector<unsigned> usual = {32});

/// Four of `all` at most: the first, the last, and two between.
std::vector<axes> few_of(const std::vector<axes>& all);

}  // namespace ptxlab::bench
