// SPDX-License-Identifier: Apache-2.0
// The lexer with one token of look-ahead, and errors that name file and line.
#pragma once

#include <string>
#include <string_view>

#include "ptx/text/lexer.hpp"

namespace ptxlab::ptx {

class token_stream {
 public:
  token_stream(std::string_view source, std::string_view name)
      : source_(source), name_(name), lexer_(source) {
    advance();
  }

  const token& peek() const { return token_; }
  token take() {
    const token t = token_;
    advance();
    return t;
  }
  /// Source text between two positions in it.
  std::string_view from(const char* begin, const char* end) const {
    return {begin, static_cast<std::size_t>(end - begin)};
  }
  std::string_view text(std::uint32_t begin, std::uint32_t length) const {
    return source_.substr(begin, length);
  }
  std::uint32_t offset(std::string_view text) const {
    return static_cast<std::uint32_t>(text.data() - source_.data());
  }
  /// Skips a `{ ... }`, nested ones included; returns the position behind it.
  const char* skip_braces();
  /// Value of a number token that must fit 32 bits.
  std::uint32_t number(const token& t) const;
  /// A token as an error message shows it.
  static std::string shown(const token& t);
  [[noreturn]] void fail(const token& at, const std::string& what) const;
  /// True inside nvcc's inline-asm marks.
  bool in_asm() const { return in_asm_; }

 private:
  void advance();

  std::string_view source_, name_;
  lexer lexer_;
  token token_;
  bool in_asm_ = false;
};

}  // namespace ptxlab::ptx
