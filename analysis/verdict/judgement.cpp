// SPDX-License-Identifier: Apache-2.0
// Conjunction of three-valued answers.
#include "analysis/verdict/judgement.hpp"

#include <algorithm>
#include <set>

namespace ptxlab::verdict {

judgement all_of(const std::vector<judgement>& all) {
  judgement out{truth::yes, ""};
  for (const judgement& j : all) out.value = std::min(out.value, j.value);
  std::set<std::string> said;  // several clauses may fail for one reason
  for (const judgement& j : all) {
    if (j.value != out.value || j.evidence.empty() || !said.insert(j.evidence).second) continue;
    if (!out.evidence.empty()) out.evidence += "; ";
    out.evidence += j.evidence;
  }
  return out;
}

judgement negate(judgement j) {
  if (j.value != truth::unknown) j.value = j.value == truth::yes ? truth::no : truth::yes;
  return j;
}

}  // namespace ptxlab::verdict
