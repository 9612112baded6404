// SPDX-License-Identifier: Apache-2.0
// Rounds of a bare barrier over blocks and threads, as a table for each block size and as curves.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// Every value of `axis` among the bare rounds that fit `at`.
std::set<double> values_of(const section& s, const std::string& axis,
                           const std::optional<double>& threads) {
  std::set<double> out;
  for (const std::string& name : barriers_of(s))
    for (const measurement& m : s.measurements) {
      const results::row& r = m.row();
      if (r.id != barrier_id(name, "bare") || !r.axes.contains(axis)) continue;
      if (threads && (!r.axes.contains("threads") || r.axes.at("threads") != *threads)) continue;
      out.insert(r.axes.at(axis));
    }
  return out;
}

table table_of(const topic_context& c, double threads) {
  const std::set<double> blocks = values_of(c.of, "blocks", threads);
  table out{fmt::format("A bare round, blocks of {:.0f} threads: cycles over blocks", threads),
            {{"barrier"}},
            {}};
  for (const double b : blocks) out.columns.push_back({exact(b), true});
  for (const std::string& name : barriers_of(c.of)) {
    line l{{name}, {}};
    bool any = false;
    for (const double b : blocks) {
      const measurement* m =
          find(c.of, barrier_id(name, "bare"), "latency", {{"blocks", b}, {"threads", threads}});
      any |= m != nullptr;
      l.cells.push_back(value_cell(m, 0, l.notes));
    }
    if (any) out.lines.push_back(std::move(l));
  }
  return out;
}

/// Block sizes that get a figure: the smallest, the usual one, the largest.
std::set<double> drawn_sizes(const section& s) {
  const std::set<double> all = values_of(s, "threads", {});
  std::set<double> out;
  if (all.empty()) return out;
  out.insert(*all.begin());
  out.insert(*all.rbegin());
  if (all.contains(usual_threads)) out.insert(usual_threads);
  return out;
}

std::string block_ticks(const std::set<double>& all) {
  std::string out;
  double last = 0;
  for (const double b : all) {
    if (last > 0 && b < last * 1.12) continue;  // its text would lie over the one before
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", quoted(exact(b)), exact(b));
    last = b;
  }
  return out;
}

figure drawn(const topic_context& c, double threads) {
  const std::set<double> blocks = values_of(c.of, "blocks", threads);
  std::string data, plots;
  std::size_t number = 0;
  for (const std::string& name : barriers_of(c.of)) {
    std::string points;
    for (const double b : blocks) {
      const measurement* m =
          find(c.of, barrier_id(name, "bare"), "latency", {{"blocks", b}, {"threads", threads}});
      if (m == nullptr || !m->ok()) continue;
      const results::summary& v = *m->row().value;
      points += fmt::format("{} {} {} {}\n", exact(b), exact(v.median), exact(v.p5), exact(v.p95));
    }
    if (points.empty()) continue;
    data += fmt::format("$curve{} << EOD\n{}EOD\n", number, points);
    plots += fmt::format(
        "{}$curve{} using 1:2:3:4 with yerrorbars pointtype -1 linewidth 1 linecolor rgb '{}' "
        "notitle, \\\n  $curve{} using 1:2 with linespoints linewidth 2 dashtype {} pointtype {} "
        "pointsize 0.9 linecolor rgb '{}' title {}",
        number == 0 ? "" : ", \\\n  ", number, colour_of(number), number,
        1 + number / colours_apart, 4 + number % 10, colour_of(number), quoted(name));
    ++number;
  }
  const std::string what = fmt::format(
      "A bare round of each barrier, blocks of {:.0f} threads (bars: p5 to p95)", threads);
  std::string out = title_of(what, c.of);
  out += fmt::format("set logscale x 2\nset xrange [{}:{}]\nset xtics ({})\n",
                     exact(*blocks.begin() / 1.15), exact(*blocks.rbegin() * 1.15),
                     block_ticks(blocks));
  out += "set xlabel 'blocks'\nset ylabel 'cycles'\nset yrange [0:*]\n";
  out += "set key outside right center Left reverse samplen 2 font ',10'\n";
  return {fmt::format("barrier_cost-{:.0f}", threads),
          number == 0 ? "" : out + data + "plot " + plots + "\n", what};
}

}  // namespace

std::vector<table> cost_tables(const topic_context& c) {
  std::vector<table> out;
  for (const double threads : values_of(c.of, "threads", {})) out.push_back(table_of(c, threads));
  if (out.empty())
    out.push_back(
        {fmt::format("A bare round over blocks: {}", not_measured_text), {{"barrier"}}, {}});
  return out;
}

std::vector<figure> cost_figures(const topic_context& c) {
  std::vector<figure> out;
  for (const double threads : drawn_sizes(c.of)) {
    figure f = drawn(c, threads);
    if (!f.commands.empty()) out.push_back(std::move(f));
  }
  return out;
}

}  // namespace ptxlab::report
