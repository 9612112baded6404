// SPDX-License-Identifier: Apache-2.0
// X -> P -> X by every way to wait: which rows there are, and the points that a table shows.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view launches = "barrier/launches/";

/// What a sum runs over, and how many elements there are where that is not the usual.
std::string class_of(const std::map<std::string, double>& axes) {
  const auto value = [&](const char* axis) {
    const auto at = axes.find(axis);
    return at == axes.end() ? 0 : at->second;
  };
  const double n = value("n"), terms = value("terms");
  std::string out = terms == n ? "all terms" : fmt::format("{} terms", exact(terms));
  if (n != value("blocks") * value("threads")) out += fmt::format(", n = {}", exact(n));
  return out;
}

/// Columns of the table, those that anything was measured at.
std::vector<transform_point> shown_points(const topic_context& c,
                                          const transform_points::mapped_type& by_id) {
  std::vector<transform_point> out = {{2, 64}};  // the shape of 2012
  if (const auto sms = multiprocessors(c.of))
    for (const auto& [per_sm, threads] : {std::pair{1.0, 64.0}, std::pair{1.0, usual_threads},
                                          std::pair{1.0, 1024.0}, std::pair{2.0, usual_threads}})
      out.push_back({*sms * per_sm, threads});
  std::erase_if(out, [&](const transform_point& p) {
    return std::none_of(by_id.begin(), by_id.end(),
                        [&](const auto& one) { return one.second.contains(p); });
  });
  return out;
}

}  // namespace

std::string transform_label(const std::string& id) {
  if (id.starts_with(launches)) {
    const std::string how = id.substr(launches.size());
    return how == "stream"      ? "stream launches"
           : how == "graph"     ? "graph"
           : how == "dependent" ? "dependent launches"
                                : how;
  }
  std::string out = id.starts_with("barrier/") ? id.substr(8) : id;
  if (out.ends_with("/transform")) out.resize(out.size() - 10);
  return out;
}

transform_points transforms_of(const section& s) {
  transform_points out;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (r.quantity != "transform" || r.unit != "us" || !r.axes.contains("blocks") ||
        !r.axes.contains("threads"))
      continue;
    const measurement*& at =
        out[class_of(r.axes)][r.id][{r.axes.at("blocks"), r.axes.at("threads")}];
    if (at == nullptr || !at->ok()) at = &m;
  }
  return out;
}

std::vector<table> transform_tables(const topic_context& c) {
  std::vector<table> out;
  for (const auto& [name, by_id] : transforms_of(c.of)) {
    const std::vector<transform_point> points = shown_points(c, by_id);
    table t{fmt::format("X -> P -> X, {}: us, two waits each", name), {{"how it waits"}}, {}};
    for (const transform_point& p : points)
      t.columns.push_back({fmt::format("{} x {}", exact(p.blocks), exact(p.threads)), true});
    std::vector<std::pair<double, line>> lines;
    for (const auto& [id, at] : by_id) {
      line l{{transform_label(id)}, {}};
      double rank = 1e300;
      for (const transform_point& p : points) {
        const auto found = at.find(p);
        const measurement* m = found == at.end() ? nullptr : found->second;
        l.cells.push_back(value_cell(m, 3, l.notes));
        if (m != nullptr && m->ok()) rank = m->row().value->median;
      }
      lines.emplace_back(rank, std::move(l));
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (auto& [rank, l] : lines) t.lines.push_back(std::move(l));
    out.push_back(std::move(t));
  }
  if (out.empty()) out.push_back({fmt::format("X -> P -> X: {}", not_measured_text), {{""}}, {}});
  return out;
}

}  // namespace ptxlab::report
