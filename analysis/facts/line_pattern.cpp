// SPDX-License-Identifier: Apache-2.0
// A matcher of one page: the reports have few shapes, and a malformed line must never be slow, so
// there is no backtracking.
#include "analysis/facts/line_pattern.hpp"

#include <charconv>

namespace ptxlab::facts {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// How much of `text` a `*` takes that `rest` of the pattern follows; npos if nothing fits.
std::size_t shortest(std::string_view text, std::string_view rest) {
  if (rest.empty()) return text.size();
  const auto literal = rest.substr(0, rest.find_first_of("#* "));
  return text.find(literal.empty() ? std::string_view(" ") : literal);
}

}  // namespace

std::string_view trim(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::optional<std::int64_t> number(std::string_view text) {
  constexpr std::int64_t largest = 1'000'000'000'000;
  if (text.empty() || !is_digit(text[0])) return {};
  std::int64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc{} || stop != end || value > largest) return {};
  return value;
}

std::optional<std::vector<std::string_view>> match(std::string_view pattern,
                                                   std::string_view text) {
  std::vector<std::string_view> captures;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    std::size_t taken = 0;
    if (c == '#') {
      while (taken < text.size() && is_digit(text[taken])) ++taken;
      if (!number(text.substr(0, taken))) return {};
      captures.push_back(text.substr(0, taken));
    } else if (c == '*') {
      taken = shortest(text, pattern.substr(i + 1));
      if (taken == std::string_view::npos || taken == 0) return {};
      captures.push_back(text.substr(0, taken));
    } else if (c == ' ') {
      while (taken < text.size() && text[taken] == ' ') ++taken;
      if (taken == 0) return {};
    } else {
      if (text.empty() || text[0] != c) return {};
      taken = 1;
    }
    text.remove_prefix(taken);
  }
  if (!text.empty()) return {};
  return captures;
}

}  // namespace ptxlab::facts
