// SPDX-License-Identifier: Apache-2.0
// A report for a terminal.
#pragma once

#include <string>

#include "analysis/facts/table.hpp"
#include "analysis/report/document.hpp"

namespace ptxlab::report {

/// Laid out for `page`. A table that is too wide even when folded does without columns, the highest
/// rank first, and says which.
std::string text_format(const document& d, const facts::page& page);

}  // namespace ptxlab::report
