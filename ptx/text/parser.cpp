// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "ptx/text/body_parser.hpp"
#include "ptx/text/error.hpp"
#include "ptx/text/token_stream.hpp"
#include "ptx/text/variable.hpp"

namespace ptxlab::ptx {
namespace {

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  for (const std::string_view w : words)
    if (word == w) return true;
  return false;
}

class module_parser {
 public:
  module_parser(module& m) : module_(m), in_(*m.source, m.name), opcodes_(m) {}

  void run() {
    while (in_.peek().kind != token_kind::end) parse_item();
    if (module_.version.empty())
      throw error(fmt::format("{}: no .version directive: this is not PTX", module_.name));
  }

 private:
  void parse_item() {
    const token t = in_.peek();
    if (t.kind != token_kind::word || t.text[0] != '.')
      in_.fail(t, fmt::format("expected a directive, found '{}'", in_.shown(t)));
    if (is_one_of(t.text, {".version", ".target", ".address_size", ".file"})) return line_item();
    if (t.text == ".section") return section();
    const char* begin = t.text.data();
    while (is_one_of(in_.peek().text, {".visible", ".extern", ".weak", ".common"})) in_.take();
    if (is_one_of(in_.peek().text, {".entry", ".func"})) return function_item(begin);
    variable_item(begin);
  }

  void add_text(std::string_view text) {
    module_.items.push_back({false, static_cast<std::uint32_t>(module_.texts.size())});
    module_.texts.push_back(text);
  }

  /// A directive that ends with its line.
  void line_item() {
    const token first = in_.take();
    std::string_view last = first.text;
    std::array<token, 2> words{};
    std::size_t count = 0;
    while (in_.peek().kind != token_kind::end && in_.peek().line == first.line) {
      const token t = in_.take();
      last = t.text;
      if (count < words.size()) words[count++] = t;
    }
    if (count == 0) in_.fail(first, fmt::format("{} says nothing", first.text));
    if (first.text == ".version") module_.version = words[0].text;
    if (first.text == ".target") module_.target = words[0].text;
    if (first.text == ".file" && words[1].kind == token_kind::string)
      module_.files.push_back({in_.number(words[0]), words[1].text});
    add_text(in_.from(
        first.text.data(),
        last.data() + last.size() +
            (words[1].kind == token_kind::string && last.data() == words[1].text.data() ? 1 : 0)));
  }

  void section() {
    const token first = in_.take();
    while (!in_.peek().is('{')) {
      if (in_.peek().kind == token_kind::end) in_.fail(first, ".section has no body");
      in_.take();
    }
    const char* end = in_.skip_braces();
    add_text(in_.from(first.text.data(), end));
  }

  /// Everything else at module scope ends with ';': .global, .const, .shared, .alias, .pragma ...
  void variable_item(const char* begin) {
    std::string_view name;
    bool named = false;
    for (;;) {
      const token t = in_.peek();
      if (t.kind == token_kind::end) in_.fail(t, "the text ends inside a declaration");
      if (t.is('{')) {
        in_.skip_braces();
        continue;
      }
      in_.take();
      if (t.is(';')) {
        if (!name.empty()) module_.globals.push_back(name);
        return add_text(in_.from(begin, t.text.data() + 1));
      }
      if (t.is('[') || t.is('=')) named = true;
      if (!named && t.kind == token_kind::word && t.text[0] != '.') name = t.text;
    }
  }

  void function_item(const char* begin) {
    function f;
    const token kind = in_.take();
    f.line = kind.line;
    f.entry = kind.text == ".entry";
    if (in_.peek().is('(')) f.results = parameters();
    while (in_.peek().text == ".attribute") {
      in_.take();
      skip_parentheses();
    }
    const token name = in_.take();
    if (name.kind != token_kind::word) in_.fail(name, "a function needs a name");
    f.name = name.text;
    if (in_.peek().is('(')) f.params = parameters();
    while (!in_.peek().is('{') && !in_.peek().is(';')) {
      const token t = in_.take();
      if (t.kind == token_kind::end) in_.fail(t, fmt::format("function {} has no body", f.name));
      if (t.text == ".pragma")  // ends with a ';' of its own
        while (!in_.take().is(';'))
          if (in_.peek().kind == token_kind::end) in_.fail(t, ".pragma without ';'");
      if (t.text == ".maxntid" || t.text == ".reqntid") f.max_threads = product_of_numbers();
    }
    f.header = in_.from(begin, in_.peek().text.data());
    while (!f.header.empty() &&
           std::string_view(" \t\r\n").find(f.header.back()) != std::string_view::npos)
      f.header.remove_suffix(1);
    if (in_.peek().is('{')) {
      f.has_body = true;
      parse_body(in_, opcodes_, f);
    } else {
      in_.take();
    }
    module_.items.push_back({true, static_cast<std::uint32_t>(module_.functions.size())});
    module_.functions.push_back(std::move(f));
  }

  std::uint32_t product_of_numbers() {
    std::uint32_t product = 1;
    while (in_.peek().kind == token_kind::number) {
      product *= in_.number(in_.take());
      if (!in_.peek().is(',')) break;
      in_.take();
    }
    return product;
  }

  void skip_parentheses() {
    int depth = 0;
    do {
      const token t = in_.take();
      if (t.kind == token_kind::end) in_.fail(t, "the text ends inside parentheses");
      depth += t.is('(') ? 1 : t.is(')') ? -1 : 0;
    } while (depth > 0);
  }

  /// `(.param .align 8 .b8 name[16], ...)`; sizes and offsets as PTX ISA lays parameters out.
  std::vector<parameter> parameters() {
    in_.take();
    std::vector<parameter> out;
    std::uint32_t offset = 0;
    while (!in_.peek().is(')')) {
      parameter p;
      std::uint32_t align = 0, bytes = 0, count = 1;
      bool of_pointer = false;
      while (!in_.peek().is(',') && !in_.peek().is(')')) {
        const token t = in_.take();
        if (t.kind == token_kind::end) in_.fail(t, "the text ends inside a parameter list");
        if (t.text == ".ptr") of_pointer = true;
        if (t.text == ".align") {
          const std::uint32_t n = in_.number(in_.take());
          if (!of_pointer) align = n;
        } else if (t.kind == token_kind::word && t.text[0] == '.') {
          if (const std::uint32_t b = type_bytes(t.text); b != 0 && bytes == 0) bytes = b;
        } else if (t.kind == token_kind::word) {
          p.name = t.text;
        } else if (t.is('[')) {
          if (in_.peek().kind == token_kind::number) count = in_.number(in_.take());
        }
      }
      if (in_.peek().is(',')) in_.take();
      align = std::max({align, bytes, 1U});
      offset = (offset + align - 1) / align * align;
      p.offset = offset;
      p.bytes = bytes * count;
      offset += p.bytes;
      out.push_back(p);
    }
    in_.take();
    return out;
  }

  module& module_;
  token_stream in_;
  opcode_table opcodes_;
};

}  // namespace

module parse(std::string source, std::string name) {
  module m;
  m.name = std::move(name);
  m.source = std::make_unique<std::string>(std::move(source));
  if (m.source->size() >= nothing) throw error(fmt::format("{}: longer than 4 GiB", m.name));
  module_parser(m).run();
  for (const function& f : m.functions)
    for (const instruction& i : f.instructions)
      if (!m.op(i).known) ++m.unknown_instructions;
  return m;
}

}  // namespace ptxlab::ptx
