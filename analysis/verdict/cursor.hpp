// SPDX-License-Identifier: Apache-2.0
// A position in one line of text, for hand-written parsers whose messages name the column.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "analysis/verdict/expectation.hpp"

namespace ptxlab::verdict {

class cursor {
 public:
  /// `text` starts at `at` and has to outlive the cursor.
  cursor(std::string_view text, place at) : text_(text), at_(std::move(at)) {}

  bool done() const { return pos_ >= text_.size(); }
  char peek() const { return done() ? '\0' : text_[pos_]; }
  std::size_t position() const { return pos_; }
  std::string_view since(std::size_t begin) const { return text_.substr(begin, pos_ - begin); }
  std::string_view rest() const { return text_.substr(pos_); }

  void skip_blanks();
  /// Steps over `c` if it comes next.
  bool accept(char c);
  /// Skips blanks, then reads a run of letters, digits and `_ . + - /`; empty if there is none.
  std::string word();
  /// The same without moving.
  std::string next_word() const;
  /// Reads to the bracket that closes one already read; throws if there is none.
  std::string until_closing(char open, char close);
  /// `== != < <= > >=`; throws if none of them comes next.
  compare comparison();
  bool at_comparison() const;
  /// An integer or decimal without sign; throws otherwise.
  double number(const char* of_what);
  /// An integer from 1 to 2^31-1; throws otherwise.
  int positive(const char* of_what);

  /// Throws ptxlab::error for the current position, or for `position`.
  [[noreturn]] void fail(const std::string& message) const { fail(message, pos_); }
  [[noreturn]] void fail(const std::string& message, std::size_t position) const;

 private:
  std::string_view text_;
  place at_;
  std::size_t pos_ = 0;
};

}  // namespace ptxlab::verdict
