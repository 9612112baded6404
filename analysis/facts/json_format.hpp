// SPDX-License-Identifier: Apache-2.0
// `--format json`: schema ptxlab.facts/1 (docs/METHOD.md lists the fields).
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"

namespace ptxlab::facts {

/// One object, or an array of them for several reports. Two-space indent, ends with a newline.
std::string json_format(const std::vector<report>& reports);

}  // namespace ptxlab::facts
