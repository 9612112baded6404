// SPDX-License-Identifier: Apache-2.0
// Tokens of PTX text. Comments and line markers are skipped, except nvcc's inline-asm marks.
#pragma once

#include <cstdint>
#include <string_view>

namespace ptxlab::ptx {

enum class token_kind : std::uint8_t {
  end,
  word,       ///< identifier, opcode, directive, register: letters, digits, _ $ % . and ::
  number,     ///< starts with a digit
  string,     ///< "..." without its quotes
  punct,      ///< one character
  asm_begin,  ///< comment "begin inline asm"
  asm_end     ///< comment "end inline asm"
};

struct token {
  token_kind kind = token_kind::end;
  std::string_view text;
  std::uint32_t line = 1;

  bool is(char c) const { return kind == token_kind::punct && text[0] == c; }
  bool is(std::string_view word) const { return kind == token_kind::word && text == word; }
};

class lexer {
 public:
  explicit lexer(std::string_view source) : at_(source.data()), end_(at_ + source.size()) {}
  /// The next token; after the last one `end`, for ever.
  token next();

 private:
  bool skip_blank(token& mark);
  bool skip_comment(token& mark);

  const char* at_;
  const char* end_;
  std::uint32_t line_ = 1;
  bool line_start_ = true;
};

}  // namespace ptxlab::ptx
