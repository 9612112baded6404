// SPDX-License-Identifier: Apache-2.0
#include "analysis/report/latex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace ptxlab::report {
namespace {

constexpr std::size_t lines_on_a_page = 45;

std::string comment(const std::string& text) {
  std::string out = text.empty() ? "%" : "% ";
  for (const char c : text) out += c == '\n' || c == '\r' ? ' ' : c;
  return out + "\n";
}

/// "tab:latency-fp32-latency-in-cycles-2"
std::string label_of(const std::string& title, std::size_t number) {
  std::string out = "tab:";
  for (const char c : title) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!out.ends_with('-') && !out.ends_with(':'))
      out += '-';
  }
  while (out.ends_with('-')) out.pop_back();
  return number > 1 ? fmt::format("{}-{}", out, number) : out;
}

/// Prose gets a width of its own, unless all of it is short.
bool is_paragraph(const table& t, std::size_t c) {
  constexpr std::size_t fits_a_line = 24;
  return t.columns[c].folds && std::any_of(t.lines.begin(), t.lines.end(), [&](const line& l) {
           return l.cells[c].size() > fits_a_line;
         });
}

/// An id in a paragraph has no blanks: it may be broken behind a stroke.
std::string breakable(const std::string& escaped) {
  std::string out;
  for (const char c : escaped) out += c == '/' ? std::string("/\\allowbreak{}") : std::string(1, c);
  return out;
}

std::string row_of(const std::vector<std::string>& cells) {
  std::string out = "  ";
  for (std::size_t i = 0; i < cells.size(); ++i) out += (i > 0 ? " & " : "") + cells[i];
  return out + " \\\\\n";
}

class latex_writer {
 public:
  std::string all(const document& d) {
    out_ = "% Needs \\usepackage{booktabs,array,graphicx}.\n";
    for (const part& p : d.parts) {
      out_ += comment("") + comment(p.title);
      for (const item_list& l : p.lists) {
        out_ += comment(l.title + ":");
        for (const std::string& item : l.items) out_ += comment("  " + item);
      }
      for (const table& t : p.tables) put(t, p.title);
    }
    for (const std::string& note : d.notes) out_ += comment(note);
    return out_;
  }

 private:
  void put(const table& t, const std::string& setting) {
    const std::size_t pages = (t.lines.size() + lines_on_a_page - 1) / lines_on_a_page;
    for (std::size_t page = 0; page < pages; ++page) {
      table piece{t.title, t.columns, {}};
      const auto first = t.lines.begin() + static_cast<std::ptrdiff_t>(page * lines_on_a_page);
      const auto count = std::min<std::ptrdiff_t>(lines_on_a_page, t.lines.end() - first);
      piece.lines.assign(first, first + count);
      if (pages > 1) piece.title += fmt::format(" (part {} of {})", page + 1, pages);
      put_page(piece, setting);
    }
  }

  void put_page(const table& t, const std::string& setting) {
    const footnotes notes = footnotes_of(t);
    std::string columns;
    std::vector<std::string> titles, cells;
    for (std::size_t c = 0; c < t.columns.size(); ++c) {
      const bool paragraph = is_paragraph(t, c);
      columns += paragraph            ? ">{\\raggedright\\arraybackslash}p{3.4cm}"
                 : t.columns[c].right ? "r"
                                      : "l";
      titles.push_back(latex_escaped(t.columns[c].title));
    }
    const std::string name = t.title.substr(0, t.title.find(" ("));
    const std::string label = label_of(name, ++labels_[label_of(name, 1)]);
    out_ += "\n\\begin{table}[htbp]\n  \\centering\n  \\footnotesize\n";
    out_ += fmt::format("  \\caption{{{}. {}.}}\n  \\label{{{}}}\n", latex_escaped(t.title),
                        latex_escaped(setting), label);
    out_ += fmt::format(
        "  \\setlength{{\\tabcolsep}}{{4pt}}\n  "
        "\\resizebox{{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}}{{!}}{{%\n"
        "  \\begin{{tabular}}{{{}}}\n",
        columns);
    out_ += "  \\toprule\n" + row_of(titles) + "  \\midrule\n";
    for (std::size_t i = 0; i < t.lines.size(); ++i) {
      cells.clear();
      for (std::size_t c = 0; c < t.columns.size(); ++c) {
        const std::string text = latex_escaped(t.lines[i].cells[c]);
        cells.push_back(is_paragraph(t, c) ? breakable(text) : text);
      }
      if (!notes.marks[i].empty())
        cells.front() += fmt::format("\\textsuperscript{{{}}}", notes.marks[i]);
      out_ += row_of(cells);
    }
    out_ += "  \\bottomrule\n  \\end{tabular}}\n";
    if (!notes.texts.empty()) out_ += "\n  \\smallskip\n";
    for (std::size_t i = 0; i < notes.texts.size(); ++i)
      out_ += fmt::format("  {}\\textsuperscript{{{}}}~{}\n", i > 0 ? "\\quad " : "", i + 1,
                          latex_escaped(notes.texts[i]));
    out_ += "\\end{table}\n";
  }

  std::string out_;
  std::map<std::string, std::size_t> labels_;
};

}  // namespace

std::string latex_escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\textbackslash{}";
        break;
      case '~':
        out += "\\textasciitilde{}";
        break;
      case '^':
        out += "\\textasciicircum{}";
        break;
      case '<':
        out += "\\textless{}";
        break;
      case '>':
        out += "\\textgreater{}";
        break;
      case '|':
        out += "\\textbar{}";
        break;
      case '\n':
      case '\r':
        out += ' ';
        break;
      default:
        if (std::string_view("{}$&#%_").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
  }
  return out;
}

std::string latex_format(const document& d) {
  return latex_writer().all(d);
}

}  // namespace ptxlab::report
