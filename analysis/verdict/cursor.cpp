// SPDX-License-Identifier: Apache-2.0
// Reading words, numbers and operators from one line.
#include "analysis/verdict/cursor.hpp"

#include <fmt/format.h>

#include <charconv>

#include "ptx/text/error.hpp"

namespace ptxlab::verdict {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '+' || c == '-' || c == '/';
}

}  // namespace

void cursor::skip_blanks() {
  while (!done() && (peek() == ' ' || peek() == '\t')) ++pos_;
}

bool cursor::accept(char c) {
  if (done() || peek() != c) return false;
  ++pos_;
  return true;
}

std::string cursor::word() {
  skip_blanks();
  const std::size_t begin = pos_;
  while (!done() && is_word(peek())) ++pos_;
  return std::string(since(begin));
}

std::string cursor::next_word() const {
  cursor ahead = *this;
  return ahead.word();
}

std::string cursor::until_closing(char open, char close) {
  const std::size_t begin = pos_;
  for (int depth = 1; !done(); ++pos_) {
    if (peek() == open) ++depth;
    if (peek() == close && --depth == 0) {
      std::string inside(since(begin));
      ++pos_;
      return inside;
    }
  }
  fail(fmt::format("'{}' without its '{}'", open, close), begin == 0 ? 0 : begin - 1);
}

bool cursor::at_comparison() const {
  cursor ahead = *this;
  ahead.skip_blanks();
  const char c = ahead.peek();
  return c == '=' || c == '!' || c == '<' || c == '>';
}

compare cursor::comparison() {
  skip_blanks();
  const std::size_t begin = pos_;
  while (!done() && std::string_view("=!<>").find(peek()) != std::string_view::npos) ++pos_;
  const std::string_view op = since(begin);
  for (const compare c :
       {compare::eq, compare::ne, compare::lt, compare::le, compare::gt, compare::ge}) {
    if (op == name(c)) return c;
  }
  fail(op.empty() ? "a comparison (== != < <= > >=) is missing"
                  : fmt::format("'{}' is none of == != < <= > >=", op),
       begin);
}

double cursor::number(const char* of_what) {
  const std::string text = word();
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const bool digits = text.find_first_not_of("0123456789.") == std::string::npos;
  if (text.empty() || !digits || read.ec != std::errc() || read.ptr != end) {
    fail(fmt::format("'{}' is no number for '{}' (an integer or a decimal)",
                     text.empty() ? std::string(1, done() ? ' ' : peek()) : text, of_what),
         pos_ - text.size());
  }
  return value;
}

int cursor::positive(const char* of_what) {
  const std::string text = word();
  int value = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, value);
  if (text.empty() || read.ec != std::errc() || read.ptr != end || value < 1) {
    fail(fmt::format("'{}' is no positive integer for '{}'", text, of_what), pos_ - text.size());
  }
  return value;
}

void cursor::fail(const std::string& message, std::size_t position) const {
  place here = at_;
  here.column += static_cast<int>(position);
  throw error(fmt::format("{}: {}", describe(here), message));
}

}  // namespace ptxlab::verdict
