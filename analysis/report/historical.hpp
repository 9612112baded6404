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
  /// Reads columns document, table, row, column, value and unit of `path`; of those lines the ones
  /// of `document`. Throws ptxlab::error.
  historical(const std::filesystem::path& path, const std::string& document);

  bool known() const { return known_; }
  /// Null if the document does not tell.
  const historical_value* find(const std::string& table, const std::string& row,
                               const std::string& column) const;

 private:
  bool known_ = false;
  std::vector<historical_value> values_;
};

}  // namespace ptxlab::report
