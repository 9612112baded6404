// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/table.hpp"

#include <algorithm>

namespace ptxlab::facts {
namespace {

constexpr std::size_t gap = 2;

/// Length of the longest word, below which a column cannot be folded.
std::size_t longest_word(const std::string& text) {
  std::size_t best = 0, word = 0;
  for (const char c : text) {
    word = c == ' ' ? 0 : word + 1;
    best = std::max(best, word);
  }
  return best;
}

}  // namespace

std::vector<std::string> fold(const std::string& text, std::size_t width) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (text.size() - at > width) {
    std::size_t cut = text.rfind(' ', at + width);
    if (cut == std::string::npos || cut <= at) cut = text.find(' ', at + width);
    if (cut == std::string::npos) break;  // one long word is left whole
    out.push_back(text.substr(at, cut - at));
    at = cut + 1;
  }
  out.push_back(text.substr(at));
  return out;
}

// Natural widths; where they do not fit, the widest column that folds gives way first.
std::vector<std::size_t> table::widths(const page& p) const {
  std::vector<std::size_t> w, least;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    w.push_back(columns_[c].title.size());
    least.push_back(longest_word(columns_[c].title));
    for (const line& l : rows_) {
      if (c >= l.cells.size()) continue;
      w[c] = std::max(w[c], l.cells[c].size());
      least[c] = std::max(least[c], longest_word(l.cells[c]));
    }
  }
  std::size_t all = gap * (columns_.size() - 1);
  for (const std::size_t n : w) all += n;
  while (all > static_cast<std::size_t>(p.columns)) {
    std::size_t widest = columns_.size();
    for (std::size_t c = 0; c < columns_.size(); ++c)
      if (columns_[c].folds && w[c] > least[c] &&
          (widest == columns_.size() || w[c] - least[c] > w[widest] - least[widest]))
        widest = c;
    if (widest == columns_.size()) break;
    --w[widest];
    --all;
  }
  return w;
}

std::string table::str(const page& p) const {
  const auto w = widths(p);
  std::string out;
  const auto put = [&](const std::vector<std::string>& cells) {
    std::vector<std::vector<std::string>> folded;
    std::size_t height = 1;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      folded.push_back(fold(c < cells.size() ? cells[c] : "", w[c]));
      height = std::max(height, folded.back().size());
    }
    for (std::size_t h = 0; h < height; ++h) {
      std::string text;
      for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::string cell = h < folded[c].size() ? folded[c][h] : "";
        const std::string pad(w[c] - std::min(w[c], cell.size()), ' ');
        if (c > 0) text += std::string(gap, ' ');
        text += columns_[c].right ? pad + cell : cell + pad;
      }
      text.erase(text.find_last_not_of(' ') + 1);
      out += text + "\n";
    }
  };
  std::vector<std::string> titles;
  for (const column& c : columns_) titles.push_back(c.title);
  if (p.colour) out += "\033[1m";
  put(titles);
  if (p.colour) out += "\033[0m";
  for (const line& l : rows_) {
    if (l.heading.empty()) {
      put(l.cells);
    } else {
      for (const std::string& piece : fold(l.heading, static_cast<std::size_t>(p.columns)))
        out += p.colour ? "\033[1m" + piece + "\033[0m\n" : piece + "\n";
    }
  }
  return out;
}

}  // namespace ptxlab::facts
