// SPDX-License-Identifier: Apache-2.0
// The words of the expectation language that more than one part of it needs.
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"

namespace ptxlab::verdict {

using words = std::vector<std::string>;

/// The resource called `name`, or nullptr.
facts::count facts::resources::*resource(const std::string& name);

/// Every word a clause may start with.
const words& clause_words();
/// kept, unrolled, load-hoisted, deleted.
const words& verdict_words();
/// The words of clauses on polls, without `polls` itself.
const words& poll_words();

bool contains(const words& all, const std::string& word);

}  // namespace ptxlab::verdict
