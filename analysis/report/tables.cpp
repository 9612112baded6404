// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "analysis/report/cells.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/throughput.hpp"

namespace ptxlab::report {
namespace {

// Ranks of columns: what a narrow page does without first.
enum rank : int {
  always = 0,
  published_rank,
  sass_rank,
  static_rank,
  timer_rank,
  ns_rank,
  mad_rank,
  min_rank,
  resource_rank
};

bool in_cycles(const std::string& unit) {
  return unit == "cycle";
}

/// "cycles" for "cycle"; other units have no plural.
std::string plural(const std::string& unit) {
  return in_cycles(unit) ? "cycles" : unit;
}

/// Axes whose value is not the same in all of `group`, and those that are, as text for the title.
struct axis_columns {
  std::vector<std::string> varying;
  std::map<std::string, double> same;

  explicit axis_columns(const std::vector<const measurement*>& group) {
    std::set<std::string> names;
    for (const measurement* m : group)
      for (const auto& [axis, value] : m->row().axes) names.insert(axis);
    for (const std::string& axis : names) {
      std::set<std::optional<double>> values;
      for (const measurement* m : group) {
        const auto at = m->row().axes.find(axis);
        values.insert(at == m->row().axes.end() ? std::nullopt : std::optional(at->second));
      }
      if (values.size() > 1)
        varying.push_back(axis);
      else
        same[axis] = **values.begin();
    }
  }
};

std::vector<column> columns_of(const std::string& unit, const axis_columns& axes) {
  std::vector<column> out = {{"operation"}};
  for (const std::string& axis : axes.varying) out.push_back({axis_title(axis), true});
  out.push_back({"SASS", false, true, sass_rank});
  out.push_back({plural(unit), true});
  if (in_cycles(unit)) out.push_back({"ns", true, false, ns_rank});
  if (in_cycles(unit)) out.push_back({"ns by timer", true, false, timer_rank});
  out.push_back({"min", true, false, min_rank});
  out.push_back({"MAD", true, false, mad_rank});
  out.push_back({"p5 to p95", true});
  if (in_cycles(unit)) out.push_back({"static", true, false, static_rank});
  for (column& c : resource_columns(resource_rank)) out.push_back(std::move(c));
  out.push_back({"published", false, true, published_rank});
  return out;
}

line line_of(const measurement& m, const axis_columns& axes, int decimals,
             const published& others) {
  const results::row& r = m.row();
  const results::summary& v = *r.value;
  line out;
  out.cells.push_back(operation_of(r.id));
  for (const std::string& axis : axes.varying) {
    const auto at = r.axes.find(axis);
    out.cells.push_back(at == r.axes.end() ? absent : axis_text(axis, at->second));
  }
  out.cells.push_back(r.sass.empty() ? absent : r.sass);
  out.cells.push_back(fixed(v.median, decimals));
  if (in_cycles(r.unit)) {
    const auto ns = nanoseconds(v.median, r.sm_clock_mhz);
    out.cells.push_back(ns ? fixed(*ns, 2) : absent);
    out.cells.push_back(r.by_timer_ns ? fixed(*r.by_timer_ns, 2) : absent);
  }
  out.cells.push_back(fixed(v.min, decimals));
  out.cells.push_back(fixed(v.mad, decimals));
  out.cells.push_back(fmt::format("{} to {}", fixed(v.p5, decimals), fixed(v.p95, decimals)));
  if (in_cycles(r.unit)) out.cells.push_back(r.static_cycles ? exact(*r.static_cycles) : absent);
  for (std::string& cell : resource_cells(r)) out.cells.push_back(std::move(cell));
  out.cells.push_back(published_cell(r, others));
  out.notes = notes_of(m, others);
  return out;
}

table table_of(const std::vector<const measurement*>& group, const published& others) {
  const axis_columns axes(group);
  const results::row& first = group.front()->row();
  double largest = 0;
  for (const measurement* m : group) largest = std::max(largest, std::abs(m->row().value->median));
  table out;
  out.title = fmt::format("{}: {} in {}", family_of(first.id), first.quantity, plural(first.unit));
  if (!axes.same.empty()) out.title += fmt::format(" ({})", axes_text(axes.same));
  out.columns = columns_of(first.unit, axes);
  for (const measurement* m : group)
    out.lines.push_back(line_of(*m, axes, decimals_for(largest), others));
  drop_empty_columns(out, absent);
  return out;
}

table not_measured(const section& s) {
  table out{"Not measured",
            {{"id", false, true},
             {"axes", false, true},
             {"quantity", false, false, 1},
             {"state"},
             {"reason", false, true}},
            {}};
  for (const measurement& m : s.measurements) {
    if (m.ok()) continue;
    const results::row& r = m.row();
    line l{{r.id, r.axes.empty() ? absent : axes_text(r.axes), r.quantity, results::name(r.state),
            r.reason.empty() ? "no reason given" : r.reason},
           {}};
    if (m.runs.size() > 1) l.notes.push_back(fmt::format("in {} runs", m.runs.size()));
    out.lines.push_back(std::move(l));
  }
  return out;
}

}  // namespace

std::optional<double> nanoseconds(double cycles, double sm_clock_mhz) {
  if (sm_clock_mhz <= 0) return {};
  return cycles * 1000 / sm_clock_mhz;
}

std::vector<table> tables_of(const section& s, const published& others) {
  // Family, then throughput after the rest, then quantity and unit.
  std::map<std::tuple<std::string, bool, std::string, std::string>, std::vector<const measurement*>>
      groups;
  bool all_ok = true;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    all_ok &= m.ok();
    const bool surface = is_throughput(r);
    if (m.ok()) groups[{family_of(r.id), surface, surface ? "" : r.quantity, r.unit}].push_back(&m);
  }
  std::vector<table> out;
  out.reserve(groups.size() + 1);
  for (const auto& [key, group] : groups)
    out.push_back(std::get<1>(key) ? throughput_table(group, s, others) : table_of(group, others));
  if (!all_ok) out.push_back(not_measured(s));
  return out;
}

}  // namespace ptxlab::report
