// SPDX-License-Identifier: Apache-2.0
// How often a counted loop runs, where that is a constant of the program.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/flow/data_flow.hpp"

namespace ptxlab::flow {

/// Iterations of loop `l` whose only exit is operation `exit`, or nothing when start, step or end
/// is not a constant. An iteration is counted when the loop's last block is entered from its
/// header.
std::optional<std::uint64_t> trip_count(const code& c, const graph& g, const definitions& d,
                                        const loop& l, std::uint32_t exit, effort& e);

}  // namespace ptxlab::flow
