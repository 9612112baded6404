// SPDX-License-Identifier: Apache-2.0
// spill: registers that ptxas could not keep.
#include <fmt/format.h>

#include "analysis/facts/rules.hpp"

namespace ptxlab::facts {
namespace {

void look(const subject& s, std::vector<finding>& out) {
  const resources& r = s.facts.res;
  const auto stores = r.spill_store_bytes.value_or(0), loads = r.spill_load_bytes.value_or(0);
  if (stores == 0 && loads == 0) return;
  finding f;
  f.stage = "log";
  f.text = fmt::format("spills {} bytes by stores and {} by loads per thread, counted in the code",
                       stores, loads);
  if (r.registers) f.text += fmt::format(", at {} registers", *r.registers);
  out.push_back(f);
}

const rule_registration registration({
    .id = "spill",
    .severity = "warning",
    .what = "ptxas reports spill stores or loads for the kernel or for a function that it calls.",
    .why = "The values go to local memory and back. The bytes count instructions in the code, not "
           "executions: a few bytes in an inner loop cost more than many outside.",
    .remedy = "Shorten the lives of values, split the kernel, unroll less, or allow more registers "
              "(see limit-caused-spill).",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
