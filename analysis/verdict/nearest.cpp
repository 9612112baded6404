// SPDX-License-Identifier: Apache-2.0
// Edit distance over three rows of the usual table.
#include "analysis/verdict/nearest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace ptxlab::verdict {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view word, const std::vector<std::string>& names) {
  const auto best = std::min_element(names.begin(), names.end(),
                                     [word](const std::string& x, const std::string& y) {
                                       return edit_distance(word, x) < edit_distance(word, y);
                                     });
  return best == names.end() ? std::string() : *best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  return names.empty() ? std::string() : fmt::format("; nearest is '{}'", nearest(word, names));
}

}  // namespace ptxlab::verdict
