// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/sorting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view family = "sort/", of_rival = "time of ";

// What this project set itself (docs/handbook/sorting.md).
constexpr double wanted_elements = 1024, wanted_us = 60;

bool is_of_three_keys(const std::string& id) {
  return id.ends_with("/three_keys");
}

double axis(const results::row& r, const char* name) {
  const auto at = r.axes.find(name);
  return at == r.axes.end() ? 0 : at->second;
}

bool is_time(const results::row& r) {
  return r.id.starts_with(family) && r.axes.contains("elements") &&
         (r.quantity == "time" || r.quantity.starts_with(of_rival));
}

/// Where a curve stands: one block, launches, one kernel, rivals.
int rank_of(const sort_curve& c) {
  if (c.quantity != "time") return 3;
  return c.id.starts_with("sort/block/") ? 0 : c.id.starts_with("sort/launches/") ? 1 : 2;
}

std::string name_of(const sort_curve& c) {
  if (c.quantity != "time") {
    const std::string who = c.quantity.substr(of_rival.size());
    return who == "cub" ? "CUB, radix sort" : who == "one core" ? "one core of the host" : who;
  }
  constexpr const char* places[] = {"one block", "launches", "one kernel"};
  std::string out = fmt::format("{}: {}", places[rank_of(c)], operation_of(c.id));
  if (c.looks == 1) out += ", looks after each launch";
  if (c.looks > 1) out += fmt::format(", looks every {}", exact(c.looks));
  return out;
}

/// Two digits, however small it is: "0.00058".
std::string ratio_text(double ratio) {
  return fmt::format("{:.2g}", ratio);
}

/// Does the same with more work: its time is in the tables.
bool is_variation(const std::string& id) {
  return id.ends_with("_f32") || id.ends_with("_counted") || id.ends_with("_until_unchanged");
}

std::string points_of(const section& s, const sort_curve& c, bool three_keys) {
  std::string out;
  for (const double n : sort_sizes(s, three_keys)) {
    const measurement* m = sort_row(s, c, n);
    if (m != nullptr && m->ok())
      out += fmt::format("{} {}\n", exact(n), exact(m->row().value->median));
  }
  return out;
}

figure drawn(const topic_context& c, bool three_keys) {
  std::string data, plots;
  std::size_t number = 0;
  for (const sort_curve& one : sort_curves(c.of, three_keys)) {
    const std::string points = points_of(c.of, one, three_keys);
    if (points.empty() || is_variation(one.id)) continue;
    data += fmt::format("$curve{} << EOD\n{}EOD\n", number, points);
    plots += fmt::format(
        "{}$curve{} using 1:2 with linespoints linewidth 2 dashtype {} pointtype {} pointsize 0.9 "
        "linecolor rgb '{}' title {}",
        number == 0 ? "" : ", \\\n  ", number, 1 + rank_of(one), 4 + number % 10, colour_of(number),
        quoted(one.name));
    ++number;
  }
  if (number == 0) return {};
  const std::string what =
      three_keys ? "Sorting by order, level and value, with payload" : "Sorting random keys";
  std::string out = title_of(what, c.of);
  out += "set logscale xy\nset xlabel 'elements'\nset ylabel 'microseconds'\n";
  out += "set key outside right center Left reverse samplen 2 font ',10'\n";
  return {three_keys ? "sorting-three_keys" : "sorting-keys", out + data + "plot " + plots + "\n",
          what + ": time over the number of elements"};
}

table table_of(const topic_context& c, bool three_keys) {
  table out{three_keys ? "Sorting by order, level and value with four columns: us over elements"
                       : "Sorting random keys: us over elements",
            {{"how"}},
            {}};
  const std::vector<double> sizes = sort_sizes(c.of, three_keys);
  for (const double n : sizes) out.columns.push_back({exact(n), true});
  for (const sort_curve& one : sort_curves(c.of, three_keys)) {
    line l{{one.name}, {}};
    for (const double n : sizes) {
      const measurement* m = sort_row(c.of, one, n);
      // Few kernels are meant for all sizes.
      l.cells.push_back(m == nullptr ? absent : value_cell(m, 1, l.notes));
    }
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return out;
}

}  // namespace

