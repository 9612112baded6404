// SPDX-License-Identifier: Apache-2.0
// The loop clauses of an expectation against the loops of a kernel.
#pragma once

#include <string>

#include "analysis/facts/facts.hpp"
#include "analysis/verdict/expectation.hpp"
#include "analysis/verdict/judgement.hpp"

namespace ptxlab::verdict {

/// Empty if the stage was seen; else why nothing can be said of it. `name` is "ptx" or "sass".
std::string not_seen(const facts::stage& s, const std::string& name);

/// Empty if the loops of a seen stage are trustworthy; else why not.
std::string flow_unclear(const facts::stage& s, const std::string& name);

/// Judges `d` on the loops of the chosen stages or, where a cross-stage verdict is asked for, on
/// the loops of the source and their partners at the chosen stages. `input` is the report's input.
judgement check_loops(const loop_demand& d, const facts::kernel& k, stage_choice stage,
                      const std::string& input);

}  // namespace ptxlab::verdict
