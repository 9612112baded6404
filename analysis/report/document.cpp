// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/document.hpp"

#include <algorithm>

namespace ptxlab::report {

footnotes footnotes_of(const table& t) {
  footnotes out;
  for (const line& l : t.lines) {
    std::string mark;
    for (const std::string& note : l.notes) {
      auto at = std::find(out.texts.begin(), out.texts.end(), note);
      if (at == out.texts.end()) at = out.texts.insert(at, note);
      mark += (mark.empty() ? "" : ",") + std::to_string(at - out.texts.begin() + 1);
    }
    out.marks.push_back(mark);
  }
  return out;
}

void drop_empty_columns(table& t, const std::string& absent) {
  for (std::size_t c = t.columns.size(); c-- > 0;) {
    const bool empty = std::all_of(t.lines.begin(), t.lines.end(),
                                   [&](const line& l) { return l.cells[c] == absent; });
    if (!empty || t.columns[c].rank == 0) continue;
    const auto at = static_cast<std::ptrdiff_t>(c);
    t.columns.erase(t.columns.begin() + at);
    for (line& l : t.lines) l.cells.erase(l.cells.begin() + at);
  }
}

}  // namespace ptxlab::report
