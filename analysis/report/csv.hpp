// SPDX-License-Identifier: Apache-2.0
// A report for machines: one record per measurement, RFC 4180.
#pragma once

#include <string>

#include "analysis/report/collection.hpp"
#include "analysis/report/published.hpp"

namespace ptxlab::report {

/// All sections in one file, surfaces included. A value that is not there is an empty field, never
/// 0. Of several runs the earliest stands in the value columns; `runs`, `lowest_median` and
/// `highest_median` say what the others gave. Several published values are joined with "; ".
std::string csv_format(const collection& all, const published& others);

}  // namespace ptxlab::report
