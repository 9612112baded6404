// SPDX-License-Identifier: Apache-2.0
// Kernels with three regions of N, 2N and 4N copies (time_chain in ptx/device/timing.cuh, time_ring
// in ptx/device/ring.cuh): what they must hold, and one row from a few launches of one.
#pragma once

#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

timing::contract chain_contract(const kernels::measurement& m);

/// Launches the loaded kernel three times; cycles per copy, unit "cycle", quantity "latency".
results::row chain_row(lab& l, const protocol& p, const kernels::measurement& m, const axes& at,
                       const cuda::geometry& g, const std::vector<std::uint64_t>& operands);

}  // namespace ptxlab::bench
