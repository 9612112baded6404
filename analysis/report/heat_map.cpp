// SPDX-License-Identifier: Apache-2.0
// Throughput over instruction-level parallelism and warps, as a map with its numbers in it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "analysis/report/figures.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/throughput.hpp"

namespace ptxlab::report {
namespace {

std::string name_of(const results::row& r, bool with_cubin) {
  std::string out = "heat_map-";
  for (const char c : r.id)
    out += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '-';
  return with_cubin ? out + "-" + r.cubin_sha256.substr(0, 8) : out;
}

std::size_t place(const std::set<double>& all, double value) {
  return static_cast<std::size_t>(std::distance(all.begin(), all.find(value)));
}

std::string ticks(const std::set<double>& all) {
  std::string out;
  for (const double v : all)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", quoted(exact(v)), place(all, v));
  return out;
}

/// Lines of what was refused on the surface of `of`, in words where its number would stand.
std::string refused(const section& s, const results::row& of, const std::set<double>& ilp,
                    const std::set<double>& warps) {
  std::string out;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (m.ok() || r.id != of.id || r.cubin_sha256 != of.cubin_sha256 || !r.axes.contains("ilp") ||
        !r.axes.contains("warps"))
      continue;
    const double i = r.axes.at("ilp"), w = r.axes.at("warps");
    if (ilp.contains(i) && warps.contains(w))
      out += fmt::format("{} {} {}\n", place(ilp, i), place(warps, w), results::name(r.state));
  }
  return out;
}

figure drawn(const section& s, const results::row& r, bool with_cubin) {
  const std::vector<surface_point> surface = surface_of(r, s);
  std::set<double> ilp, warps;
  double highest = 0;
  for (const surface_point& p : surface) {
    ilp.insert(p.ilp);
    warps.insert(p.warps);
    highest = std::max(highest, p.value);
  }
  std::string data = "$map << EOD\n";
  for (const surface_point& p : surface) {
    const bool dark = p.value > 0.55 * highest;
    data +=
        fmt::format("{} {} {} {} {}\n", place(ilp, p.ilp), place(warps, p.warps), exact(p.value),
                    fixed(p.value, highest < 100 ? 2 : 1), dark ? "0xffffff" : "0x202020");
  }
  data += "EOD\n";
  const std::string lost = refused(s, r, ilp, warps);
  if (!lost.empty()) data += "$refused << EOD\n" + lost + "EOD\n";
  std::string out = title_of(fmt::format("{}{}: throughput over parallelism in a warp and warps",
                                         r.id, r.sass.empty() ? "" : " (" + r.sass + ")"),
                             s);
  out += fmt::format("set xtics ({}) scale 0\nset ytics ({}) scale 0\n", ticks(ilp), ticks(warps));
  out +=
      fmt::format("set xrange [-0.5:{}]\nset yrange [-0.5:{}]\n",
                  static_cast<double>(ilp.size()) - 0.5, static_cast<double>(warps.size()) - 0.5);
  out += "set xlabel 'independent instructions per warp (ILP)'\nset ylabel 'warps per SM'\n";
  out += fmt::format("set cblabel {}\nset cbrange [0:{}]\n", quoted(r.unit), exact(highest));
  out +=
      "set palette defined (0 '#f7fbff', 0.25 '#c6dbef', 0.5 '#6baed6', 0.75 '#2171b5', 1 "
      "'#08306b')\nunset grid\nunset key\nset border 0\n";
  const bool crowded = warps.size() > 20 || ilp.size() > 16;
  out += crowded ? "set tics font ',9'\n" : "";
  out += data;
  out += fmt::format(
      "plot $map using 1:2:($1-0.5):($1+0.5):($2-0.5):($2+0.5):3 with boxxyerror fillcolor "
      "palette fillstyle solid border linecolor rgb 'white', \\\n"
      "  $map using 1:2:(strcol(4)):(int(column(5))) with labels font ',{}' textcolor rgb "
      "variable{}\n",
      crowded ? 7 : 10,
      lost.empty() ? ""
                   : ", \\\n  $refused using 1:2:3 with labels font ',9' textcolor rgb '#808080'");
  return {name_of(r, with_cubin), out};
}

}  // namespace

std::vector<figure> heat_maps(const section& s, const std::string& filter) {
  std::vector<figure> out;
  std::set<std::pair<std::string, std::string>> seen;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (!is_throughput(r) || r.id.find(filter.empty() ? "fma" : filter) == std::string::npos)
      continue;
    if (surface_of(r, s).size() < 2 || !seen.insert({r.id, r.cubin_sha256}).second) continue;
    out.push_back(drawn(s, r, m.other_cubin));
  }
  return out;
}

}  // namespace ptxlab::report
