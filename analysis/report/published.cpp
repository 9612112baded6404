// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/published.hpp"

#include <fmt/format.h>

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"

namespace ptxlab::report {
namespace {

struct conversion {
  const char *theirs, *ours;
  double factor;
};

// "instr/clk/SM" is left out: its sources do not say whether they count warps or threads.
constexpr conversion conversions[] = {
    {"cycles", "cycle", 1},
    {"ns", "ns", 1},
    {"results/clk/SM", "operation/cycle/SM", 1},
    {"flop/clk/SM", "operation/cycle/SM", 0.5},
    {"op/clk/SM (mad=2)", "operation/cycle/SM", 0.5},
    {"byte/clk/SM", "byte/cycle/SM", 1},
    {"byte/clk", "byte/cycle", 1},
    {"GB/s", "GB/s", 1},
    {"TB/s", "GB/s", 1000},
};

}  // namespace

published::published(const std::filesystem::path& path) : known_(true) {
  for (named_record& r : read_records(path, {"quantity", "unit", "value", "chip", "source"}))
    values_.push_back({r.fields["quantity"], r.fields["unit"], r.fields["value"], r.fields["chip"],
                       r.fields["source"]});
}

std::vector<published_value> published::of(const std::string& quantity) const {
  std::vector<published_value> out;
  if (quantity.empty()) return out;
  for (const published_value& v : values_)
    if (v.quantity == quantity) out.push_back(v);
  return out;
}

std::optional<interval> in_unit(const published_value& v, const std::string& unit) {
  constexpr std::string_view between = " to ";
  const auto at = v.value.find(between);
  const auto low = number_of(v.value.substr(0, at));
  const auto high = at == std::string::npos ? low : number_of(v.value.substr(at + between.size()));
  if (!low || !high) return {};
  for (const conversion& c : conversions)
    if (v.unit == c.theirs && unit == c.ours) return interval{*low * c.factor, *high * c.factor};
  return {};
}

std::string published_value::text(const std::string& our_unit) const {
  const std::string on = chip.substr(0, chip.find(" ("));
  const auto ours = in_unit(*this, our_unit);
  if (!ours) return fmt::format("{} {} ({})", value, unit, on);
  if (ours->low < ours->high)
    return fmt::format("{:.6g} to {:.6g} ({})", ours->low, ours->high, on);
  return fmt::format("{:.6g} ({})", ours->low, on);
}

}  // namespace ptxlab::report
