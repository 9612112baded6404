// SPDX-License-Identifier: Apache-2.0
// What the topics on memory have in common.
#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/memory.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr double lanes = 32;
/// Contradictions that are named; of more only the number is told.
constexpr std::size_t named = 4;

}  // namespace

std::optional<double> swept_access::cycles() const {
  if (m == nullptr || !m->ok()) return {};
  const results::row& r = m->row();
  if (r.unit == "cycle") return r.value->median;
  return r.value->median > 0 ? std::optional(lanes / r.value->median) : std::nullopt;
}

std::vector<swept_access> accesses_of(const section& s, const std::string& id) {
  std::vector<swept_access> out;
  for (const measurement& m : s.measurements) {
    if (m.row().id != id) continue;
    if (const auto p = pattern_of(m.row())) out.push_back({*p, &m});
  }
  std::sort(out.begin(), out.end(), [](const swept_access& a, const swept_access& b) {
    return a.m->row().axes < b.m->row().axes;
  });
  return out;
}

std::string cycles_cell(const swept_access& a, int decimals, std::vector<std::string>& notes) {
  if (const auto cycles = a.cycles()) return fixed(*cycles, decimals);
  return value_cell(a.m, decimals, notes);
}

table order_table(const std::string& title) {
  return {title,
          {{"measured", false, true},
           {"by", false, true},
           {"pairs in order", true},
           {"even", true},
           {"against", true}},
          {}};
}

line order_line(const std::string& what, const std::string& model, const order_check& o) {
  line out{{what, model, std::to_string(o.agree), std::to_string(o.even),
            std::to_string(o.contradicted.size())},
           {}};
  for (std::size_t i = 0; i < o.contradicted.size() && i < named; ++i)
    out.notes.push_back(what + ": " + o.contradicted[i]);
  return out;
}

std::vector<figure> bars(const topic_context& c, const std::string& name, const std::string& what,
                         const std::string& unit, const std::vector<bar>& entries,
                         bool logarithmic) {
  std::string data;
  std::size_t n = 0;
  for (const bar& b : entries)
    if (b.value) data += fmt::format("{} {} \"{}\"\n", n++, exact(*b.value), b.name);
  if (n < 2) return {};
  std::string text = title_of(what, c.of);
  // From the top down, in the order in which they are given.
  text += fmt::format("set yrange [{}:-0.6]\nset xlabel {}\n", static_cast<double>(n) - 0.4,
                      quoted(unit));
  text += logarithmic ? "set logscale x\nset xrange [1:*]\n" : "set xrange [0:*]\n";
  text += "unset key\nset lmargin at screen 0.34\nset rmargin at screen 0.93\nset ytics scale 0\n";
  text += "$bars << EOD\n" + data + "EOD\n";
  text += fmt::format(
      "plot $bars using ($2):($0):({}):($2):($0-0.35):($0+0.35):ytic(3) with boxxyerror fillstyle "
      "solid 0.8 linecolor rgb '{}', \\\n  $bars using ($2):($0):(sprintf($2 < 1000 ? ' %.1f' : ' "
      "%.0f', $2)) with "
      "labels "
      "left font ',10'\n",
      logarithmic ? 1 : 0, colour_of(0));
  return {{name, text, what}};
}

std::vector<figure> curves_over(const topic_context& c, const std::string& name,
                                const std::string& what, const std::string& x, const std::string& y,
                                const std::vector<curve>& all, const std::string& more) {
  std::string data, plots;
  std::size_t n = 0;
  for (const curve& one : all) {
    if (one.points.empty()) continue;
    data += fmt::format("$curve{} << EOD\n", n);
    for (const auto& [at, value] : one.points)
      data += fmt::format("{} {}\n", exact(at), exact(value));
    data += "EOD\n";
    plots += fmt::format("{}$curve{} using 1:2 with {} linecolor rgb '{}' title {}",
                         n == 0 ? "" : ", \\\n  ", n,
                         one.steps ? "lines linewidth 1 dashtype 2"
                                   : "linespoints linewidth 2 pointtype 7 pointsize 0.6",
                         colour_of(n), quoted(one.name));
    ++n;
  }
  if (n == 0) return {};
  std::string text = title_of(what, c.of);
  text += fmt::format("set xlabel {}\nset ylabel {}\nset yrange [0:*]\n", quoted(x), quoted(y));
  text += "set key outside right center Left reverse samplen 2 font ',10'\n" + more;
  return {{name, text + data + "plot " + plots + "\n", what}};
}

}  // namespace ptxlab::report
