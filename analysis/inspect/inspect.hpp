// SPDX-License-Identifier: Apache-2.0
// From one build to its facts: both readers, resources, occupancy, loop verdicts, findings.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/toolchain/build.hpp"

namespace ptxlab::inspect {

/// Facts of every kernel of the build, sorted by name. A stage that could not be read is unknown
/// with its reason. Throws ptxlab::error for PTX that cannot be read at all.
facts::report inspect(const toolchain::build& b, const toolchain::toolset& tools,
                      const std::vector<std::string>& nvcc_flags);

}  // namespace ptxlab::inspect
