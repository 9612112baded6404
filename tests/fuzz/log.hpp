// SPDX-License-Identifier: Apache-2.0
// Fuzz target: everything that is read from what a tool printed.
#pragma once

#include "analysis/facts/occupancy.hpp"
#include "analysis/facts/resources.hpp"
#include "analysis/toolchain/cache.hpp"
#include "analysis/toolchain/flags.hpp"
#include "analysis/toolchain/message.hpp"
#include "tests/fuzz/stages.hpp"

namespace ptxlab::fuzz {

/// Resources of a function from both reports, with every kind of knowledge of its calls.
inline void merge(const facts::ptxas_log& log, const facts::res_usage& usage,
                  const std::string& function, const std::string& arch) {
  facts::resource_sources s;
  s.function = function;
  s.arch = arch;
  s.log = &log;
  for (const bool with_usage : {false, true}) {
    s.usage = with_usage ? &usage : nullptr;
    facts::call_targets calls;
    for (const facts::ptxas_block& b : log.blocks)
      if (!b.entry && calls.callees.size() < 8) calls.callees.push_back(b.function);
    s.calls = calls;
    facts::compute_occupancy(facts::merge_resources(s), arch, 96, 100);
    s.calls.reset();
    facts::compute_occupancy(facts::merge_resources(s), arch);
  }
}

/// A log of ptxas, and behind a form feed the report of `cuobjdump -res-usage`; without one the
/// text is taken for both.
inline void log_target(std::string_view input) {
  auto [first, second] = halves(input);
  if (second.empty()) second = first;
  const facts::ptxas_log log = facts::read_ptxas_log(first, "sm_80");
  const facts::res_usage usage = facts::read_res_usage(second, "sm_80");
  require(log.reason.empty() == !log.blocks.empty(), "a log has blocks or a reason");
  require(usage.reason.empty() == !usage.functions.empty(), "a report has functions or a reason");
  std::size_t merged = 0;
  for (const facts::ptxas_block& b : log.blocks)
    if (merged++ < 16) merge(log, usage, b.function, b.arch);
  merge(log, usage, "seed", "sm_80");

  toolchain::compiler_cause(first, {{"/tmp/x", "seed.cu"}});
  toolchain::ptxas_cause(first, second, "seed.cu", true);
  toolchain::ptxas_explanation(first, second, "sm_80", "13.0.88");
  toolchain::parse_dependency_rule(first);
  toolchain::parse_version(first);
  try {
    toolchain::check_flags(toolchain::split_flags(first));
  } catch (const error&) {
  }
  try {
    toolchain::ptxas_flags_of_dryrun(first);
  } catch (const error&) {
  }
}

}  // namespace ptxlab::fuzz
