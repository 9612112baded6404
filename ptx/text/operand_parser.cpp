// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/operand_parser.hpp"

#include <fmt/format.h>

namespace ptxlab::ptx {
namespace {

constexpr int deepest_operand = 8;  // PTX needs three: group, address, vector

}  // namespace

void operand_parser::set_text(operand& o, const char* begin, const char* end) {
  o.text = in_.offset({begin, 0});
  o.length = static_cast<std::uint32_t>(end - begin);
}

void operand_parser::parse_operand(int depth) {
  const std::size_t index = f_.operands.size();
  single(depth);
  if (!in_.peek().is('|')) return;
  // d|p: both halves become children of a pair.
  operand pair;
  pair.kind = operand_kind::pair;
  pair.text = f_.operands[index].text;
  f_.operands.insert(f_.operands.begin() + static_cast<std::ptrdiff_t>(index), pair);
  std::uint32_t halves = 1;
  while (in_.peek().is('|')) {
    in_.take();
    single(depth);
    ++halves;
  }
  f_.operands[index].value = halves;
  close(index);
}

void operand_parser::close(std::size_t index) {
  f_.operands[index].children = static_cast<std::uint32_t>(f_.operands.size() - index - 1);
}

void operand_parser::single(int depth) {
  operand o;
  const token t = in_.take();
  if (t.is('[')) return nested(t, operand_kind::address, ']', depth);
  if (t.is('{')) return nested(t, operand_kind::vector, '}', depth);
  if (t.is('(')) return nested(t, operand_kind::group, ')', depth);
  token last = t;
  if (t.is('!') || t.is('-') || t.is('~')) {
    o.negated = t.is('!');
    o.minus = t.is('-');
    last = in_.take();
  }
  if (last.kind != token_kind::word && last.kind != token_kind::number)
    in_.fail(last, fmt::format("expected an operand, found '{}'", in_.shown(last)));
  classify(last, o);
  set_text(o, last.text.data(), last.text.data() + last.text.size());
  // A '+' here (outside an address) or any other operator makes it an expression.
  const token& next = in_.peek();
  const bool operator_follows =
      next.kind == token_kind::punct &&
      std::string_view("*/<>&^%-").find(next.text[0]) != std::string_view::npos;
  if (t.is('~') || operator_follows || (next.is('+') && !in_address_)) expression(t, last, o);
  f_.operands.push_back(o);
}

/// `read` is the last token of it that was taken.
void operand_parser::expression(const token& first, const token& read, operand& o) {
  int depth = 0;
  const char* end = read.text.data() + read.text.size();
  for (;;) {
    const token& t = in_.peek();
    if (t.kind == token_kind::end) in_.fail(first, "the text ends inside an expression");
    const bool closes = t.is(')') || t.is(']') || t.is('}');
    if (depth == 0 && (t.is(',') || t.is(';') || t.is('|') || closes)) break;
    if (t.is(';') || t.is('{') || t.is('}')) in_.fail(t, "expression without end");
    depth += t.is('(') || t.is('[') ? 1 : closes ? -1 : 0;
    end = t.text.data() + t.text.size();
    in_.take();
  }
  o = {};
  o.kind = operand_kind::expression;
  set_text(o, first.text.data(), end);
}

void operand_parser::classify(const token& t, operand& o) {
  if (t.kind == token_kind::number) {
    const bool is_float = t.text.size() > 1 && t.text[0] == '0' &&
                          std::string_view("fFdD").find(t.text[1]) != std::string_view::npos;
    const bool is_hexadecimal = t.text.size() > 1 && (t.text[1] == 'x' || t.text[1] == 'X');
    const bool is_decimal =
        !is_hexadecimal && t.text.find_first_of(".eE") != std::string_view::npos;
    o.kind = is_float || is_decimal ? operand_kind::floating : operand_kind::integer;
    return;
  }
  if (t.text == "_") {
    o.kind = operand_kind::sink;
    return;
  }
  o.value = names_.find(t.text);
  if (o.value == nothing) {
    // %r1.b0 (video selectors) and %v.x (vector registers) name a part of a register.
    const auto dot = t.text.rfind('.');
    if (dot != std::string_view::npos && dot > 0) o.value = names_.find(t.text.substr(0, dot));
  }
  if (o.value != nothing) {
    o.kind = operand_kind::reg;
  } else {
    o.kind = t.text[0] == '%' ? operand_kind::special : operand_kind::symbol;
    o.value = 0;
  }
}

void operand_parser::nested(const token& first, operand_kind kind, char closing, int depth) {
  if (depth >= deepest_operand) in_.fail(first, "operands nest too deep");
  const std::size_t index = f_.operands.size();
  operand o;
  o.kind = kind;
  set_text(o, first.text.data(), first.text.data() + 1);
  f_.operands.push_back(o);
  const bool outer = in_address_;
  in_address_ = kind == operand_kind::address;
  std::uint32_t count = 0;
  bool plus = false;
  while (!in_.peek().is(closing)) {
    const token t = in_.peek();
    if (t.kind == token_kind::end || t.is(';'))
      in_.fail(first, fmt::format("'{}' without '{}'", first.text, closing));
    const std::size_t child = f_.operands.size();
    parse_operand(depth + 1);
    f_.operands[child].after_plus = plus;
    ++count;
    plus = in_.peek().is('+');
    if (plus || in_.peek().is(',')) in_.take();
  }
  in_.take();
  in_address_ = outer;
  f_.operands[index].value = count;
  close(index);
}

}  // namespace ptxlab::ptx
