// SPDX-License-Identifier: Apache-2.0
// A text table that fits a page: columns as wide as their content, text folded where it must be.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace ptxlab::facts {

/// What a table or a text is laid out for.
struct page {
  int columns = 100;
  bool colour = false;
};

class table {
 public:
  struct column {
    std::string title;
    bool right = false;  ///< numbers
    bool folds = false;  ///< may be folded at blanks when the page is too narrow
  };

  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}
  void row(std::vector<std::string> cells) { rows_.push_back({std::move(cells), {}}); }
  /// A line across all columns.
  void heading(std::string text) { rows_.push_back({{}, std::move(text)}); }
  std::string str(const page& p) const;

 private:
  struct line {
    std::vector<std::string> cells;
    std::string heading;
  };
  std::vector<std::size_t> widths(const page& p) const;

  std::vector<column> columns_;
  std::vector<line> rows_;
};

/// Pieces of at most `width` characters, broken at blanks where there are any.
std::vector<std::string> fold(const std::string& text, std::size_t width);

}  // namespace ptxlab::facts
