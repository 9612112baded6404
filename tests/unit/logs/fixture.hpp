// SPDX-License-Identifier: Apache-2.0
// Reads a log captured beside this file, and changes one word of it for a negative control.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace ptxlab::facts {

/// The text of tests/unit/logs/NAME; fails the test if it is missing or empty.
inline std::string fixture(const std::string& name) {
  const auto path = std::filesystem::path(__FILE__).parent_path() / name;
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  EXPECT_FALSE(text.empty()) << "no fixture " << name;
  return text;
}

/// `text` with the first `from` behind `after` replaced; fails the test if it is not there.
inline std::string changed(std::string text, std::string_view after, std::string_view from,
                           std::string_view to) {
  const auto start = text.find(after);
  const auto at = start == std::string::npos ? start : text.find(from, start);
  if (at == std::string::npos) {
    ADD_FAILURE() << "not in the log: " << from << " after " << after;
    return text;
  }
  return text.replace(at, from.size(), to);
}

/// `text` without the first line behind `after` that holds `word`.
inline std::string without_line(std::string text, std::string_view after, std::string_view word) {
  const auto start = text.find(after);
  const auto at = start == std::string::npos ? start : text.find(word, start);
  if (at == std::string::npos) {
    ADD_FAILURE() << "not in the log: " << word << " after " << after;
    return text;
  }
  const auto first = text.rfind('\n', at) + 1;
  return text.erase(first, text.find('\n', at) + 1 - first);
}

}  // namespace ptxlab::facts
