// SPDX-License-Identifier: Apache-2.0
// A table of plain text for people, made to fit a page.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ptxlab::machine {

struct table_column {
  std::string head;
  bool number = true;  ///< to the right; else to the left, and shortened where space is short
  unsigned rank = 0;   ///< the highest rank is left out first where space is short; 0 stays
  std::vector<std::string> cells;
};

/// Lines of at most `width` characters, unless the columns of rank 0 alone need more with every
/// text cut to six. Throws ptxlab::error where columns have different numbers of cells.
std::string fitted_table(std::vector<table_column> columns, unsigned width);

/// `text` in at most `width` characters, ".." for what is missing at its start.
std::string shortened(const std::string& text, std::size_t width);

}  // namespace ptxlab::machine
