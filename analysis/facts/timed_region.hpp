// SPDX-License-Identifier: Apache-2.0
// What stands between two reads of a clock whose difference is taken.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

struct timed_region {
  std::uint32_t begin, end;        ///< the two clock reads
  std::vector<std::uint32_t> ops;  ///< all that may run after the first and before the second
};

/// Pairs of clock reads of which the first dominates the second and one operation reads both (a
/// wait for a time to pass is left out); and the only two of a function, where no operation does.
/// In program order.
std::vector<timed_region> timed_regions(const stage_function& f);

/// Whether the region holds anything that one might want to time: memory other than parameters,
/// synchronisation, a call, a condition, or arithmetic whose result is stored or tested. Address
/// arithmetic that the compiler moved there, and parameter loads, are none.
bool holds_work(const stage_function& f, const timed_region& r);

}  // namespace ptxlab::facts
