// SPDX-License-Identifier: Apache-2.0
// What fences cost, from the cheapest to the dearest.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/report/figures.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr std::string_view family = "fence/";
constexpr std::size_t rungs_in_a_figure = 28;  // more cannot be read at this height

struct rung {
  std::string name;
  double cycles = 0;
};

std::vector<const measurement*> fences_of(const section& s) {
  std::vector<const measurement*> out;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (m.ok() && r.id.starts_with(family) && r.quantity == "latency" && r.unit == "cycle" &&
        r.value->median > 0)
      out.push_back(&m);
  }
  std::stable_sort(out.begin(), out.end(), [](const measurement* a, const measurement* b) {
    return a->row().value->median < b->row().value->median;
  });
  return out;
}

std::vector<rung> rungs_of(const std::vector<const measurement*>& fences,
                           const std::map<std::string, double>& common) {
  std::vector<rung> out;
  for (const measurement* m : fences) {
    const results::row& r = m->row();
    auto axes = r.axes;
    for (const auto& [axis, value] : common) axes.erase(axis);
    std::string name = r.id.substr(family.size());
    if (!axes.empty()) name += " (" + axes_text(axes) + ")";
    if (m->other_cubin) name += " [" + r.cubin_sha256.substr(0, 8) + "]";
    out.push_back({name, r.value->median});
  }
  return out;
}

figure drawn(const section& s, const std::string& what, const std::vector<rung>& all,
             std::size_t first, std::size_t last) {
  const double left = std::exp2(std::floor(std::log2(all.front().cycles)) - 1);
  std::string data = "$rungs << EOD\n", names;
  for (std::size_t i = first; i < last; ++i) {
    const std::size_t height = last - 1 - i;  // the cheapest at the top
    data += fmt::format("{} {} {}\n", height, exact(all[i].cycles),
                        fixed(all[i].cycles, all[i].cycles < 100 ? 1 : 0));
    names += fmt::format("{}{} {}", names.empty() ? "" : ", ", quoted(all[i].name), height);
  }
  data += "EOD\n";
  std::string out = title_of(what, s);
  out += "set logscale x 10\n";
  out += fmt::format("set xrange [{}:{}]\n", exact(left), exact(all.back().cycles * 2));
  out += fmt::format("set yrange [-0.7:{}]\n", static_cast<double>(last - first) - 0.3);
  out += fmt::format("set ytics ({}) scale 0 font ',{}'\n", names, last - first > 20 ? 9 : 11);
  out += "set xlabel 'latency (cycles, logarithmic)'\nunset key\nset grid noytics xtics mxtics\n";
  out += data;
  out += fmt::format(
      "plot $rungs using 2:1:({}):2:($1-0.36):($1+0.36) with boxxyerror fillstyle solid noborder "
      "fillcolor rgb '{}', \\\n"
      "  $rungs using 2:1:3 with labels left offset 0.6,0 font ',{}'\n",
      exact(left), colour_of(0), last - first > 20 ? 9 : 11);
  return {"fence_ladder", out};
}

}  // namespace

std::vector<figure> fence_ladders(const section& s) {
  const std::vector<const measurement*> fences = fences_of(s);
  const auto common = common_axes(fences);
  const std::vector<rung> all = rungs_of(fences, common);
  std::string what = "Cost of a fence";
  if (!common.empty()) what += ", " + axes_text(common);
  std::vector<figure> out;
  const std::size_t figures = (all.size() + rungs_in_a_figure - 1) / rungs_in_a_figure;
  for (std::size_t n = 0; n < figures; ++n) {
    out.push_back(drawn(s, what, all, all.size() * n / figures, all.size() * (n + 1) / figures));
    if (figures > 1) out.back().name += fmt::format("_{}of{}", n + 1, figures);
  }
  return out;
}

}  // namespace ptxlab::report
