// SPDX-License-Identifier: Apache-2.0
// X -> P -> X without a barrier: how often it is wrong, and whether warps and blocks are wrong as a
// whole.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view protocol = "races";

/// Runs that were looked at: one value was taken of each.
double runs_of(const results::row& r) {
  double out = 0;
  for (const results::series& s : r.raw) out += static_cast<double>(s.values.size());
  return out > 0 ? out : r.value ? r.value->samples : 0;
}

std::string total_cell(const measurement* m, std::vector<std::string>& notes) {
  if (m == nullptr || !m->ok()) return value_cell(m, 0, notes);
  const auto sum = total(m->row());
  return sum ? fixed(*sum, 0) : "no run kept";
}

}  // namespace

std::vector<table> race_tables(const topic_context& c) {
  table out{"X -> P -> X without a barrier: what was wrong, over all runs",
            {{"kernel"},
             {"grid", true},
             {"threads", true},
             {"skew", true},
             {"runs", true},
             {"wrong", true},
             {"elements", true, false, 1},
             {"warps", true},
             {"in part", true},
             {"blocks", true},
             {"in part", true}},
            {}};
  std::set<std::pair<std::string, std::map<std::string, double>>> points;
  for (const measurement& m : c.of.measurements)
    if (m.row().protocol == protocol) points.insert({m.row().id, m.row().axes});
  for (const auto& [id, axes] : points) {
    const auto at = [&](const char* quantity) { return find(c.of, id, quantity, axes); };
    const auto axis = [&](const char* name) {
      const auto found = axes.find(name);
      return found == axes.end() ? absent : exact(found->second);
    };
    const measurement* wrong = at("wrong runs");
    line l{{operation_of(id), axis("blocks"), axis("threads"), axis("skew_cycles"),
            wrong != nullptr && wrong->ok() ? fixed(runs_of(wrong->row()), 0) : not_measured_text},
           {}};
    for (const char* quantity : {"wrong runs", "wrong elements", "wrong warps",
                                 "wrong warps in part", "wrong blocks", "wrong blocks in part"})
      l.cells.push_back(total_cell(at(quantity), l.notes));
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += ": " + std::string(not_measured_text);
  return {out};
}

}  // namespace ptxlab::report
