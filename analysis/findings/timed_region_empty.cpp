// SPDX-License-Identifier: Apache-2.0
// timed-region-empty: a clock difference that measures nothing.
#include <fmt/format.h>

#include "analysis/facts/rules.hpp"
#include "analysis/facts/timed_region.hpp"

namespace ptxlab::facts {
namespace {

std::string line_of(const stage_function& f, std::uint32_t op, const site_table& sites) {
  const site at = f.origins[op].where;
  return at == no_site ? "?" : fmt::format("{}", sites[at].line);
}

/// Whether the PTX still has something between the clock reads of the same two lines.
bool in_ptx(const subject& s, const std::string& begin, const std::string& end) {
  if (s.ptx == nullptr) return false;
  for (const stage_function& f : s.ptx->functions)
    for (const timed_region& r : timed_regions(f))
      if (line_of(f, r.begin, s.sites) == begin && line_of(f, r.end, s.sites) == end &&
          holds_work(f, r))
        return true;
  return false;
}

void look(const subject& s, std::vector<finding>& out) {
  const stage_code* code = s.sass != nullptr ? s.sass : s.ptx;
  if (code == nullptr) return;
  for (const stage_function& f : code->functions) {
    for (const timed_region& r : timed_regions(f)) {
      if (holds_work(f, r)) continue;
      const std::string begin = line_of(f, r.begin, s.sites), end = line_of(f, r.end, s.sites);
      std::string text =
          fmt::format("nothing stands between the clock reads of lines {} and {}", begin, end);
      if (s.sass != nullptr && in_ptx(s, begin, end))
        text += "; the PTX has more, so ptxas moved it";
      out.push_back(finding_at(f, r.begin, s.sites, s.sass != nullptr ? "sass" : "ptx", text));
    }
  }
}

const rule_registration registration({
    .id = "timed-region-empty",
    .severity = "warning",
    .what = "Between two clock reads whose difference is taken there is no memory access, no "
            "synchronisation, no call, no condition and no arithmetic that anybody uses.",
    .why = "The difference is the cost of reading the clock. Code whose result is not used is "
           "deleted, and code that does not depend on the clock may be moved out of the region.",
    .remedy = "Store what the timed code computes, let it depend on a value that is not known at "
              "compile time, and look at the SASS again.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
