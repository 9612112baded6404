// SPDX-License-Identifier: Apache-2.0
// What every table says of a measurement beside its numbers.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"
#include "analysis/report/published.hpp"

namespace ptxlab::report {

/// Published values in our unit: "4.07 (H100 SXM5 80GB), 4 (H100 PCIe)"; of more than two their
/// range, "478.8 to 700", which `notes_of` spells out; `absent` if there is none.
std::string published_cell(const results::row& r, const published& others);

/// What the launch took of a multiprocessor: registers per thread, shared bytes per block, and how
/// many blocks fit. The columns have `rank` and the two ranks behind it.
std::vector<column> resource_columns(int rank);
std::vector<std::string> resource_cells(const results::row& r);

/// Spread over several runs, another cubin, spills, flags, more than two published values.
std::vector<std::string> notes_of(const measurement& m, const published& others);

}  // namespace ptxlab::report
