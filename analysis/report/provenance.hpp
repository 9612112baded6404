// SPDX-License-Identifier: Apache-2.0
// Where the numbers of a section come from, as the footer of its tables.
#pragma once

#include "analysis/report/collection.hpp"
#include "analysis/report/document.hpp"

namespace ptxlab::report {

/// Device, driver, toolkit, commit, when each run began, the range of the SM clock, the notes of
/// the runs, and how many rows are ok, are not, and are flagged.
item_list provenance_of(const section& s);

}  // namespace ptxlab::report
