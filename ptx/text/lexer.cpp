// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/lexer.hpp"

#include <array>
#include <cstring>

namespace ptxlab::ptx {
namespace {

enum : std::uint8_t { letter = 1, digit = 2, blank = 4 };

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> t{};
  for (int c = 'a'; c <= 'z'; ++c) t[static_cast<std::size_t>(c)] = letter;
  for (int c = 'A'; c <= 'Z'; ++c) t[static_cast<std::size_t>(c)] = letter;
  for (int c = '0'; c <= '9'; ++c) t[static_cast<std::size_t>(c)] = digit;
  for (const char c : {'_', '$', '%', '.'}) t[static_cast<std::size_t>(c)] = letter;
  for (const char c : {' ', '\t', '\r', '\f', '\v'}) t[static_cast<std::size_t>(c)] = blank;
  return t;
}

constexpr auto classes = make_classes();

std::uint8_t class_of(char c) {
  return classes[static_cast<unsigned char>(c)];
}

}  // namespace

// Skips one comment at `at_`. Returns true where it was one of nvcc's inline-asm marks.
bool lexer::skip_comment(token& mark) {
  if (at_[1] == '/') {
    const auto rest = static_cast<std::size_t>(end_ - at_);
    const char* eol = static_cast<const char*>(std::memchr(at_, '\n', rest));
    if (eol == nullptr) eol = end_;
    std::string_view text(at_, static_cast<std::size_t>(eol - at_));
    if (text.back() == '\r') text.remove_suffix(1);
    at_ = eol;
    if (text == "// begin inline asm") {
      mark = {token_kind::asm_begin, text, line_};
      return true;
    }
    if (text == "// end inline asm") {
      mark = {token_kind::asm_end, text, line_};
      return true;
    }
    return false;
  }
  at_ += 2;
  while (at_ < end_ && !(at_[0] == '*' && at_ + 1 < end_ && at_[1] == '/')) {
    if (*at_ == '\n') ++line_;
    ++at_;
  }
  at_ = end_ - at_ < 2 ? end_ : at_ + 2;
  return false;
}

// Skips blanks, comments and `# 12 "file"` line markers. True where an inline-asm mark was met.
bool lexer::skip_blank(token& mark) {
  while (at_ < end_) {
    const char c = *at_;
    if (c == '\n') {
      ++line_;
      ++at_;
      line_start_ = true;
    } else if (class_of(c) == blank) {
      ++at_;
    } else if (c == '/' && end_ - at_ > 1 && (at_[1] == '/' || at_[1] == '*')) {
      if (skip_comment(mark)) return true;
    } else if (c == '#' && line_start_) {
      while (at_ < end_ && *at_ != '\n') ++at_;
    } else {
      return false;
    }
  }
  return false;
}

token lexer::next() {
  token mark;
  if (skip_blank(mark)) return mark;
  if (at_ == end_) return {token_kind::end, {}, line_};
  line_start_ = false;
  const char* from = at_;
  const auto text = [&] { return std::string_view(from, static_cast<std::size_t>(at_ - from)); };
  const std::uint8_t first = class_of(*at_);
  if ((first & (letter | digit)) != 0) {
    for (;;) {
      while (at_ < end_ && (class_of(*at_) & (letter | digit)) != 0) ++at_;
      const bool qualified = end_ - at_ > 2 && at_[0] == ':' && at_[1] == ':' &&
                             (class_of(at_[2]) & (letter | digit)) != 0 && first == letter;
      if (!qualified) break;
      at_ += 2;  // .shared::cta, .L2::128B
    }
    const bool is_number =
        first == digit || (*from == '.' && at_ - from > 1 && class_of(from[1]) == digit);
    // 1.5e-3, 1e-3: the sign belongs to the number, but 0x1e-3 is a subtraction.
    const bool is_hexadecimal = at_ - from > 2 && *from == '0' && class_of(from[1]) == letter &&
                                from[1] != 'e' && from[1] != 'E';
    if (is_number && !is_hexadecimal && at_ < end_ && (*at_ == '-' || *at_ == '+') &&
        (at_[-1] == 'e' || at_[-1] == 'E')) {
      ++at_;
      while (at_ < end_ && class_of(*at_) == digit) ++at_;
    }
    return {is_number ? token_kind::number : token_kind::word, text(), line_};
  }
  if (*at_ == '"') {
    const std::uint32_t line = line_;
    ++at_;
    from = at_;
    while (at_ < end_ && *at_ != '"' && *at_ != '\n')
      at_ += (*at_ == '\\' && end_ - at_ > 1) ? 2 : 1;
    const token t{token_kind::string, text(), line};
    if (at_ < end_ && *at_ == '"') ++at_;
    return t;
  }
  ++at_;
  return {token_kind::punct, text(), line_};
}

}  // namespace ptxlab::ptx
