// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/bands.hpp"

#include <fmt/format.h>

#include <cmath>

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"
#include "analysis/verdict/glob.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {
namespace {

double limit(const std::filesystem::path& path, const named_record& r, const char* column,
             double none) {
  const std::string& text = r.fields.at(column);
  if (text.empty()) return none;
  if (const auto value = number_of(text)) return *value;
  throw error(fmt::format("{}:{}: {} '{}' is no number", path.string(), r.line, column, text));
}

}  // namespace

bool band::fits(const results::row& row, const std::string& device_name) const {
  return row.quantity == quantity && row.unit == unit && verdict::glob_match(id, row.id) &&
         verdict::glob_match(device, device_name);
}

std::string band::range() const {
  if (std::isinf(low)) return fmt::format("at most {}", exact(high));
  if (std::isinf(high)) return fmt::format("at least {}", exact(low));
  return fmt::format("{} to {}", exact(low), exact(high));
}

bands::bands(const std::filesystem::path& path) : known_(true) {
  const std::vector<std::string> columns = {"id",   "quantity", "unit",       "low",
                                            "high", "why",      "explanation"};
  for (named_record& r : read_records(path, columns)) {
    band b;
    b.id = r.fields["id"];
    b.device = r.fields["device"].empty() ? "*" : r.fields["device"];
    b.quantity = r.fields["quantity"];
    b.unit = r.fields["unit"];
    b.low = limit(path, r, "low", b.low);
    b.high = limit(path, r, "high", b.high);
    if (b.low > b.high || (std::isinf(b.low) && std::isinf(b.high)))
      throw error(fmt::format("{}:{}: a band from '{}' to '{}' holds nothing or all", path.string(),
                              r.line, r.fields["low"], r.fields["high"]));
    b.why = r.fields["why"];
    b.explanation = r.fields["explanation"];
    bands_.push_back(std::move(b));
  }
}

const band* bands::find(const results::row& row, const std::string& device_name) const {
  for (const band& b : bands_)
    if (b.fits(row, device_name)) return &b;
  return nullptr;
}

}  // namespace ptxlab::report
