// SPDX-License-Identifier: Apache-2.0
// The tables of one section: by family, and within a family by what was measured.
#pragma once

#include <vector>

#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/published.hpp"

namespace ptxlab::report {

/// Tables of what is ok, sorted by family, each with SASS, spread and published values beside it;
/// of a throughput surface only its plateau. Then, if there is any, the table "Not measured": what
/// is invalid, failed or was not run, with the reason and without a number.
std::vector<table> tables_of(const section& s, const published& others);

/// Nanoseconds of `cycles` at the clock that was seen with them, or nothing if none was.
std::optional<double> nanoseconds(double cycles, double sm_clock_mhz);

}  // namespace ptxlab::report
