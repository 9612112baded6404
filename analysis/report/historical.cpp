// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/historical.hpp"

#include <fmt/format.h>

#include <map>

#include "analysis/report/quantity.hpp"
#include "analysis/report/record.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::report {

std::string historical_value::text() const {
  return exact(value) + (unit.empty() ? "" : " " + unit);
}

historical::historical(const std::filesystem::path& path) : known_(true) {
  std::map<std::string, std::string> document_of;  // of a table
  for (named_record& r :
       read_records(path, {"document", "table", "row", "column", "value", "unit"})) {
    auto& f = r.fields;
    const auto value = number_of(f["value"]);
    if (!value)
      throw error(fmt::format("{}:{}: value '{}' is no number", path.string(), r.line, f["value"]));
    if (document_of.emplace(f["table"], f["document"]).first->second != f["document"])
      throw error(
          fmt::format("{}:{}: table '{}' is of two documents", path.string(), r.line, f["table"]));
    values_.push_back({f["table"], f["row"], f["column"], f["unit"], *value});
  }
}

const historical_value* historical::find(const std::string& table, const std::string& row,
                                         const std::string& column) const {
  for (const historical_value& v : values_)
    if (v.table == table && v.row == row && v.column == column) return &v;
  return nullptr;
}

std::vector<const historical_value*> historical::column(const std::string& table,
                                                        const std::string& column) const {
  std::vector<const historical_value*> out;
  for (const historical_value& v : values_)
    if (v.table == table && v.column == column) out.push_back(&v);
  return out;
}

}  // namespace ptxlab::report
