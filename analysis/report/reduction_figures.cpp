// SPDX-License-Identifier: Apache-2.0
// Time and bandwidth of sums over their size, with the curves of 2012.
#include <fmt/format.h>

#include <cmath>

#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"
#include "analysis/report/reduction.hpp"

namespace ptxlab::report {
namespace {

struct curve {
  std::string title, data;
  bool of_then = false;
};

curve measured(const section& s, const std::string& title, const std::string& id,
               const std::string& quantity) {
  curve out{title, ""};
  for (const double n : sizes_of(s, id, quantity)) {
    const measurement* m = sum_at(s, id, quantity, n);
    if (n < 1000 || m == nullptr || !m->ok()) continue;
    const results::summary& v = *m->row().value;
    out.data += fmt::format("{} {} {} {}\n", exact(n), exact(v.median), exact(v.p5), exact(v.p95));
  }
  return out;
}

curve of_then(const historical& h, const std::string& title, const std::string& column) {
  curve out{title, "", true};
  for (const char* table : {"table 2 (2012)", "table 1 (2012)"}) {
    if (!out.data.empty()) break;
    for (const historical_value* v : h.column(table, column))
      out.data += fmt::format("{} {:.4g}\n", v->row, v->value * 1e6);
  }
  return out;
}

/// Ticks at every second power of two from 2^10.
std::string ticks() {
  std::string out;
  for (int power = 10; power <= 32; power += 2)
    out += fmt::format("{}'2^{}' {:.0f}", out.empty() ? "" : ", ", power, std::exp2(power));
  return out;
}

std::vector<figure> drawn(const topic_context& c, const std::string& name, const std::string& what,
                          const std::string& axis, const std::vector<curve>& curves) {
  std::string data, plots;
  std::size_t number = 0;
  for (const curve& one : curves) {
    if (one.data.empty()) continue;
    data += fmt::format("$curve{} << EOD\n{}EOD\n", number, one.data);
    if (!one.of_then)
      plots += fmt::format(
          "{}$curve{} using 1:3:4 with filledcurves fillcolor rgb '{}' fillstyle transparent "
          "solid 0.15 noborder notitle",
          plots.empty() ? "" : ", \\\n  ", number, colour_of(number));
    plots += fmt::format(
        "{}$curve{} using 1:2 with {} linewidth 2 dashtype {} linecolor rgb '{}' title {}",
        plots.empty() ? "" : ", \\\n  ", number,
        one.of_then ? "lines" : fmt::format("linespoints pointtype {} pointsize 0.6", 4 + number),
        one.of_then ? 3 : 1 + number / colours_apart, colour_of(number), quoted(one.title));
    ++number;
  }
  if (number == 0) return {};
  std::string text = title_of(what, c.of);
  text += fmt::format("set logscale x 2\nset xtics ({})\nset xlabel 'numbers'\n", ticks());
  text += axis;
  text += "set key outside right center Left reverse samplen 2 font ',10'\n";
  return {{name, text + data + "plot " + plots + "\n", what}};
}

constexpr const char* time_axis = "set logscale y 10\nset ylabel 'us'\n";

}  // namespace

std::vector<figure> reduction_time_figures(const topic_context& c) {
  const std::string best = best_sum(c.of);
  const std::string name = best.empty() ? "" : operation_of(best);
  const std::string copied = copied_sum(c.of);
  std::vector<figure> out = drawn(
      c, "reduction-time", "A sum by its size: numbers in the memory of who adds them", time_axis,
      {measured(c.of, "one core", unrolled_id, "time of one core"),
       measured(c.of, "all cores", unrolled_id, "time of all cores"),
       measured(c.of, "unroll factor 7", unrolled_id, "time"),
       measured(c.of, "Thrust", unrolled_id, "time of thrust"), measured(c.of, name, best, "time"),
       measured(c.of, "CUB", best, "time of cub"),
       measured(c.of, "reading alone", plain_read(c.of), "time")});
  for (figure& f : drawn(
           c, "reduction-copies", "A sum by its size: numbers in the host's memory", time_axis,
           {measured(c.of, "one core", unrolled_id, "time of one core"),
            measured(c.of, "all cores", unrolled_id, "time of all cores"),
            measured(c.of, "unroll factor 7", unrolled_id, "time with copies"),
            measured(c.of, "Thrust", unrolled_id, "time of thrust with copies"),
            measured(c.of, copied.empty() ? "" : operation_of(copied), copied, "time with copies"),
            of_then(c.then, "2012: CPU", "CPU"),
            of_then(c.then, "2012: unroll factor", "GPU1 (unroll-factor reduction)"),
            of_then(c.then, "2012: Thrust", "Thrust")}))
    out.push_back(std::move(f));
  return out;
}

std::vector<figure> reduction_bandwidth_figures(const topic_context& c) {
  const std::string best = best_sum(c.of);
  const std::string name = best.empty() ? "" : operation_of(best);
  // CUB's has no row: its time at the same size gives it.
  curve cub{"CUB", ""};
  for (const double n : sizes_of(c.of, best, "bandwidth")) {
    const measurement *rate = sum_at(c.of, best, "bandwidth", n),
                      *ours = sum_at(c.of, best, "time", n),
                      *theirs = sum_at(c.of, best, "time of cub", n);
    if (n < 1000 || !rate->ok() || ours == nullptr || theirs == nullptr || !theirs->ok()) continue;
    const double bytes = rate->row().value->median * ours->row().value->median;
    const results::summary& v = *theirs->row().value;
    cub.data += fmt::format("{} {} {} {}\n", exact(n), exact(bytes / v.median),
                            exact(bytes / v.p95), exact(bytes / v.p5));
  }
  std::vector<curve> curves = {measured(c.of, name, best, "bandwidth"), cub,
                               measured(c.of, "unroll factor 7", unrolled_id, "bandwidth"),
                               measured(c.of, "reading alone", plain_read(c.of), "bandwidth")};
  for (const std::string& id : sums_of(c.of, "reduce/first_five/"))
    if (id.find("reduce1") != std::string::npos || id.find("shuffle") != std::string::npos)
      curves.push_back(measured(c.of, id.substr(id.rfind('/') + 1), id, "bandwidth"));
  return drawn(c, "reduction-bandwidth", "Bytes that a sum reads, by its size",
               "set yrange [0:*]\nset ylabel 'GB/s'\n", curves);
}

}  // namespace ptxlab::report
