// SPDX-License-Identifier: Apache-2.0
// How much a neighbour sort does: against what n passes over n keys are, and where it stops early.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/sorting.hpp"

namespace ptxlab::report {
namespace {

constexpr double smallest_of_many = 1024;  ///< fewer are not for many blocks

const measurement* counted(const section& s, const sort_curve& c, double n, const char* quantity,
                           const std::string& when = "") {
  return sort_row(s, c, n, quantity + when);
}

/// "1024 (1.00)": a count and its part of `bound`.
std::string share_cell(const measurement* m, double bound, std::vector<std::string>& notes) {
  const std::string count = m == nullptr ? absent : value_cell(m, 0, notes);
  if (m == nullptr || !m->ok() || bound <= 0) return count;
  return fmt::format("{} ({:.2f})", count, m->row().value->median / bound);
}

/// Sizes that are shown of a curve: 1024, or the smallest, and the largest that was measured.
std::vector<double> shown_sizes(const section& s, const sort_curve& c) {
  std::vector<double> all;
  for (const double n : sort_sizes(s, c.three_keys))
    if (counted(s, c, n, "passes") != nullptr) all.push_back(n);
  if (all.size() < 3) return all;
  const bool usual = std::find(all.begin(), all.end(), 1024.0) != all.end();
  const double first = usual ? 1024.0 : all.front();
  if (first == all.back()) return {first};
  return {first, all.back()};
}

table work_of(const section& s, bool three_keys) {
  table out{fmt::format("Work of sorting {}, and in brackets its part of n passes",
                        three_keys ? "by three keys" : "random keys"),
            {{"how"},
             {"n", true},
             {"launches", true},
             {"passes", true},
             {"comparisons", true},
             {"exchanges", true, false, 1}},
            {}};
  for (const sort_curve& c : sort_curves(s, three_keys)) {
    if (c.id.empty()) continue;  // a rival
    for (const double n : shown_sizes(s, c)) {
      // Of n passes: all pairs once. Random keys exchange half of them.
      const double comparisons = n * (n - 1) / 2;
      line l{{c.name, exact(n)}, {}};
      l.cells.push_back(share_cell(counted(s, c, n, "launches"), 0, l.notes));
      l.cells.push_back(share_cell(counted(s, c, n, "passes"), n, l.notes));
      l.cells.push_back(share_cell(counted(s, c, n, "comparisons"), comparisons, l.notes));
      l.cells.push_back(share_cell(counted(s, c, n, "exchanges"), comparisons, l.notes));
      out.lines.push_back(std::move(l));
    }
  }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return out;
}

}  // namespace

std::vector<table> sort_work_tables(const topic_context& c) {
  return {work_of(c.of, false), work_of(c.of, true)};
}

std::vector<table> sort_step_tables(const topic_context& c) {
  std::vector<table> out;
  for (const bool three_keys : {false, true}) {
    const std::vector<double> sizes = sort_sizes(c.of, three_keys);
    table t{fmt::format("Time over passes where blocks wait for each other, {}: us",
                        three_keys ? "three keys" : "random keys"),
            {{"how"}},
            {}};
    for (const double n : sizes)
      if (n >= smallest_of_many) t.columns.push_back({exact(n), true});
    for (const sort_curve& one : sort_curves(c.of, three_keys)) {
      if (one.id.empty() || one.id.starts_with("sort/block/")) continue;
      line l{{one.name}, {}};
      for (const double n : sizes) {
        if (n < smallest_of_many) continue;
        const measurement *time = sort_row(c.of, one, n), *passes = counted(c.of, one, n, "passes");
        const bool both = time != nullptr && time->ok() && passes != nullptr && passes->ok() &&
                          passes->row().value->median > 0;
        l.cells.push_back(both ? fixed(time->row().value->median / passes->row().value->median, 3)
                          : time == nullptr ? absent
                                            : value_cell(time->ok() ? nullptr : time, 3, l.notes));
      }
      t.lines.push_back(std::move(l));
    }
    if (t.lines.empty()) t.title += fmt::format(": {}", not_measured_text);
    out.push_back(std::move(t));
  }
  return out;
}

std::vector<table> sort_stop_tables(const topic_context& c) {
  constexpr const char* kinds[] = {"sorted", "nearly sorted", "reversed"};
  table out{"Sorts that end once two passes changed nothing: us (passes)",
            {{"how"}, {"n", true}, {"random", true}},
            {}};
  for (const char* kind : kinds) out.columns.push_back({kind, true});
  for (const bool three_keys : {false, true})
    for (const sort_curve& one : sort_curves(c.of, three_keys))
      for (const double n : shown_sizes(c.of, one)) {
        const std::string first = std::string(" when ") + kinds[0];
        if (one.id.empty() || counted(c.of, one, n, "time", first) == nullptr) continue;
        line l{{one.name, exact(n)}, {}};
        const auto add = [&](const std::string& when) {
          const std::string us = value_cell(counted(c.of, one, n, "time", when), 1, l.notes);
          const measurement* passes = counted(c.of, one, n, "passes", when);
          l.cells.push_back(passes != nullptr && passes->ok()
                                ? fmt::format("{} ({})", us, fixed(passes->row().value->median, 0))
                                : us);
        };
        add("");
        for (const char* kind : kinds) add(std::string(" when ") + kind);
        out.lines.push_back(std::move(l));
      }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return {out};
}

}  // namespace ptxlab::report
