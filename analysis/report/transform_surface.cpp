// SPDX-License-Identifier: Apache-2.0
// Figure 5 of 2012 as maps: how much longer a rival takes than the best barrier, over blocks and
// threads. One map for each rival, so that all of them have the same colours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// Beyond this, in either direction, a ratio has the last colour.
constexpr double strongest = 4;

bool is_rival(const std::string& id) {
  const std::string name = transform_label(id);
  return id.starts_with("barrier/launches/") || name.starts_with("cooperative") ||
         name.starts_with("wrapping");  // as in 2012: volatile, the counter wraps to 0
}

std::string file_part(const std::string& text) {
  std::string out;
  for (const char c : text)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  return out;
}

std::string ticks(const std::set<double>& all) {
  std::string out;
  std::size_t place = 0;
  for (const double v : all)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", quoted(exact(v)), place++);
  return out;
}

std::size_t place(const std::set<double>& all, double value) {
  return static_cast<std::size_t>(std::distance(all.begin(), all.find(value)));
}

using points = std::map<transform_point, const measurement*>;

/// Cells of the map: a ratio where both were measured, else in words what is missing.
struct cells {
  std::string ratios, words;
};

cells cells_of(const points& rival, const points& best, const std::set<double>& blocks,
               const std::set<double>& threads) {
  cells out;
  for (const auto& [p, theirs] : rival) {
    const auto at = best.find(p);
    const measurement* ours = at == best.end() ? nullptr : at->second;
    const std::string where =
        fmt::format("{} {}", place(blocks, p.blocks), place(threads, p.threads));
    if (ours == nullptr || !ours->ok() || !theirs->ok()) {
      const std::string why = !theirs->ok() ? results::name(theirs->row().state)
                              : ours == nullptr
                                  ? "no barrier"
                                  : std::string("barrier ") + results::name(ours->row().state);
      out.words += fmt::format("{} {}\n", where, "\"" + why + "\"");
      continue;
    }
    const double ratio = theirs->row().value->median / ours->row().value->median;
    const double colour = std::clamp(std::log2(ratio), -std::log2(strongest), std::log2(strongest));
    out.ratios += fmt::format("{} {:.4f} {:.2f} {}\n", where, colour, ratio,
                              std::abs(colour) > 1.2 ? "0xffffff" : "0x202020");
  }
  return out;
}

figure drawn(const topic_context& c, const std::string& terms, const std::string& id,
             const points& rival, const std::string& best_name, const points& best) {
  std::set<double> blocks, threads;
  for (const auto& [p, m] : rival) {
    blocks.insert(p.blocks);
    threads.insert(p.threads);
  }
  const cells all = cells_of(rival, best, blocks, threads);
  const std::string rival_name = transform_label(id);
  const std::string what = fmt::format("Time of {} over that of {}, {} (above 1: the barrier wins)",
                                       rival_name, best_name, terms);
  std::string out = title_of(what, c.of);
  out += fmt::format("set xtics ({}) scale 0\nset ytics ({}) scale 0\n", ticks(blocks),
                     ticks(threads));
  out += fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]\n",
                     static_cast<double>(blocks.size()) - 0.5,
                     static_cast<double>(threads.size()) - 0.5);
  out += "set xlabel 'blocks'\nset ylabel 'threads per block'\n";
  // Blue where the barrier wins, orange where the rival does, white between.
  out +=
      "set palette defined (-2 '#b35806', -1 '#fdb863', 0 '#f7f7f7', 1 '#92c5de', 2 '#2166ac')\n"
      "set cbrange [-2:2]\nset cbtics ('1/4' -2, '1/2' -1, '1' 0, '2' 1, '4' 2)\n"
      "set cblabel 'ratio of times'\nunset grid\nunset key\nset border 0\n";
  std::string plots;
  if (!all.ratios.empty()) {
    out += "$map << EOD\n" + all.ratios + "EOD\n";
    plots =
        "$map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor palette "
        "fillstyle solid border linecolor rgb 'white', \\\n"
        "  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',10' textcolor rgb "
        "variable";
  }
  if (!all.words.empty()) {
    out += "$words << EOD\n" + all.words + "EOD\n";
    plots += std::string(plots.empty() ? "" : ", \\\n  ") +
             "$words using 1:2:3 with labels font ',8' textcolor rgb '#808080'";
  }
  return {fmt::format("surface-{}-{}", file_part(terms), file_part(rival_name)),
          out + "plot " + plots + "\n", what};
}

}  // namespace

std::vector<figure> surface_figures(const topic_context& c) {
  std::vector<figure> out;
  const auto best = best_of(c);
  if (!best) return out;
  const std::string best_id = barrier_id(best->name, "transform");
  for (const auto& [terms, by_id] : transforms_of(c.of)) {
    const auto ours = by_id.find(best_id);
    if (ours == by_id.end()) continue;
    for (const auto& [id, rival] : by_id)
      if (id != best_id && is_rival(id))
        out.push_back(drawn(c, terms, id, rival, best->text(), ours->second));
  }
  return out;
}

std::vector<figure> diagonal_figures(const topic_context& c) {
  constexpr double threads_in_all = 1024;
  std::vector<figure> out;
  for (const auto& [terms, by_id] : transforms_of(c.of)) {
    std::string data, plots;
    std::set<double> blocks;
    std::size_t number = 0;
    for (const auto& [id, at] : by_id) {
      std::string curve;
      for (const auto& [p, m] : at) {
        if (p.blocks * p.threads != threads_in_all || !m->ok()) continue;
        const results::summary& v = *m->row().value;
        curve += fmt::format("{} {} {} {}\n", exact(p.blocks), exact(v.median), exact(v.p5),
                             exact(v.p95));
        blocks.insert(p.blocks);
      }
      if (curve.empty()) continue;
      data += fmt::format("$curve{} << EOD\n{}EOD\n", number, curve);
      plots += fmt::format(
          "{}$curve{} using 1:2 with linespoints linewidth {} dashtype {} pointtype {} pointsize "
          "0.9 linecolor rgb '{}' title {}",
          number == 0 ? "" : ", \\\n  ", number, id.starts_with("barrier/launches/") ? 3 : 2,
          1 + number / colours_apart, 4 + number % 10, colour_of(number),
          quoted(transform_label(id)));
      ++number;
    }
    if (blocks.size() < 2) continue;
    std::string ticks_at;
    for (const double b : blocks)
      ticks_at += fmt::format("{}'{} x {}' {}", ticks_at.empty() ? "" : ", ", exact(b),
                              exact(threads_in_all / b), exact(b));
    const std::string what = fmt::format(
        "{:.0f} threads in all, split differently: X -> P -> X, {}", threads_in_all, terms);
    std::string text = title_of(what, c.of);
    text += fmt::format("set logscale x 2\nset xrange [{}:{}]\nset xtics ({})\n",
                        exact(*blocks.begin() / 1.2), exact(*blocks.rbegin() * 1.2), ticks_at);
    text += "set xlabel 'blocks x threads'\nset ylabel 'us'\nset yrange [0:*]\n";
    text += "set key outside right center Left reverse samplen 2 font ',10'\n";
    out.push_back(
        {fmt::format("diagonal-{}", file_part(terms)), text + data + "plot " + plots + "\n", what});
  }
  return out;
}

}  // namespace ptxlab::report
