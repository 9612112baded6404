// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/variable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "ptx/text/error.hpp"
#include "ptx/text/module.hpp"
#include "ptx/text/token_stream.hpp"

namespace ptxlab::ptx {

std::uint32_t type_bytes(std::string_view type) {
  if (!type.empty() && type[0] == '.') type.remove_prefix(1);
  if (type == "pred") return 1;
  if (type == "texref" || type == "samplerref" || type == "surfref") return 8;
  std::uint32_t bits = 0;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  const std::string_view kind = type.substr(0, digits);
  if (kind != "b" && kind != "u" && kind != "s" && kind != "f" && kind != "bf" && kind != "tf")
    return 0;
  const char* const end = type.data() + type.size();
  const auto [rest, ec] = std::from_chars(type.data() + digits, end, bits);
  if (ec != std::errc() || (rest != end && std::string_view(rest, end) != "x2")) return 0;
  return bits / 8 * (rest == end ? 1 : 2);
}

namespace {

constexpr std::string_view spaces[] = {".global", ".const", ".shared", ".local", ".param"};
constexpr int deepest = 8;

class reader {
 public:
  reader(std::string_view text, std::string_view name) : in_(text, name) {}

  std::vector<variable> run() {
    variable v;
    while (in_.peek().kind == token_kind::word && in_.peek().text[0] == '.') {
      const token t = in_.take();
      if (t.text == ".align") {
        v.align = in_.number(in_.take());
      } else if (t.text == ".extern") {
        v.external = true;
      } else if (t.text == ".v2" || t.text == ".v4" || t.text == ".v8") {
        vector_ = static_cast<std::uint32_t>(t.text[2] - '0');
      } else if (t.text == ".attribute") {
        while (in_.peek().kind != token_kind::end && !in_.take().is(')')) {
        }
      } else if (is_space(t.text)) {
        v.space = t.text.substr(1);
      } else if (const std::uint32_t b = type_bytes(t.text); b != 0) {
        v.type = t.text.substr(1);
        v.element_bytes = b;
      } else if (t.text != ".visible" && t.text != ".weak" && t.text != ".common" &&
                 t.text != ".ptr") {
        return {};
      }
    }
    if (v.space.empty() || v.element_bytes == 0) return {};
    return declarators(v);
  }

 private:
  static bool is_space(std::string_view t) {
    for (const std::string_view s : spaces)
      if (t == s) return true;
    return false;
  }

  std::vector<variable> declarators(const variable& common) {
    std::vector<variable> out;
    for (;;) {
      variable v = common;
      const token name = in_.take();
      if (name.kind != token_kind::word)
        in_.fail(name, fmt::format("a variable needs a name, not '{}'", token_stream::shown(name)));
      v.name = name.text;
      std::uint64_t count = vector_;
      while (in_.peek().is('[')) {
        in_.take();
        if (in_.peek().is(']')) {
          v.sized = false;
        } else {
          const token n = in_.take();
          count *= in_.number(n);
          if (count * v.element_bytes > (std::uint64_t{1} << 40))
            in_.fail(n, fmt::format("{} is too large", v.name));
        }
        if (const token close = in_.take(); !close.is(']')) in_.fail(close, "expected ']'");
      }
      v.align = std::max(v.align, v.element_bytes * vector_);
      if (in_.peek().is('=')) {
        in_.take();
        initialiser(v, 0);
        if (!v.sized) count = v.initial.size(), v.sized = true;
      }
      v.bytes = v.sized ? count * v.element_bytes : 0;
      if (v.sized && v.initial.size() > count)
        in_.fail(name, fmt::format("{} has {} elements, its initialiser {}", v.name, count,
                                   v.initial.size()));
      out.push_back(std::move(v));
      if (!in_.peek().is(',')) break;
      in_.take();
    }
    if (const token t = in_.peek(); t.kind != token_kind::end && !t.is(';'))
      in_.fail(t, fmt::format("'{}' does not belong in a declaration", token_stream::shown(t)));
    return out;
  }

  void initialiser(variable& v, int depth) {
    if (depth > deepest) in_.fail(in_.peek(), "braces nest too deep");
    if (!in_.peek().is('{')) return scalar(v);
    in_.take();
    while (!in_.peek().is('}')) {
      if (in_.peek().kind == token_kind::end) in_.fail(in_.peek(), "an initialiser does not end");
      initialiser(v, depth + 1);
      if (in_.peek().is(',')) in_.take();
    }
    in_.take();
  }

  void scalar(variable& v) {
    initial_value x;
    bool minus = false;
    if (in_.peek().is('-')) {
      in_.take();
      minus = true;
    }
    const token t = in_.take();
    if (t.kind == token_kind::number) {
      number(t, minus, x);
    } else if (t.kind == token_kind::word && !minus) {
      x.symbol = t.text;
      if (t.text == "generic" && in_.peek().is('(')) {
        in_.take();
        x.symbol = in_.take().text;
        if (in_.peek().is('+')) offset(x);
        if (const token close = in_.take(); !close.is(')')) in_.fail(close, "expected ')'");
      }
      if (in_.peek().is('+')) offset(x);
    } else {
      in_.fail(t, fmt::format("'{}' is no initial value", token_stream::shown(t)));
    }
    v.initial.push_back(x);
  }

  void offset(initial_value& x) {
    in_.take();
    x.value += in_.number(in_.take());
  }

  void number(const token& t, bool minus, initial_value& x) {
    if (const auto value = integer_value(t.text, minus)) {
      x.value = *value;
      if (in_.peek().is('(')) in_.fail(t, "masked addresses in initialisers are not supported");
    } else if (const auto literal = floating_value(t.text, minus)) {
      x.floating = true;
      x.single = literal->single;
      x.value = static_cast<std::int64_t>(literal->bits);
    } else {
      in_.fail(t, fmt::format("'{}' is no number", token_stream::shown(t)));
    }
  }

  token_stream in_;
  std::uint32_t vector_ = 1;
};

}  // namespace

std::vector<variable> read_variables(std::string_view text, std::string_view module_name) {
  return reader(text, module_name).run();
}

}  // namespace ptxlab::ptx
