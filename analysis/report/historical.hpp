// SPDX-License-Identifier: Apache-2.0
// Figures of the documents of 2008 to 2012 that this project repeats, to stand beside ours.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ptxlab::report {

struct historical_value {
  std::string table, row, column, unit;
  double value = 0;

  /// "10 us"; a unit that counts things stands behind its number as well: "32 blocks".
  std::string text() const;
};

class historical {
 public:
  historical() = default;
  /// Reads columns document, table, row, column, value and unit of `path`. Throws ptxlab::error,
  /// also where two documents have a table of one name.
  explicit historical(const std::filesystem::path& path);

  bool known() const { return known_; }
  /// Null if no document tells.
  const historical_value* find(const std::string& table, const std::string& row,
                               const std::string& column) const;
  /// The rows of `table` that have `column`, in order.
  std::vector<const historical_value*> column(const std::string& table,
                                              const std::string& column) const;

 private:
  bool known_ = false;
  std::vector<historical_value> values_;
};

}  // namespace ptxlab::report
