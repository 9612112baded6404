// SPDX-License-Identifier: Apache-2.0
// How wrong each spelling is, beside what is documented; and from where on a fast form is worse.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/report/accuracy.hpp"
#include "analysis/report/barrier.hpp"
#include "analysis/report/quantity.hpp"

namespace ptxlab::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity(), pi = std::numbers::pi;

std::string short_number(double x) {
  const double magnitude = std::abs(x);
  if (magnitude >= 0x1p128) return x < 0 ? "-inf" : "inf";
  if (x == std::floor(x) && magnitude < 1e7) return fmt::format("{:.0f}", x);
  return magnitude >= 1e5 || magnitude < 1e-3 ? fmt::format("{:.3g}", x) : fmt::format("{:.4g}", x);
}

/// What a row of the spelling says.
class seen {
 public:
  seen(const topic_context& c, const spelling& s)
      : in_(c.of), id_(std::string("accuracy/") + s.id) {}
  const measurement* row(const char* quantity) const { return find(in_, id_, quantity); }
  std::optional<double> value(const char* quantity) const {
    const measurement* m = row(quantity);
    if (m == nullptr || !m->ok()) return {};
    return m->row().value->median;
  }
  std::string number(const char* quantity) const {
    const auto v = value(quantity);
    return v ? short_number(*v) : absent;
  }
  bool measured() const { return value("inputs").has_value(); }
  /// "4278190082, all", "1.43e+09".
  std::string inputs() const {
    const auto n = value("inputs");
    if (!n) return absent;
    const auto& axes = row("inputs")->row().axes;
    const auto samples = axes.find("samples");
    return fmt::format("{:.3g}{}", *n,
                       samples != axes.end() && samples->second == 0 ? ", all" : "");
  }
  std::string operands() const {
    const std::string second = number("largest error at, second operand");
    const std::string first = number("largest error at");
    return second == absent ? first : fmt::format("{}, {}", first, second);
  }
  std::vector<range_error> ulp() const { return ranges_of(row("largest error")); }
  std::vector<range_error> absolute() const { return ranges_of(row("largest absolute error")); }
  std::vector<range_error> right() const { return ranges_of(row("correctly rounded")); }

 private:
  const section& in_;
  std::string id_;
};

std::string verdict(const std::optional<bool>& holds) {
  return !holds ? "cannot tell" : *holds ? "holds" : "does not hold";
}

/// A number of floats for all operands is counted; what is said of a range is looked up there.
std::optional<bool> holds(const documented_error& said, const seen& s) {
  if (said.everywhere() && said.in == documented_error::measure::floats && said.per_unit == 0) {
    const auto floats = s.value("largest distance"), nan = s.value("wrong NaN");
    if (!floats || !nan) return {};
    return *floats <= said.value && *nan == 0;
  }
  return within(said, s.ulp(), s.absolute());
}

std::vector<documented_error> said_of(const topic_context& c, const spelling& s) {
  if (c.said == nullptr || s.documented == nullptr) return {};
  return c.said->of(s.documented);
}

}  // namespace

std::vector<table> error_tables(const topic_context& c) {
  table out{"Errors in units of the last place",
            {{"written"},
             {"inputs", true, false, 3},
             {"largest error", true},
             {"at", true, false, 2},
             {"result there", true, false, 5},
             {"floats away", true},
             {"mean error", true, false, 4},
             {"correctly rounded", true},
             {"documented", false, true},
             {"so", false, true}},
            {}};
  for (const spelling& one : spellings()) {
    const seen s(c, one);
    const measurement* m = s.row("largest error");
    if (!s.measured()) {
      line l{{one.text, absent}, {}};
      l.cells.push_back(value_cell(m, 0, l.notes));
      l.cells.resize(out.columns.size(), absent);
      out.lines.push_back(std::move(l));
      continue;
    }
    std::string said, so;
    for (const documented_error& e : said_of(c, one)) {
      said += (said.empty() ? "" : "; ") + e.text();
      so += (so.empty() ? "" : "; ") + verdict(holds(e, s));
    }
    line l{{one.text, s.inputs(), s.number("largest error"), s.operands(), s.number("result there"),
            s.number("largest distance"), s.number("mean error"),
            fmt::format("{:.4g} %", *s.value("correctly rounded")), said.empty() ? absent : said,
            so.empty() ? absent : so},
           {}};
    if (const auto nan = s.value("wrong NaN"); nan && *nan > 0) {
      const std::string second = s.number("wrong NaN at, second operand");
      l.notes.push_back(
          fmt::format("NaN where there is a value, or the other way: {:.0f} times, "
                      "first at {}{}",
                      *nan, s.number("wrong NaN at"), second == absent ? "" : ", " + second));
    }
    out.lines.push_back(std::move(l));
  }
  return {out};
}

