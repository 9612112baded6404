// SPDX-License-Identifier: Apache-2.0
// The comparison with a driver: every prepared kernel loaded and asked for.
#pragma once

#include <vector>

#include "driver/occupancy/comparison.hpp"

namespace ptxlab::occupancy {

/// Loads every cubin on device `ordinal` and holds all usual shapes of each kernel, its registers,
/// static shared memory and largest block against what the driver says. Throws ptxlab::error.
std::vector<compared> compare_with_driver(const prepared& p, int ordinal);

}  // namespace ptxlab::occupancy
