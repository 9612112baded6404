// SPDX-License-Identifier: Apache-2.0
// `--format text` and `--summary`: facts for people.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/table.hpp"

namespace ptxlab::facts {

/// Everything that is known of one input, kernel by kernel.
std::string text_format(const report& r, const page& p);

/// One table over all inputs: for each loop of each kernel what stands in the PTX, what in the
/// SASS, and the verdict.
std::string summary_table(const std::vector<report>& reports, const page& p);

}  // namespace ptxlab::facts
