// SPDX-License-Identifier: Apache-2.0
// An operand of a kernel that takes one value after the other.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/bench/protocol.hpp"

namespace ptxlab::bench {

/// `at`, each point once for every value of `s`, which is an axis of its name; as it is where
/// nothing is swept. `quick` takes the first and the last value and one between. Throws
/// ptxlab::error for an axis without values, or one that `at` has already.
std::vector<axes> swept_points(const kernels::swept& s, const std::vector<axes>& at, bool quick);

/// `operands` with the value that the point has for the operand that is swept; as they are where
/// nothing is.
std::vector<std::uint64_t> swept_operands(const kernels::swept& s, const axes& at,
                                          std::vector<std::uint64_t> operands);

}  // namespace ptxlab::bench
