// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace ptxlab::report {
namespace {

/// Columns of a printed text: escape sequences are not counted.
std::size_t width_of(const std::string& text) {
  std::size_t widest = 0, at = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\033') escape = true;
    if (c == '\n') {
      widest = std::max(widest, at);
      at = 0;
    } else if (!escape) {
      ++at;
    }
    if (c == 'm') escape = false;
  }
  return std::max(widest, at);
}

std::string laid_out(const table& t, const footnotes& notes, const std::set<std::size_t>& without,
                     const facts::page& page) {
  std::vector<facts::table::column> columns;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    if (!without.contains(c))
      columns.push_back({t.columns[c].title, t.columns[c].right, t.columns[c].folds});
  facts::table out(columns);
  for (std::size_t i = 0; i < t.lines.size(); ++i) {
    std::vector<std::string> cells;
    for (std::size_t c = 0; c < t.columns.size(); ++c)
      if (!without.contains(c)) cells.push_back(t.lines[i].cells[c]);
    if (!notes.marks[i].empty()) cells.front() += fmt::format(" [{}]", notes.marks[i]);
    out.row(cells);
  }
  return out.str(page);
}

/// A paragraph whose lines after the first are set in.
std::string paragraph(const std::string& text, int columns, const std::string& first,
                      const std::string& rest) {
  std::string out;
  const auto room = static_cast<std::size_t>(columns) - std::max(first.size(), rest.size());
  for (const std::string& piece : facts::fold(text, room))
    out += (out.empty() ? first : rest) + piece + "\n";
  return out;
}

std::string heading(const std::string& text, const facts::page& page) {
  std::string out = paragraph(text, page.columns, "", "");
  return page.colour ? "\033[1m" + out + "\033[0m" : out;
}

std::string table_text(const table& t, const facts::page& page) {
  const footnotes notes = footnotes_of(t);
  std::set<std::size_t> without;
  std::string body = laid_out(t, notes, without, page), left_out;
  while (width_of(body) > static_cast<std::size_t>(page.columns)) {
    std::size_t worst = 0;
    for (std::size_t c = 1; c < t.columns.size(); ++c)
      if (!without.contains(c) && t.columns[c].rank > t.columns[worst].rank) worst = c;
    if (worst == 0) break;  // no column is left that may go (the first one always stays)
    without.insert(worst);
    left_out += (left_out.empty() ? "" : ", ") + t.columns[worst].title;
    body = laid_out(t, notes, without, page);
  }
  std::string out = heading(t.title, page) + body;
  for (std::size_t i = 0; i < notes.texts.size(); ++i)
    out += paragraph(notes.texts[i], page.columns, fmt::format("[{}] ", i + 1), "    ");
  if (!left_out.empty())
    out += paragraph("left out for want of width: " + left_out, page.columns, "", "");
  return out + "\n";
}

}  // namespace

std::string text_format(const document& d, const facts::page& page) {
  std::string out;
  for (const part& p : d.parts) {
    out += heading(p.title, page) + "\n";
    for (const table& t : p.tables) out += table_text(t, page);
    for (const item_list& l : p.lists) {
      out += heading(l.title, page);
      for (const std::string& item : l.items) out += paragraph(item, page.columns, "  ", "    ");
      out += "\n";
    }
  }
  for (const std::string& note : d.notes) out += paragraph(note, page.columns, "", "");
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace ptxlab::report
