// SPDX-License-Identifier: Apache-2.0
// Three-valued answers that carry their evidence: no < unknown < yes (Kleene's strong logic).
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ptxlab::verdict {

enum class truth : std::uint8_t { no, unknown, yes };

struct judgement {
  truth value = truth::unknown;
  std::string evidence;
};

inline judgement decided(bool holds, std::string evidence) {
  return {holds ? truth::yes : truth::no, std::move(evidence)};
}
inline judgement cannot_tell(std::string reason) {
  return {truth::unknown, std::move(reason)};
}

/// The least of `all` (yes if there are none), with the evidence of those that have that value.
judgement all_of(const std::vector<judgement>& all);

/// The same answer turned round; unknown stays unknown.
judgement negate(judgement j);

}  // namespace ptxlab::verdict