std::vector<sort_curve> sort_curves(const section& s, bool three_keys) {
  std::vector<sort_curve> out;
  std::set<std::tuple<std::string, double>> rivals;  // they are timed beside several kernels
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (!is_time(r) || is_of_three_keys(r.id) != three_keys) continue;
    sort_curve c{r.id, r.quantity, axis(r, "looks"), three_keys, ""};
    if (c.quantity != "time") c.id.clear();
    c.name = name_of(c);
    if (std::none_of(out.begin(), out.end(), [&](const sort_curve& o) { return o.name == c.name; }))
      out.push_back(std::move(c));
  }
  std::stable_sort(out.begin(), out.end(), [](const sort_curve& a, const sort_curve& b) {
    return std::tuple(rank_of(a), a.id, a.looks) < std::tuple(rank_of(b), b.id, b.looks);
  });
  return out;
}

std::vector<double> sort_sizes(const section& s, bool three_keys) {
  std::set<double> out;
  for (const measurement& m : s.measurements)
    if (is_time(m.row()) && is_of_three_keys(m.row().id) == three_keys)
      out.insert(axis(m.row(), "elements"));
  return {out.begin(), out.end()};
}

const measurement* sort_row(const section& s, const sort_curve& c, double elements,
                            const std::string& quantity) {
  const measurement* found = nullptr;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (!r.id.starts_with(family) || r.quantity != (quantity.empty() ? c.quantity : quantity) ||
        axis(r, "elements") != elements || axis(r, "looks") != c.looks ||
        is_of_three_keys(r.id) != c.three_keys)
      continue;
    if (!c.id.empty() && r.id != c.id) continue;
    if (found == nullptr || (m.ok() && !found->ok())) found = &m;
  }
  return found;
}

std::vector<table> sort_target_tables(const topic_context& c) {
  table out{"What was to be reached",
            {{"what", false, true}, {"wanted"}, {"found", false, true}, {""}},
            {}};
  const measurement* best = nullptr;
  for (const sort_curve& one : sort_curves(c.of, false)) {
    if (!one.id.starts_with("sort/block/")) continue;
    const measurement* m = sort_row(c.of, one, wanted_elements);
    if (m == nullptr || !m->ok()) continue;
    if (best == nullptr || m->row().value->median < best->row().value->median) best = m;
  }
  line l{{fmt::format("{} keys in one block", exact(wanted_elements)),
          fmt::format("at most {} us", exact(wanted_us)), not_measured_text, "cannot tell"},
         {}};
  if (best != nullptr) {
    const double us = best->row().value->median;
    l.cells[2] = fmt::format("{} us, {}", fixed(us, 1), best->row().id);
    l.cells[3] = us <= wanted_us ? "met" : "missed";
  }
  out.lines.push_back(std::move(l));
  return {out};
}

std::vector<table> sort_time_tables(const topic_context& c) {
  return {table_of(c, false), table_of(c, true)};
}

std::vector<table> sort_rival_tables(const topic_context& c) {
  table out{"The fastest sort of random keys here, and rivals: us",
            {{"n", true}, {"the fastest here"}, {"us", true}},
            {}};
  std::vector<sort_curve> ours, rivals;
  for (const sort_curve& one : sort_curves(c.of, false))
    (one.id.empty() ? rivals : ours).push_back(one);
  for (const sort_curve& r : rivals) {
    out.columns.push_back({r.name, true});
    out.columns.push_back({r.name + " / ours", true});
  }
  for (const double n : sort_sizes(c.of, false)) {
    const sort_curve* fastest = nullptr;
    double us = 0;
    for (const sort_curve& one : ours) {
      const measurement* m = sort_row(c.of, one, n);
      if (m == nullptr || !m->ok() || (fastest != nullptr && m->row().value->median >= us))
        continue;
      fastest = &one;
      us = m->row().value->median;
    }
    line l{{exact(n), fastest == nullptr ? not_measured_text : fastest->name,
            fastest == nullptr ? not_measured_text : fixed(us, 1)},
           {}};
    for (const sort_curve& r : rivals) {
      const measurement* m = sort_row(c.of, r, n);
      l.cells.push_back(value_cell(m, 1, l.notes));
      l.cells.push_back(m != nullptr && m->ok() && us > 0 ? ratio_text(m->row().value->median / us)
                                                          : absent);
    }
    out.lines.push_back(std::move(l));
  }
  if (out.lines.empty()) out.title += fmt::format(": {}", not_measured_text);
  return {out};
}

std::vector<figure> sort_time_figures(const topic_context& c) {
  std::vector<figure> out;
  for (const bool three_keys : {false, true}) {
    figure f = drawn(c, three_keys);
    if (!f.commands.empty()) out.push_back(std::move(f));
  }
  return out;
}

}  // namespace ptxlab::report
