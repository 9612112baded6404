// SPDX-License-Identifier: Apache-2.0
// Kernels whose blocks wait for each other (time_exchange in ptx/device/exchange.cuh): what they
// must hold, and what their samples say.
#pragma once

#include "driver/bench/lab.hpp"
#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

timing::contract exchange_contract(const kernels::measurement& m);

/// Of every pass the cycles of the block that took longest. Throws as cycles_of does.
results::series slowest_of(const std::vector<sample>& taken, unsigned blocks, double length);

}  // namespace ptxlab::bench
