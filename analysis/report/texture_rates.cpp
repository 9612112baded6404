// SPDX-License-Identifier: Apache-2.0
// Texels that the whole device reads in a second: a table by path and direction, and bars.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/textures.hpp"

namespace ptxlab::report {
namespace {

/// A way to read, in the order of the table.
struct way {
  const char* kernel;
  bool filtered;
  const char* title;
  std::size_t rival;    ///< the loads that it stands beside
  double channels = 1;  ///< of f32
  unsigned dimensions = 2;
};
constexpr way ways[] = {{"load", false, "load", 0},
                        {"linear", false, "tex1Dfetch", 0},
                        {"pitch_2d", false, "tex2D, pitch", 0},
                        {"array_2d", false, "tex2D", 0},
                        {"array_3d", false, "tex3D", 0, 1, 3},
                        {"load_filtered", true, "loads, by hand", 5},
                        {"pitch_2d", true, "tex2D, pitch, filter", 5},
                        {"array_2d", true, "tex2D, filter", 5},
                        {"array_3d", true, "tex3D, filter", 5, 1, 3},
                        {"load_x4", false, "load, 16 B", 9, 4},
                        {"array_2d_x4", false, "tex2D, 16 B", 9, 4},
                        {"array_2d_x4", true, "tex2D, 16 B, filter", 9, 4}};

struct view {
  bool beyond, columns;
  const char* title;
};
constexpr view views[] = {{false, false, "rows, in L2"},
                          {false, true, "columns, in L2"},
                          {true, false, "rows, beyond L2"},
                          {true, true, "columns, beyond L2"}};

/// Of a plane, or of a cube.
double bytes_of(const way& w, double width) {
  return 4 * w.channels * width * width * (w.dimensions == 3 ? width : 1);
}

/// The row of a way in a view: the smallest texture of those on that side of the L2's size.
const measurement* rate_of(const section& s, const way& w, const view& v) {
  const auto& device = s.files.front()->of.device;
  const auto at = device.find("l2_bytes");
  const auto l2 = at == device.end() ? std::nullopt : number_of(at->second);
  if (!l2) return nullptr;
  const std::string id = fmt::format("texture/walk/{}", w.kernel);
  const measurement* found = nullptr;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (r.id != id || r.quantity != "fetch rate" || !r.axes.contains("width")) continue;
    const auto axis = [&r](const char* name) {
      const auto a = r.axes.find(name);
      return a != r.axes.end() && a->second != 0;
    };
    if (axis("filtered") != w.filtered || axis("columns") != v.columns) continue;
    if ((bytes_of(w, r.axes.at("width")) > *l2) != v.beyond) continue;
    if (found == nullptr || r.axes.at("width") < found->row().axes.at("width")) found = &m;
  }
  return found;
}

}  // namespace

std::vector<table> texture_rate_tables(const topic_context& c) {
  table out{"Gtexel/s, all SMs; in brackets times as fast as loads", {{"path"}}, {}};
  for (const view& v : views) out.columns.push_back({v.title, true});
  for (const way& w : ways) {
    line l{{w.title}, {}};
    const way& rival = ways[w.rival];
    for (const view& v : views) {
      const measurement *m = rate_of(c.of, w, v), *loads = rate_of(c.of, rival, v);
      std::string cell = value_cell(m, 0, l.notes);
      if (m != nullptr && m->ok() && loads != nullptr && loads->ok() && m != loads)
        cell += fmt::format(" ({:.2f})", m->row().value->median / loads->row().value->median);
      l.cells.push_back(std::move(cell));
    }
    out.lines.push_back(std::move(l));
  }
  return {out};
}

std::vector<figure> texture_rate_figures(const topic_context& c) {
  const std::string what = "Texels that the whole device reads in a second";
  std::string data;
  double most = 0;
  for (const way& w : ways) {
    std::string cells;
    for (const view& v : views) {
      const measurement* m = rate_of(c.of, w, v);
      const bool ok = m != nullptr && m->ok();
      if (ok) most = std::max(most, m->row().value->median);
      cells += ok ? fmt::format(" {:.1f}", m->row().value->median) : " NaN";
    }
    data += fmt::format("\"{}\"{}\n", w.title, cells);
  }
  if (most == 0) return {};
  std::string out = title_of(what, c.of);
  out += "$bars << EOD\n" + data + "EOD\n";
  out +=
      "set style data histograms\nset style histogram clustered gap 1\n"
      "set style fill solid 0.9 border rgb 'white'\nset boxwidth 0.95\n"
      "set xtics rotate by -25 left font ',10' scale 0\nset rmargin 10\n"
      "set ylabel 'Gtexel/s'\nset key top right Left reverse samplen 1\n"
      "set datafile missing 'NaN'\n";
  out += fmt::format("set yrange [0:{:.0f}]\n", most * 1.05);
  std::string plots;
  for (std::size_t i = 0; i < std::size(views); ++i)
    plots += fmt::format("{}$bars using {}{} linecolor rgb '{}' title {}", i == 0 ? "" : ", \\\n  ",
                         i + 2, i == 0 ? ":xtic(1)" : "", colour_of(i), quoted(views[i].title));
  return {{"textures-rate", out + "plot " + plots + "\n", what}};
}

}  // namespace ptxlab::report
