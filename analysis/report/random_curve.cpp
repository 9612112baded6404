// SPDX-License-Identifier: Apache-2.0
// Throughput of uniform floats by xorwow over how many are drawn, by us and by cuRAND.
#include <fmt/format.h>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/random.hpp"

namespace ptxlab::report {
namespace {

constexpr const char* id = "random/xorwow/uniform";

/// One line of the figure: a quantity at one number of subsequences.
struct curve {
  std::string title, quantity;
  double subsequences;
  bool dashed = false;
};

std::string data_of(const section& s, const curve& k) {
  std::string out;
  for (const measurement& m : s.measurements) {
    const results::row& r = m.row();
    if (r.id != id || r.quantity != k.quantity || !m.ok()) continue;
    if (!r.axes.contains("subsequences") || r.axes.at("subsequences") != k.subsequences) continue;
    const double n = r.axes.at("numbers");
    if (n < 1 << 18) continue;  // a launch's time and nothing else
    const results::summary& v = *r.value;
    out += fmt::format("{} {} {} {}\n", exact(n / (1 << 20)), exact(v.median), exact(v.p5),
                       exact(v.p95));
  }
  return out;
}

}  // namespace

std::vector<figure> random_figures(const topic_context& c) {
  constexpr double legacy = 4096;
  const curve curves[] = {{"ours, a subsequence for each state", "throughput", 0},
                          {"ours, legacy order, in segments", "throughput", legacy},
                          {"cuRAND, default order", "throughput of curand", legacy, true},
                          {"cuRAND, dynamic order", "throughput of curand, dynamic", legacy, true}};
  std::string data, plots;
  std::size_t number = 0;
  for (const curve& k : curves) {
    const std::string points = data_of(c.of, k);
    if (points.empty()) continue;
    data += fmt::format("$curve{} << EOD\n{}EOD\n", number, points);
    plots += fmt::format(
        "{}$curve{} using 1:2 with linespoints linewidth 2 dashtype {} pointtype {} pointsize 0.9 "
        "linecolor rgb '{}' title {}",
        number == 0 ? "" : ", \\\n  ", number, k.dashed ? 2 : 1, 4 + number, colour_of(number),
        quoted(k.title));
    ++number;
  }
  if (number == 0) return {};
  const std::string what = "Uniform floats by xorwow: bytes stored, over how many are drawn";
  std::string text = title_of(what, c.of);
  text += "set logscale x 2\nset xlabel 'numbers, in 2^20'\nset ylabel 'GB/s'\n";
  text += "set yrange [0:*]\nset key bottom right Left reverse samplen 3 font ',11'\n";
  return {{"random-uniform", text + data + "plot " + plots + "\n", what}};
}

}  // namespace ptxlab::report
