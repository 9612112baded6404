// SPDX-License-Identifier: Apache-2.0
// The five reductions of 2009 and what came after, beside the ways to one sum in one launch.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/cells.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* five = "reduce/first_five/";
constexpr const char* ways = "reduce/one_launch/";
constexpr const char* of_2009 = "reductions (2009)";

/// "reduce5" of reduce5_as_in_2009, and of reduce1 to reduce4; nothing of what was repaired since.
std::string then_name(const std::string& id) {
  const std::string name = id.substr(std::string(five).size());
  const std::string number = name.substr(0, name.find('_'));
  return number != "reduce5" || name == "reduce5_as_in_2009" ? number : "";
}

std::optional<double> median_of(const measurement* m) {
  return m != nullptr && m->ok() ? std::optional(m->row().value->median) : std::nullopt;
}

std::string ratio_cell(const std::optional<double>& of, const std::optional<double>& to) {
  return of && to ? fixed(*of / *to, 2) : absent;
}

std::string wrong_cell(const section& s, const std::string& id, double n) {
  const measurement* m = sum_at(s, id, "wrong sums", n);
  return m == nullptr || !m->ok()
             ? "none"
             : fmt::format("{:.0f} of {}", m->row().value->median, m->row().value->samples);
}

/// The largest size that the first of `ids` has a row of.
std::optional<double> largest(const section& s, const std::vector<std::string>& ids) {
  if (ids.empty()) return {};
  const std::vector<double> sizes = sizes_of(s, ids.front(), "time");
  return sizes.empty() ? std::nullopt : std::optional(sizes.back());
}

line five_line(const topic_context& c, const std::string& name, const std::string& id, double n,
               const std::string& first, bool rival = false) {
  line l{{name}, {}};
  const historical_value* then = nullptr;
  const historical_value* then_first = c.then.find(of_2009, "reduce1", "time");
  if (id.starts_with(five)) then = c.then.find(of_2009, then_name(id), "time");
  l.cells.push_back(then == nullptr ? absent : fixed(then->value, 2));
  l.cells.push_back(then == nullptr || then_first == nullptr
                        ? absent
                        : fixed(then_first->value / then->value, 2));
  const measurement* m = rival ? rival_at(c.of, id, "time of cub", n) : sum_at(c.of, id, "time", n);
  l.cells.push_back(time_cell(m, l.notes));
  l.cells.push_back(ratio_cell(median_of(sum_at(c.of, first, "time", n)), median_of(m)));
  const measurement* rate = rival ? nullptr : sum_at(c.of, id, "bandwidth", n);
  l.cells.push_back(rate != nullptr && rate->ok() ? fixed(rate->row().value->median, 0) : absent);
  l.cells.push_back(rival ? absent : wrong_cell(c.of, id, n));
  const results::row none;
  for (std::string& cell : resource_cells(rival || m == nullptr ? none : m->row()))
    l.cells.push_back(std::move(cell));
  return l;
}

}  // namespace

std::vector<table> first_five_tables(const topic_context& c) {
  const std::vector<std::string> ids = sums_of(c.of, five);
  const auto n = largest(c.of, ids);
  if (!n) return {{std::string("The five of 2009: ") + not_measured_text, {{"kernel"}}, {}}};
  table out{fmt::format("The five of 2009 and after, N = {}", size_name(*n)),
            {{"kernel"},
             {"2009, ms", true},
             {"times as fast as the first, 2009", true},
             {"here, us", true},
             {"times as fast as the first", true},
             {"GB/s", true},
             {"wrong sums", true}},
            {}};
  for (column& one : resource_columns(1)) out.columns.push_back(std::move(one));
  const std::string& first = ids.front();
  const std::string best = best_sum(c.of);
  for (const std::string& id : ids)
    out.lines.push_back(five_line(c, id.substr(std::string(five).size()), id, *n, first));
  out.lines.push_back(five_line(c, "by unroll factor 7", unrolled_id, *n, first));
  if (!best.empty()) out.lines.push_back(five_line(c, operation_of(best), best, *n, first));
  out.lines.push_back(five_line(c, "CUB", best, *n, first, true));
  out.lines.push_back(five_line(c, "reading alone", plain_read(c.of), *n, first));
  return {out};
}

std::vector<table> one_launch_tables(const topic_context& c) {
  const std::vector<std::string> ids = sums_of(c.of, ways);
  std::map<double, std::size_t> kernels;
  for (const std::string& id : ids)
    for (const double n : sizes_of(c.of, id, "time")) ++kernels[n];
  std::size_t most = 0;
  for (const auto& [n, count] : kernels) most = std::max(most, count);
  table out{"One launch, us", {{"kernel"}}, {}};
  for (const auto& [n, count] : kernels)
    if (count == most) out.columns.push_back({"N = " + size_name(n), true});
  out.columns.push_back({"wrong sums", true, false, 1});
  for (column& one : resource_columns(1)) out.columns.push_back(std::move(one));
  const auto add = [&](const std::string& name, const auto& at, const std::string& wrong) {
    line l{{name}, {}};
    const results::row none;
    const results::row* last = &none;
    for (const auto& [n, count] : kernels) {
      if (count != most) continue;
      const measurement* m = at(n);
      l.cells.push_back(time_cell(m, l.notes));
      if (m != nullptr && wrong != absent) last = &m->row();
    }
    l.cells.push_back(wrong);
    for (std::string& cell : resource_cells(*last)) l.cells.push_back(std::move(cell));
    out.lines.push_back(std::move(l));
  };
  for (const std::string& id : ids) {
    const std::vector<double> sizes = sizes_of(c.of, id, "wrong sums");
    add(
        id.substr(std::string(ways).size()), [&](double n) { return sum_at(c.of, id, "time", n); },
        sizes.empty() ? "none" : wrong_cell(c.of, id, sizes.back()));
  }
  const std::string best = best_sum(c.of);
  add(
      "CUB", [&](double n) { return rival_at(c.of, best, "time of cub", n); }, absent);
  add(
      "reading alone", [&](double n) { return sum_at(c.of, plain_read(c.of), "time", n); }, absent);
  if (ids.empty()) out.title += ": " + std::string(not_measured_text);
  return {out};
}

}  // namespace ptxlab::report
