// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/documented.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// "pi", "2^126", "0.5".
std::string operand_text(double x) {
  if (std::abs(x - std::numbers::pi) < 1e-9) return "pi";
  int exponent = 0;
  const double fraction = std::frexp(x, &exponent);
  if (fraction == 0.5 && std::abs(exponent) > 10) return fmt::format("2^{}", exponent - 1);
  return exact(x);
}

}  // namespace

bool documented_error::everywhere() const {
  return from == 0 && to == infinity;
}

double documented_error::at(double operand) const {
  return value + std::floor(per_unit * std::abs(operand));
}

std::string documented_error::text() const {
  std::string out = in != measure::floats
                        ? fmt::format("2^{} {}", exact(std::round(std::log2(value) * 100) / 100),
                                      in == measure::absolute ? "absolute" : "relative")
                    : value == 0 ? "correctly rounded"
                    : per_unit != 0
                        ? fmt::format("{} + {} |x| floats", exact(value), exact(per_unit))
                    : value == 1 ? "1 float"
                                 : exact(value) + " floats";
  if (everywhere()) return out;
  if (from == 0) return fmt::format("{} up to {}", out, operand_text(to));
  if (to == infinity) return fmt::format("{} from {} on", out, operand_text(from));
  return fmt::format("{} from {} to {}", out, operand_text(from), operand_text(to));
}

documented::documented(const std::filesystem::path& path) {
  for (named_record& r :
       read_records(path, {"function", "from", "to", "measure", "value", "per_unit", "source"})) {
    auto& f = r.fields;
    const auto number = [&](const char* column, double otherwise) {
      if (f[column].empty()) return otherwise;
      const auto value = number_of(f[column]);
      if (!value || !(*value >= 0))
        throw error(fmt::format("{}:{}: {} '{}' is no number from 0 on", path.string(), r.line,
                                column, f[column]));
      return *value;
    };
    documented_error e;
    e.function = f["function"];
    e.source = f["source"];
    e.from = number("from", 0);
    e.to = number("to", infinity);
    e.value = number("value", 0);
    e.per_unit = number("per_unit", 0);
    const std::string& measure = f["measure"];
    if (measure != "float" && measure != "absolute" && measure != "relative")
      throw error(fmt::format("{}:{}: measure '{}' is neither float, absolute nor relative",
                              path.string(), r.line, measure));
    e.in = measure == "float"      ? documented_error::measure::floats
           : measure == "absolute" ? documented_error::measure::absolute
                                   : documented_error::measure::relative;
    values_.push_back(std::move(e));
  }
}

std::vector<documented_error> documented::of(const std::string& function) const {
  std::vector<documented_error> out;
  for (const documented_error& e : values_)
    if (e.function == function) out.push_back(e);
  return out;
}

}  // namespace ptxlab::report
