// SPDX-License-Identifier: Apache-2.0
// `--format facts`: line-oriented, sorted, without addresses, made for FileCheck.
#pragma once

#include <string>

#include "analysis/facts/facts.hpp"

namespace ptxlab::facts {

/// One block per kernel; docs/EXPECTATIONS.md lists the lines. "?" stands for what no tool said.
std::string facts_format(const report& r);

/// Names and values of the resources, in the order they are declared.
std::vector<std::pair<std::string_view, count>> resource_list(const resources& r);

/// "deleted in ptxas", "unrolled in nvcc by 4 full", "kept peeled".
std::string verdict_text(const loop_verdict& v);

}  // namespace ptxlab::facts
