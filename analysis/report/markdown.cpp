// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/markdown.hpp"

#include <fmt/format.h>

#include <cctype>

namespace ptxlab::report {
namespace {

std::string bar(const std::vector<std::string>& cells) {
  std::string out = "|";
  for (const std::string& c : cells) out += fmt::format(" {} |", c);
  return out + "\n";
}

std::string table_text(const table& t) {
  const footnotes notes = footnotes_of(t);
  std::vector<std::string> titles, rules;
  for (const column& c : t.columns) {
    titles.push_back(markdown_escaped(c.title));
    rules.emplace_back(c.right ? "---:" : "---");
  }
  std::string out =
      fmt::format("### {}\n\n{}{}", markdown_escaped(t.title), bar(titles), bar(rules));
  for (std::size_t i = 0; i < t.lines.size(); ++i) {
    std::vector<std::string> cells;
    for (const std::string& c : t.lines[i].cells) cells.push_back(markdown_escaped(c));
    if (!notes.marks[i].empty()) cells.front() += fmt::format(" <sup>{}</sup>", notes.marks[i]);
    out += bar(cells);
  }
  out += "\n";
  for (std::size_t i = 0; i < notes.texts.size(); ++i)
    out += fmt::format("<sup>{}</sup> {}{}\n", i + 1, markdown_escaped(notes.texts[i]),
                       i + 1 < notes.texts.size() ? "<br>" : "\n");
  return out;
}

std::string list_text(const item_list& l) {
  std::string out = fmt::format("### {}\n\n", markdown_escaped(l.title));
  for (const std::string& item : l.items) out += fmt::format("- {}\n", markdown_escaped(item));
  return out + "\n";
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0;
}

}  // namespace

std::string markdown_escaped(const std::string& text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\n' || c == '\r') {
      out += ' ';
      continue;
    }
    // An underscore within a word opens nothing, and names are easier to read without.
    const bool inside =
        i > 0 && i + 1 < text.size() && is_word(text[i - 1]) && is_word(text[i + 1]);
    if (std::string_view("\\|`*<>[]&").find(c) != std::string_view::npos || (c == '_' && !inside))
      out += '\\';
    out += c;
  }
  return out;
}

std::string markdown_format(const document& d) {
  std::string out;
  for (const part& p : d.parts) {
    if (!p.title.empty()) out += fmt::format("## {}\n\n", markdown_escaped(p.title));
    for (const table& t : p.tables) out += table_text(t);
    for (const item_list& l : p.lists) out += list_text(l);
    for (const picture& one : p.pictures)
      out += fmt::format("![{}]({})\n\n", markdown_escaped(one.says), one.path);
  }
  for (const std::string& note : d.notes) out += fmt::format("{}\n\n", markdown_escaped(note));
  while (out.ends_with("\n\n")) out.pop_back();
  return out;
}

}  // namespace ptxlab::report
