// SPDX-License-Identifier: Apache-2.0
// Where the paths out of a block come together again.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/flow/graph.hpp"

namespace ptxlab::flow {

/// The immediate post-dominator of each block: the first block that every path from it to an end of
/// the function runs through. `nowhere` where there is none but the end, and for blocks from which
/// no end can be reached. (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the
/// reversed graph.)
std::vector<std::uint32_t> post_dominators(const graph& g);

}  // namespace ptxlab::flow