namespace {

/// "3.3e+08 ulp", "2^-21.4".
std::string error_text(double x, bool absolute) {
  if (!absolute) return short_number(x) + " ulp";
  return x == 0 ? "0" : fmt::format("2^{:.2f}", std::log2(x));
}

using parts = std::vector<std::pair<double, double>>;

std::string operand_text(double x) {
  if (x >= 0x1p128) return "inf";
  if (std::abs(x - pi) < 1e-9) return "pi";
  const double power = x == 0 ? 0 : std::log2(x);
  if (std::abs(power) > 9 && power == std::floor(power)) return fmt::format("2^{:.0f}", power);
  return short_number(x);
}

/// A line for each part of the operands that something was in.
void add_parts(table& out, const char* text, const std::vector<range_error>& all, bool absolute,
               const parts& of) {
  for (const auto& [from, to] : of) {
    double largest = -1;
    for (const range_error& r : all)
      if (std::abs(r.from) >= from && std::abs(r.from) < to) largest = std::max(largest, r.value);
    if (largest < 0) continue;
    out.lines.push_back({{text, fmt::format("{} to {}", operand_text(from), operand_text(to)),
                          error_text(largest, absolute)},
                         {}});
  }
}

seen seen_of(const topic_context& c, const std::string& id) {
  const auto& all = spellings();
  return {c, *std::find_if(all.begin(), all.end(), [&](const spelling& s) { return s.id == id; })};
}

table products_table(const topic_context& c) {
  table out{"Where a 24-bit product is not the product: correct results by the second operand",
            {{"written"}, {"operand", true}, {"correct", true}},
            {}};
  for (const auto& [text, id] : {std::pair{"__mul24(x, y)", "integer/multiply_signed_24"},
                                 std::pair{"__umul24(x, y)", "integer/multiply_unsigned_24"}}) {
    const std::vector<range_error> right = seen_of(c, id).right();
    for (const auto& [from, to] : parts{
             {0, 0x1p22}, {0x1p22, 0x1p23}, {0x1p23, 0x1p24}, {0x1p24, 0x1p25}, {0x1p25, 0x1p32}}) {
      double least = 101;
      for (const range_error& r : right)
        if (r.from >= from && r.from < to) least = std::min(least, r.value);
      if (least > 100) continue;
      out.lines.push_back({{text, fmt::format("{} to {}", operand_text(from), operand_text(to)),
                            fmt::format("{:.4g} %", least)},
                           {}});
    }
  }
  return out;
}

}  // namespace

std::vector<table> wrong_range_tables(const topic_context& c) {
  table out{"Where a fast form is wrong: the largest error by the operand's magnitude",
            {{"written"}, {"operand", true}, {"largest error", true}},
            {}};
  const parts quotients = {{0, 0x1p-126}, {0x1p-126, 0x1p126}, {0x1p126, infinity}};
  const parts angles = {{0, pi},       {pi, 16},        {16, 1024},
                        {1024, 65536}, {65536, 0x1p24}, {0x1p24, infinity}};
  const parts small = {{0, 0x1p-20}, {0x1p-20, 0x1p-10}, {0x1p-10, 0.5}, {0.5, 2}, {2, pi}};
  const parts powers = {{0, 1}, {1, 8}, {8, 32}, {32, 64}, {64, infinity}};
  const parts around_one = {{0, 0.5}, {0.5, 2}, {2, infinity}};
  const auto ulp = [&](const char* text, const char* id, const parts& of) {
    add_parts(out, text, seen_of(c, id).ulp(), false, of);
  };
  ulp("__fdividef(x, y), of y", "division/divide_fast", quotients);
  ulp("div.full.f32, of y", "division/divide_full", quotients);
  ulp("x / y, fast math, of y", "fast_math/divide", quotients);
  for (const auto& [text, id] : {std::pair{"__sinf(x), absolute", "transcendental/sine_fast"},
                                 std::pair{"__cosf(x), absolute", "transcendental/cosine_fast"}})
    add_parts(out, text, seen_of(c, id).absolute(), true, angles);
  ulp("__sinf(x)", "transcendental/sine_fast", small);
  ulp("__expf(x)", "transcendental/exponential_fast", powers);
  ulp("__logf(x)", "transcendental/logarithm_fast", around_one);
  ulp("__powf(x, y), of y", "division/power_fast", powers);
  table products = products_table(c);
  for (table* t : {&out, &products})
    if (t->lines.empty()) t->title += ": " + std::string(not_measured_text);
  return {out, products};
}

}  // namespace ptxlab::report
