// SPDX-License-Identifier: Apache-2.0
// Largest error over the operand, several spellings in each figure.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "analysis/report/accuracy.hpp"
#include "analysis/report/barrier.hpp"
#include "analysis/report/gnuplot.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

/// One figure: which spellings, what of them, and over what.
struct plan {
  const char* name;
  const char* says;
  std::vector<const char*> ids;
  const char* operand = "|x|";
  const char* quantity = "largest error";
  const char* axis = "largest error, ulp";
  double lowest = 0.1, highest = 0;  ///< of the error axis, where larger errors end; 0: none do
  double from = 0x1p-149, to = 0x1p128;
  std::vector<std::pair<double, const char*>> marks = {};  ///< operands with a name
  bool linear = false;                                     ///< the error axis
};

std::vector<plan> plans() {
  const std::pair<double, const char*> slow = {105615, "105615"}, old = {48039, "48039"};
  return {
      {.name = "circular",
       .says = "Circular functions: largest error over the argument",
       .ids = {"transcendental/sine_slow", "transcendental/cosine_slow",
               "transcendental/tangent_slow", "transcendental/sine_fast",
               "transcendental/cosine_fast", "transcendental/tangent_fast"},
       .highest = 1e16,
       .marks = {{std::numbers::pi, "pi"}, slow}},
      {.name = "circular-absolute",
       .says = "Circular functions: largest absolute error over the argument",
       .ids = {"transcendental/sine_slow", "transcendental/cosine_slow", "transcendental/sine_fast",
               "transcendental/cosine_fast"},
       .quantity = "largest absolute error",
       .axis = "largest absolute error",
       .lowest = 1e-9,
       .from = 0x1p-10,
       .to = 0x1p40,
       .marks = {{std::numbers::pi, "pi"}, old, slow}},
      {.name = "exponentials",
       .says = "Exponentials: largest error over the exponent's magnitude",
       .ids = {"transcendental/exponential_slow", "transcendental/exponential_fast",
               "transcendental/exponential_of_two", "transcendental/exponential_of_two_flushed"},
       .highest = 1000,
       .from = 0x1p-24,
       .to = 0x1p9},
      {.name = "logarithms",
       .says = "Logarithms: largest error over the argument",
       .ids = {"transcendental/logarithm_slow", "transcendental/logarithm_fast",
               "transcendental/binary_logarithm_slow", "transcendental/binary_logarithm_fast"},
       .operand = "x"},
      {.name = "quotients",
       .says = "Quotients: largest error over the divisor",
       .ids = {"division/divide_operator", "division/divide_full", "division/divide_fast",
               "fast_math/divide"},
       .operand = "|y|",
       .highest = 1e9,
       .marks = {{0x1p126, "2^126"}}},
      {.name = "powers",
       .says = "Powers: largest error over the exponent",
       .ids = {"division/power_slow", "division/power_fast", "fast_math/power"},
       .operand = "|y|",
       .highest = 1e9,
       .from = 0x1p-20,
       .to = 0x1p7},
      {.name = "roots",
       .says = "Reciprocals and roots: largest error over the argument",
       .ids = {"reciprocal_root/reciprocal_operator", "reciprocal_root/reciprocal_approx",
               "reciprocal_root/reciprocal_flushed", "reciprocal_root/root_function",
               "reciprocal_root/root_approx", "reciprocal_root/root_flushed",
               "reciprocal_root/rsqrt_function", "reciprocal_root/one_over_sqrt"}},
      {.name = "tanh",
       .says = "Hyperbolic tangent: largest error over the argument",
       .ids = {"transcendental/tanh_slow", "transcendental/tanh_fast"},
       .from = 0x1p-30,
       .to = 0x1p6},
      {.name = "products24",
       .says = "24-bit products: correct results over the second operand",
       .ids = {"integer/multiply_signed", "integer/multiply_signed_24",
               "integer/multiply_unsigned_24"},
       .operand = "|y|",
       .quantity = "correctly rounded",
       .axis = "correct, %",
       .lowest = 0,
       .highest = 105,
       .from = 1,
       .to = 0x1p32,
       .marks = {{0x1p23, "2^23"}, {0x1p24, "2^24"}},
       .linear = true},
  };
}

