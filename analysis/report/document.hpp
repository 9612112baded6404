// SPDX-License-Identifier: Apache-2.0
// What a report says, before it is laid out as Markdown, LaTeX or text: tables and lists of plain
// text, nothing escaped.
#pragma once

#include <string>
#include <vector>

namespace ptxlab::report {

struct column {
  std::string title;
  bool right = false;  ///< numbers
  bool folds = false;  ///< prose, which may take several lines
  /// Where a page is too narrow, the columns of the highest rank are left out first; 0 stays.
  int rank = 0;
};

struct line {
  std::vector<std::string> cells;
  std::vector<std::string> notes;  ///< what must be known of this line
};

struct table {
  std::string title;  ///< "latency/fp32: latency in cycles"
  std::vector<column> columns;
  std::vector<line> lines;
};

/// A table's notes, each once, and for every line the numbers (from 1) of its own.
struct footnotes {
  std::vector<std::string> texts;
  std::vector<std::string> marks;  ///< "1", "1,3", or nothing; one per line
};
footnotes footnotes_of(const table& t);

/// Removes the columns that may go and have nothing but `absent` in them.
void drop_empty_columns(table& t, const std::string& absent);

struct item_list {
  std::string title;
  std::vector<std::string> items;
};

/// A figure that lies beside the document.
struct picture {
  std::string says, path;
};

/// All that was measured in one setting.
struct part {
  std::string title;  ///< the setting; empty: told elsewhere
  std::vector<table> tables;
  std::vector<item_list> lists;
  std::vector<picture> pictures = {};  ///< shown by Markdown alone
};

struct document {
  std::vector<part> parts;
  std::vector<std::string> notes;  ///< on the report itself: what it had to do without
};

}  // namespace ptxlab::report
