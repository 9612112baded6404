// SPDX-License-Identifier: Apache-2.0
// The latency staircase: each level of memory is a step.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "analysis/report/figures.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* footprint = "footprint_bytes";

struct curve_point {
  double bytes = 0, median = 0, p5 = 0, p95 = 0;
};
using curves = std::map<std::string, std::vector<curve_point>>;

/// A curve needs so many footprints; what has fewer is a number for a table.
constexpr std::size_t points_at_least = 3;

/// What tells one curve from another.
std::string curve_key(const results::row& r) {
  auto rest = r.axes;
  rest.erase(footprint);
  return r.id + axes_text(rest);
}

/// By unit: curves in cycles and in nanoseconds do not share an axis.
std::map<std::string, std::vector<const measurement*>> loads_of(const section& s) {
  const auto drawn = [](const measurement& m) {
    const results::row& r = m.row();
    // 0 has no place on a logarithmic axis.
    return m.ok() && r.quantity == "latency" && r.axes.contains(footprint) &&
           r.axes.at(footprint) > 0;
  };
  std::map<std::string, std::set<double>> footprints;
  for (const measurement& m : s.measurements)
    if (drawn(m)) footprints[curve_key(m.row())].insert(m.row().axes.at(footprint));
  std::map<std::string, std::vector<const measurement*>> out;
  for (const measurement& m : s.measurements)
    if (drawn(m) && footprints[curve_key(m.row())].size() >= points_at_least)
      out[m.row().unit].push_back(&m);
  return out;
}

/// The family of all ids with a stroke behind it, or nothing where they have several.
std::string common_family(const std::vector<const measurement*>& loads) {
  const std::string family = family_of(loads.front()->row().id);
  for (const measurement* m : loads)
    if (family_of(m->row().id) != family) return "";
  return family + "/";
}

curves curves_of(const std::vector<const measurement*>& loads,
                 const std::map<std::string, double>& common, std::size_t prefix) {
  curves out;
  for (const measurement* m : loads) {
    const results::row& r = m->row();
    auto rest = r.axes;
    for (const auto& [axis, value] : common) rest.erase(axis);
    rest.erase(footprint);
    std::string name = r.id.substr(std::min(prefix, r.id.size()));
    if (name.empty()) name = r.id;
    if (!rest.empty()) name += ", " + axes_text(rest);
    if (m->other_cubin) name += ", cubin " + r.cubin_sha256.substr(0, 8);
    out[name].push_back({r.axes.at(footprint), r.value->median, r.value->p5, r.value->p95});
  }
  return out;
}

/// Ticks at powers of two, few enough to be read.
std::string ticks(double low, double high) {
  const int first = static_cast<int>(std::floor(std::log2(low)));
  const int last = static_cast<int>(std::ceil(std::log2(high)));
  const int step = last - first > 12 ? 2 : 1;
  std::string out;
  for (int power = first + (first % step); power <= last; power += step)
    out += fmt::format("{}{} {:.0f}", out.empty() ? "" : ", ", quoted(bytes_text(std::exp2(power))),
                       std::exp2(power));
  return out;
}

/// A line where the device says that its L2 ends.
std::string capacity(const section& s, double low, double high) {
  const auto& device = s.files.front()->of.device;
  const auto at = device.find("l2_bytes");
  const auto bytes = at == device.end() ? std::nullopt : number_of(at->second);
  if (!bytes || *bytes < low || *bytes > high) return "";
  return fmt::format(
      "set arrow from {0:.0f}, graph 0 to {0:.0f}, graph 1 nohead dashtype 2 linecolor rgb "
      "'#808080'\n"
      "set label {1} at {0:.0f}, graph 0.02 offset -0.6,0 right textcolor rgb '#606060'\n",
      *bytes, quoted("L2 " + bytes_text(*bytes)));
}

/// Data and plot commands of all curves; a colour that comes again is dashed.
std::string plot_of(const curves& all) {
  std::string data, plots;
  std::size_t number = 0;
  for (const auto& [name, points] : all) {
    data += fmt::format("$curve{} << EOD\n", number);
    for (const curve_point& p : points)
      data += fmt::format("{:.0f} {} {} {}\n", p.bytes, exact(p.median), exact(p.p5), exact(p.p95));
    data += "EOD\n";
    plots += fmt::format(
        "{}$curve{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle "
        "transparent solid 0.15 noborder notitle",
        number == 0 ? "" : ", \\\n  ", number, colour_of(number));
    plots += fmt::format(
        ", \\\n  $curve{} using 1:2 with linespoints linewidth 2 dashtype {} pointtype {} "
        "pointsize 0.8 linecolor rgb '{}' title {}",
        number, 1 + number / colours_apart, 4 + number % 10, colour_of(number), quoted(name));
    ++number;
  }
  return data + "plot " + plots + "\n";
}

/// The legend: inside where it is small, else below, with room made for its rows.
std::string key_of(std::size_t entries) {
  constexpr std::size_t fit_inside = 6, a_row = 4;
  if (entries <= fit_inside) return "set key top left Left reverse samplen 2 spacing 1.2\n";
  const std::size_t full_rows = (entries + a_row - 1) / a_row;
  const auto rows = static_cast<double>(full_rows);
  return fmt::format(
      "set key at screen 0.5, 0.01 bottom center horizontal maxcols {} Left reverse samplen 2 "
      "font ',10'\nset bmargin at screen {}\n",
      a_row, exact(0.11 + 0.028 * rows));
}

figure drawn(const section& s, const std::string& unit,
             const std::vector<const measurement*>& loads) {
  double low = loads.front()->row().axes.at(footprint), high = low;
  for (const measurement* m : loads) {
    low = std::min(low, m->row().axes.at(footprint));
    high = std::max(high, m->row().axes.at(footprint));
  }
  auto common = common_axes(loads);
  common.erase(footprint);
  const std::string family = common_family(loads);
  const curves all = curves_of(loads, common, family.size());
  const bool cycles = unit == "cycle";
  std::string what = "Latency of a dependent load over the footprint (band: p5 to p95)";
  if (!family.empty()) what = family.substr(0, family.size() - 1) + ": l" + what.substr(1);
  if (!common.empty()) what += ", " + axes_text(common);
  std::string out = title_of(what, s);
  out += "set logscale x 2\n";
  out += fmt::format("set xrange [{:.0f}:{:.0f}]\n", low / 1.2, high * 1.2);
  out += "set xtics (" + ticks(low, high) + ")\n";
  out += fmt::format("set xlabel 'footprint'\nset ylabel {}\nset yrange [0:*]\n",
                     quoted(fmt::format("latency ({})", cycles ? "cycles" : unit)));
  out += key_of(all.size());
  out += capacity(s, low, high) + plot_of(all);
  return {cycles ? "staircase" : "staircase_" + unit, out};
}

}  // namespace

std::vector<figure> staircases(const section& s) {
  std::vector<figure> out;
  for (const auto& [unit, loads] : loads_of(s))
    if (unit == "cycle" || unit == "ns") out.push_back(drawn(s, unit, loads));
  return out;
}

}  // namespace ptxlab::report
