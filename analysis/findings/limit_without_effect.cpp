// SPDX-License-Identifier: Apache-2.0
// limit-without-effect: a limit on registers that does not limit.
#include <fmt/format.h>

#include "analysis/facts/register_cap.hpp"

namespace ptxlab::facts {
namespace {

void look(const subject& s, std::vector<finding>& out) {
  if (!s.facts.res.registers) return;
  const auto flag = cap_of_flags(s), bounds = cap_of_bounds(s);
  const auto add = [&](const register_cap& cap, std::string_view reason) {
    if (*s.facts.res.registers <= cap.registers) return;
    finding f;
    f.stage = "log";
    f.text = fmt::format("{} asks for at most {} registers, and {} are used{}", cap.by,
                         cap.registers, *s.facts.res.registers, reason);
    out.push_back(f);
  };
  if (flag && bounds)
    add(*flag, fmt::format(": the kernel's own {} is heard instead", bounds->by));
  else if (flag)
    add(*flag, flag->registers < 24 ? ": ptxas has a minimum of its own" : "");
  if (bounds) add(*bounds, "");
}

const rule_registration registration({
    .id = "limit-without-effect",
    .severity = "note",
    .what = "The kernel uses more registers than -maxrregcount or its launch bounds ask for.",
    .why =
        "A kernel with launch bounds ignores -maxrregcount, silently; a limit below ptxas' own "
        "minimum is raised; bounds that no multiprocessor can meet are dropped. A sweep over the "
        "limit then compares a kernel with itself.",
    .remedy = "Give the limit where it is heard: __launch_bounds__ or __maxnreg__ on the kernel. "
              "Check that the register count moved.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
