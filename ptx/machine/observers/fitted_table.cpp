// SPDX-License-Identifier: Apache-2.0
#include "ptx/machine/observers/fitted_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ptx/text/error.hpp"

namespace ptxlab::machine {
namespace {

constexpr std::size_t gap = 2, readable_text = 16, shortest_text = 6;

std::size_t natural_width(const table_column& c) {
  std::size_t w = c.head.size();
  for (const std::string& cell : c.cells) w = std::max(w, cell.size());
  return w;
}

/// Sum of widths and gaps, with text no longer than `text`.
std::size_t width_of(const std::vector<table_column>& columns, std::size_t text) {
  std::size_t w = 0;
  for (const table_column& c : columns) {
    const std::size_t own = natural_width(c);
    w += (w == 0 ? 0 : gap) + (c.number ? own : std::min(own, text));
  }
  return w;
}

/// Leaves out the last of the columns of the highest rank; false if all have rank 0.
bool leave_one_out(std::vector<table_column>& columns) {
  auto worst = columns.begin();
  for (auto c = columns.begin(); c != columns.end(); ++c)
    if (c->rank >= worst->rank) worst = c;
  if (worst == columns.end() || worst->rank == 0) return false;
  columns.erase(worst);
  return true;
}

void line_to(std::string& out, const std::vector<table_column>& columns,
             const std::vector<std::size_t>& widths, std::size_t row) {
  std::string line;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const table_column& c = columns[i];
    const std::string cell = shortened(row == 0 ? c.head : c.cells[row - 1], widths[i]);
    line +=
        c.number ? fmt::format("{:>{}}", cell, widths[i]) : fmt::format("{:<{}}", cell, widths[i]);
    line.append(gap, ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  out += line + '\n';
}

}  // namespace

std::string shortened(const std::string& text, std::size_t width) {
  if (text.size() <= width) return text;
  if (width <= 2) return std::string(width, '.');
  return ".." + text.substr(text.size() - (width - 2));
}

std::string fitted_table(std::vector<table_column> columns, unsigned width) {
  if (columns.empty()) return {};
  for (const table_column& c : columns)
    if (c.cells.size() != columns.front().cells.size())
      throw error(fmt::format("column \"{}\" has {} cells, others {}", c.head, c.cells.size(),
                              columns.front().cells.size()));
  while (width_of(columns, readable_text) > width && leave_one_out(columns)) {
  }
  std::size_t text = shortest_text;
  while (text < width && width_of(columns, text + 1) <= width) ++text;
  std::vector<std::size_t> widths;
  for (const table_column& c : columns)
    widths.push_back(c.number ? natural_width(c) : std::min(natural_width(c), text));
  std::string out;
  for (std::size_t row = 0; row <= columns.front().cells.size(); ++row)
    line_to(out, columns, widths, row);
  return out;
}

}  // namespace ptxlab::machine
