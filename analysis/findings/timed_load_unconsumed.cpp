// SPDX-License-Identifier: Apache-2.0
// timed-load-unconsumed: a timed load for whose value nobody waits; a parameter load that is timed.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/facts/rules.hpp"
#include "analysis/facts/timed_region.hpp"

namespace ptxlab::facts {
namespace {

using flow::kind;

bool is_parameter(const flow::op& o) {
  return o.memory == flow::space::constant || o.memory == flow::space::param;
}

/// Whether an operation of the region reads what operation `load` of it wrote.
bool consumed(const stage_function& f, const flow::region& all, const timed_region& r,
              std::uint32_t load) {
  const auto written = f.code.writes(f.code.ops[load]);
  return std::any_of(r.ops.begin(), r.ops.end(), [&](std::uint32_t use) {
    for (const flow::reg x : f.code.reads(f.code.ops[use])) {
      if (std::find(written.begin(), written.end(), x) == written.end()) continue;
      const auto defs = all.at(use, x).ops;
      if (std::find(defs.begin(), defs.end(), load) != defs.end()) return true;
    }
    return false;
  });
}

void look(const subject& s, std::vector<finding>& out) {
  if (s.sass == nullptr) return;
  for (const stage_function& f : s.sass->functions) {
    const flow::region all(f.code, f.graph, f.definitions);
    for (const timed_region& r : timed_regions(f)) {
      std::vector<std::uint32_t> loads, lost, parameters;
      for (const std::uint32_t i : r.ops) {
        const flow::op& o = f.code.ops[i];
        if ((o.what != kind::load && o.what != kind::atomic) || o.writes == 0) continue;
        const bool used = consumed(f, all, r, i);
        if (is_parameter(o)) {
          if (used) parameters.push_back(i);
          continue;
        }
        loads.push_back(i);
        if (!used) lost.push_back(i);
      }
      if (!lost.empty()) {
        finding x = finding_at(
            f, r.begin, s.sites, "sass",
            fmt::format(
                "{} of {} timed loads and atomics ({}) {} used only behind the second clock "
                "read, so not waited for",
                lost.size(), loads.size(), f.opcodes[f.opcode[lost[0]]],
                lost.size() == 1 ? "is" : "are"));
        if (lost.size() < loads.size()) x.severity = "note";
        out.push_back(x);
      }
      if (parameters.empty()) continue;
      finding x = finding_at(
          f, r.begin, s.sites, "sass",
          fmt::format("{} parameter load{} ({}) and the wait for it stand in the timed region",
                      parameters.size(), parameters.size() == 1 ? "" : "s",
                      f.opcodes[f.opcode[parameters[0]]]));
      x.severity = "note";
      out.push_back(x);
    }
  }
}

const rule_registration registration({
    .id = "timed-load-unconsumed",
    .severity = "warning",
    .what =
        "A load or atomic stands between two clock reads in SASS, and no instruction before the "
        "second read uses its value. A note where other loads of the region are used (the last "
        "one of a chain), and where a parameter is loaded and used in the region.",
    .why =
        "The thread waits for a load where its value is first used. Before that only the issue of "
        "the load is timed, not its latency. A parameter load adds a latency that is not asked "
        "for.",
    .remedy =
        "Use the value before the second clock read in a way the compiler must keep, such as a "
        "branch on it. Use parameters once before the first read.",
    .look = look,
});

}  // namespace
}  // namespace ptxlab::facts
