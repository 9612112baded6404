// SPDX-License-Identifier: Apache-2.0
// Whether the conditions in `EXPECT[...]` hold for a report.
#pragma once

#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/verdict/expectation.hpp"
#include "analysis/verdict/judgement.hpp"

namespace ptxlab::verdict {

/// yes: the expectation applies; no: it does not, and the evidence says why; unknown: the report
/// does not name the tool's version or the architecture. A version is compared over as many of its
/// numbers as the condition has, so that 13.0.88 fits `nvcc==13.0`.
judgement applies(const std::vector<condition>& all, const facts::report& r);

}  // namespace ptxlab::verdict
