// SPDX-License-Identifier: Apache-2.0
// limit-caused-spill: spills of a kernel that somebody gave fewer registers.
#include <fmt/format.h>

#include "analysis/facts/register_cap.hpp"

namespace ptxlab::facts {
namespace {

void look(const subject& s, std::vector<finding>& out) {
  const resources& r = s.facts.res;
  const auto spilled = r.spill_store_bytes.value_or(0) + r.spill_load_bytes.value_or(0);
  if (spilled == 0 || !r.registers) return;
  const auto bounds = cap_of_bounds(s);
  const auto cap = bounds ? bounds : cap_of_flags(s);  // a kernel's own bounds win over the flag
  constexpr int unit = 8;                              // registers are handed out in eights
  if (!cap || cap->registers >= 255 || *r.registers > cap->registers ||
      *r.registers <= cap->registers - unit)
    return;
  finding f;
  f.stage = "log";
  f.text = fmt::format(
      "{} leaves {} registers, all are used, and {} bytes of spill code are the "
      "price",
      cap->by, cap->registers, spilled);
  out.push_back(f);
}

const rule_registration registration({
    .id = "limit-caused-spill",
    .severity = "warning",
    .what = "The kernel spills and uses all the registers that -maxrregcount or its launch bounds "
            "leave.",
    .why = "More resident threads were bought with traffic to local memory. Often the kernel is "
           "faster with more registers and fewer threads.",
    .remedy = "Raise the limit step by step and measure; or lower the need for registers.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
