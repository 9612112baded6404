// SPDX-License-Identifier: Apache-2.0
// The machine's counts of sectors, lines, requests and bank passes are those of an H200's counters,
// for every pattern of kernels/memory/patterns.cu that tests/gpu/counters.py measured with ncu.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <tuple>

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"
#include "ptx/machine/observers/traffic.hpp"
#include "tests/unit/machine/compiled.hpp"
#include "tests/unit/machine/workbench.hpp"

namespace ptxlab::machine {
namespace {

/// Kernel, stride, offset, flip, mask.
using pattern = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

std::filesystem::path archive() {
  return compiler::root() / "docs/data/h200/2026-11-30/counters.csv";
}

struct both {
  std::uint64_t gpu = 0, machine = 0;  ///< by ncu; by the machine when that was archived
};
/// What was counted, by pattern and metric.
std::map<pattern, std::map<std::string, both>> archived() {
  std::map<pattern, std::map<std::string, both>> out;
  for (report::named_record& r : report::read_records(
           archive(),
           {"kernel", "stride", "offset", "flip", "mask", "metric", "value", "machine"})) {
    auto& f = r.fields;
    const auto number = [&](const char* column) {
      return static_cast<std::uint64_t>(report::number_of(f.at(column)).value());
    };
    out[{f["kernel"], number("stride"), number("offset"), number("flip"), number("mask")}]
       [f["metric"]] = {number("value"), number("machine")};
  }
  return out;
}

/// What the machine says of the counter `metric`; nothing for one that it has no word for.
std::optional<std::uint64_t> counted(const traffic_counts& c, const std::string& metric) {
  const auto names = [&](const char* part) { return metric.find(part) != std::string::npos; };
  if (names("t_requests") || names("inst_executed")) return c.requests;
  if (names("t_sectors")) return c.sectors;
  if (names("t_set_accesses")) return c.lines;
  if (names("wavefronts_mem_shared")) return c.banks32.passes;
  if (names("bank_conflicts")) return c.banks32.passes - c.banks32.requests;
  return {};
}

/// The one access of a pattern that is counted.
traffic_counts run(workbench& on, const pattern& p) {
  const auto& [kernel, stride, offset, flip, mask] = p;
  const bool shared = kernel.starts_with("shared_");
  traffic seen;
  on.how = {};
  on.how.observers = {&seen};
  const address out = on.buffer(std::vector<std::uint32_t>(32), "out");
  const address in = on.buffer(std::vector<std::uint32_t>(1 << 14), "in");
  const run_report r =
      on.run(kernel, 1, warp_lanes, {out, in, stride, offset, flip, mask}, {8, 8, 4, 4, 4, 4});
  EXPECT_EQ(r.how, ending::finished) << r.reason;
  const flow::kind what =
      kernel.find("_store_") != std::string::npos ? flow::kind::store : flow::kind::load;
  std::vector<traffic_counts> found;
  for (const traffic_row& row : seen.report().rows)
    if (row.what == what && row.space == (shared ? flow::space::shared : flow::space::global))
      found.push_back(row.counts);
  EXPECT_EQ(found.size(), 1U) << kernel;
  return found.empty() ? traffic_counts{} : found.front();
}

TEST(machine_counters, are_those_of_an_h200) {
  const compiler c;
  if (!c.problem().empty()) GTEST_SKIP() << c.problem();
  workbench on(c.module(compiler::root() / "kernels/memory/patterns.cu"));
  const auto all = archived();
  ASSERT_GT(all.size(), 300U);
  for (const auto& [p, metrics] : all) {
    const auto& [kernel, stride, offset, flip, mask] = p;
    const traffic_counts counts = run(on, p);
    for (const auto& [metric, value] : metrics) {
      const auto mine = counted(counts, metric);
      ASSERT_TRUE(mine) << metric;
      EXPECT_EQ(*mine, value.machine) << "docs/counters.py writes it anew: " << kernel;
      EXPECT_EQ(*mine, value.gpu) << kernel << " stride " << stride << " offset " << offset
                                  << " flip " << flip << " mask " << std::hex << mask << ": "
                                  << metric;
    }
  }
}

}  // namespace
}  // namespace ptxlab::machine
