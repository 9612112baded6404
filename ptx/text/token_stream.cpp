// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/token_stream.hpp"

#include <fmt/format.h>

#include "ptx/text/error.hpp"
#include "ptx/text/module.hpp"

namespace ptxlab::ptx {

void token_stream::advance() {
  token_ = lexer_.next();
  while (token_.kind == token_kind::asm_begin || token_.kind == token_kind::asm_end) {
    in_asm_ = token_.kind == token_kind::asm_begin;
    token_ = lexer_.next();
  }
}

const char* token_stream::skip_braces() {
  const token first = token_;
  int depth = 0;
  do {
    const token t = take();
    if (t.kind == token_kind::end) fail(first, "'{' without its '}'");
    if (t.is('{')) ++depth;
    if (t.is('}')) --depth;
    if (depth == 0) return t.text.data() + 1;
  } while (true);
}

std::uint32_t token_stream::number(const token& t) const {
  const auto value = t.kind == token_kind::number ? integer_value(t.text, false) : std::nullopt;
  if (!value || *value < 0 || *value > 0x7fffffff)
    fail(t, fmt::format("expected a number, found '{}'", shown(t)));
  return static_cast<std::uint32_t>(*value);
}

std::string token_stream::shown(const token& t) {
  if (t.kind == token_kind::end) return "end of text";
  std::string out;
  for (const char c : t.text.substr(0, 40)) out += (c >= ' ' && c <= '~') ? c : '?';
  return out;
}

void token_stream::fail(const token& at, const std::string& what) const {
  throw error(fmt::format("{}:{}: {}", name_, at.line, what));
}

}  // namespace ptxlab::ptx