const char* text_of(const std::string& id) {
  for (const spelling& s : spellings())
    if (s.id == id) return s.text;
  return "";
}

/// Steps over the operand's magnitude: one curve for each sign that has ranges of its own.
void add_curves(const topic_context& c, const plan& p, const char* id, std::size_t number,
                std::string& data, std::string& plots) {
  const std::vector<range_error> all =
      ranges_of(find(c.of, std::string("accuracy/") + id, p.quantity));
  const bool signs = std::any_of(all.begin(), all.end(),
                                 [](const range_error& r) { return std::signbit(r.from); });
  for (const bool negative : {false, true}) {
    std::string curve;
    double last = 0;
    for (const range_error& r : all) {
      const double from = std::abs(r.from);
      if (std::signbit(r.from) != negative || from < p.from || from >= p.to) continue;
      last = p.linear ? r.value : std::max(r.value, p.lowest / 10);
      if (p.highest > 0) last = std::min(last, p.highest);
      curve += fmt::format("{} {:.6g}\n", exact(from), last);
    }
    if (curve.empty()) continue;
    curve += fmt::format("{} {:.6g}\n", exact(p.to), last);
    const std::string name = fmt::format("$curve{}{}", number, negative ? "n" : "");
    data += fmt::format("{} << EOD\n{}EOD\n", name, curve);
    plots +=
        fmt::format("{}{} using 1:2 with steps linewidth 2 dashtype {} linecolor rgb '{}' title {}",
                    plots.empty() ? "" : ", \\\n  ", name, negative ? 2 : 1, colour_of(number),
                    quoted(std::string(text_of(id)) + (!signs     ? ""
                                                       : negative ? ", x < 0"
                                                                  : ", x > 0")));
  }
}

std::optional<figure> drawn(const topic_context& c, const plan& p) {
  std::string data, plots;
  for (std::size_t i = 0; i < p.ids.size(); ++i) add_curves(c, p, p.ids[i], i, data, plots);
  if (plots.empty()) return {};
  std::string out = title_of(p.says, c.of);
  out += fmt::format("set logscale x 2\nset xrange [{}:{}]\nset format x '2^%L'\n", exact(p.from),
                     exact(p.to));
  out += fmt::format("set xlabel {}\nset ylabel {}\n", quoted(p.operand),
                     quoted(p.linear || p.highest == 0
                                ? std::string(p.axis)
                                : fmt::format("{}; at the top: {:g} or more", p.axis, p.highest)));
  if (!p.linear) out += "set logscale y\nset format y '%g'\n";
  out +=
      fmt::format("set yrange [{}:{}]\n", exact(p.lowest), p.highest > 0 ? exact(p.highest) : "*");
  out += "set key outside right center Left reverse samplen 2 font ',10'\n";
  double height = 0.97;
  for (const auto& [at, name] : p.marks) {
    out += fmt::format(
        "set arrow from {0}, graph 0 to {0}, graph 1 nohead dashtype 3 linecolor "
        "rgb '#606060'\n",
        exact(at));
    out += fmt::format(
        "set label {} at {}, graph {} offset 0.4,0 font ',9' textcolor rgb "
        "'#404040'\n",
        quoted(name), exact(at), exact(height));
    height -= 0.05;
  }
  return figure{std::string("accuracy-") + p.name, out + data + "plot " + plots + "\n", p.says};
}

}  // namespace

std::vector<figure> error_figures(const topic_context& c) {
  std::vector<figure> out;
  for (const plan& p : plans())
    if (auto f = drawn(c, p)) out.push_back(std::move(*f));
  return out;
}

}  // namespace ptxlab::report
