// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/throughput.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/report/cells.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

line plateau_line(const measurement& m, const section& s, const published& others) {
  const results::row& r = m.row();
  const results::summary& v = *r.value;
  const int decimals = decimals_for(v.median);
  const auto at = reached(surface_of(r, s), v.median);
  line out;
  out.cells = {operation_of(r.id),
               r.sass.empty() ? absent : r.sass,
               fixed(v.median, decimals),
               at ? exact(at->ilp) : absent,
               at ? exact(at->warps) : absent,
               fixed(v.min, decimals),
               fixed(v.mad, decimals),
               fmt::format("{} to {}", fixed(v.p5, decimals), fixed(v.p95, decimals))};
  for (std::string& cell : resource_cells(r)) out.cells.push_back(std::move(cell));
  out.cells.push_back(published_cell(r, others));
  out.notes = notes_of(m, others);
  return out;
}

line lost_line(const measurement& m, const published& others) {
  line out;
  out.cells = {operation_of(m.row().id),
               m.row().sass.empty() ? absent : m.row().sass,
               absent,
               absent,
               absent,
               absent,
               absent,
               absent};
  for (std::string& cell : resource_cells(m.row())) out.cells.push_back(std::move(cell));
  out.cells.push_back(published_cell(m.row(), others));
  out.notes = {"a surface without a plateau"};
  return out;
}

}  // namespace

bool is_throughput(const results::row& r) {
  // A swept operand is the only axis of its rows; those of a surface that failed know their warps.
  return r.protocol == "throughput" && (r.axes.empty() || r.axes.contains("ilp") ||
                                        r.axes.contains("warps") || r.quantity == "plateau");
}

std::vector<surface_point> surface_of(const results::row& of, const section& s) {
  std::vector<surface_point> out;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    // The plateau stands at a point too, but is none of the surface.
    if (!m.ok() || r.quantity != "throughput" || r.id != of.id ||
        r.cubin_sha256 != of.cubin_sha256 || !r.axes.contains("ilp") || !r.axes.contains("warps"))
      continue;
    out.push_back({r.axes.at("ilp"), r.axes.at("warps"), r.value->median});
  }
  std::sort(out.begin(), out.end(), [](const surface_point& a, const surface_point& b) {
    return std::tie(a.warps, a.ilp) < std::tie(b.warps, b.ilp);
  });
  return out;
}

std::optional<surface_point> reached(const std::vector<surface_point>& surface, double plateau,
                                     double share) {
  const auto cost = [](const surface_point& p) { return std::pair(p.ilp * p.warps, p.warps); };
  std::optional<surface_point> best;
  for (const surface_point& p : surface)
    if (p.value >= share * plateau && (!best || cost(p) < cost(*best))) best = p;
  return best;
}

table throughput_table(const std::vector<const measurement*>& group, const section& s,
                       const published& others) {
  const std::string& unit = group.front()->row().unit;
  table out{fmt::format("{}: throughput in {}", family_of(group.front()->row().id), unit),
            {{"operation"},
             {"SASS", false, true, 2},
             {"plateau", true},
             {"ilp", true},
             {"warps", true},
             {"min", true, false, 5},
             {"MAD", true, false, 4},
             {"p5 to p95", true, false, 3}},
            {}};
  for (column& c : resource_columns(6)) out.columns.push_back(std::move(c));
  out.columns.push_back({"published", false, true, 1});
  std::map<std::pair<std::string, std::string>, std::vector<const measurement*>> by_cubin;
  for (const measurement* m : group) by_cubin[{m->row().id, m->row().cubin_sha256}].push_back(m);
  for (const auto& [key, members] : by_cubin) {
    bool any = false;
    for (const measurement* m : members) {
      if (m->row().quantity != "plateau") continue;
      out.lines.push_back(plateau_line(*m, s, others));
      any = true;
    }
    if (!any) out.lines.push_back(lost_line(*members.front(), others));
  }
  drop_empty_columns(out, absent);
  return out;
}

}  // namespace ptxlab::report
