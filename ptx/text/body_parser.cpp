// SPDX-License-Identifier: Apache-2.0
#include "ptx/text/body_parser.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "ptx/text/error.hpp"
#include "ptx/text/operand_parser.hpp"
#include "ptx/text/symbols.hpp"

namespace ptxlab::ptx {

std::uint32_t opcode_table::number(std::string_view text) {
  const auto [it, inserted] =
      numbers_.try_emplace(text, static_cast<std::uint32_t>(module_.opcodes.size()));
  if (inserted) module_.opcodes.push_back(decode_opcode(text));
  return it->second;
}

namespace {

constexpr std::size_t deepest_scope = 200;
constexpr std::uint32_t deepest_inlining = 1000;
constexpr std::uint32_t most_registers = 1U << 24;

class body_parser {
 public:
  body_parser(token_stream& in, opcode_table& opcodes, function& f)
      : in_(in), opcodes_(opcodes), f_(f) {}

  void run() {
    const token first = in_.peek();
    in_.take();
    names_.open();
    for (;;) {
      const token t = in_.peek();
      if (t.kind == token_kind::end)
        in_.fail(first, fmt::format("the body of {} does not end", f_.name));
      if (t.is('}')) {
        in_.take();
        names_.close();
        if (names_.depth() == 0) break;
        scope_ = scope_parents_[scope_];
        add(statement_kind::close, 0);
      } else {
        statement(t);
      }
    }
    f_.register_count = names_.count();
    resolve_branches();
  }

 private:
  void add(statement_kind kind, std::size_t index) {
    f_.statements.push_back({kind, static_cast<std::uint32_t>(index)});
  }

  void statement(const token& t) {
    if (t.is('{')) {
      if (names_.depth() >= deepest_scope) in_.fail(t, "scopes nest too deep");
      in_.take();
      names_.open();
      scope_parents_.push_back(scope_);
      scope_ = static_cast<std::uint32_t>(scope_parents_.size() - 1);
      return add(statement_kind::open, 0);
    }
    if (t.is(';')) {
      in_.take();
      return;
    }
    if (t.is('@')) return guarded();
    if (t.kind != token_kind::word)
      in_.fail(t, fmt::format("expected an instruction, found '{}'", in_.shown(t)));
    if (t.text[0] == '.') return directive();
    in_.take();
    if (in_.peek().is(':')) {
      in_.take();
      add(statement_kind::label, f_.labels.size());
      f_.labels.push_back({t.text, static_cast<std::uint32_t>(f_.instructions.size())});
      label_scopes_.push_back(scope_);
      return;
    }
    instruction i;
    parse_instruction(t, i);
  }

  void guarded() {
    const token at = in_.take();
    instruction i;
    if (in_.peek().is('!')) {
      in_.take();
      i.guard_negated = true;
    }
    const token name = in_.take();
    i.guard = names_.find(name.text);
    if (i.guard == nothing)
      in_.fail(at, fmt::format("guard '{}' is not a declared register", in_.shown(name)));
    const token op = in_.take();
    if (op.kind != token_kind::word) in_.fail(op, "a guard needs an instruction");
    parse_instruction(op, i);
  }

  // --- directives inside a body -------------------------------------------------------------

  void directive() {
    const token first = in_.peek();
    if (first.text == ".loc") return loc();
    in_.take();
    if (first.text == ".reg") return registers(first);
    const char* end = nullptr;
    indirect_table table;
    for (;;) {
      const token t = in_.peek();
      if (t.kind == token_kind::end) in_.fail(first, fmt::format("{} without ';'", first.text));
      if (t.is('{')) {
        in_.skip_braces();
        continue;
      }
      in_.take();
      if (t.is(';')) {
        end = t.text.data() + 1;
        break;
      }
      if (t.kind == token_kind::word) table.labels.push_back(t.text);
    }
    if (first.text == ".branchtargets" && !f_.labels.empty()) {
      table.name = f_.labels.back().name;
      f_.tables.push_back(std::move(table));
    }
    add_text(in_.from(first.text.data(), end));
  }

  void add_text(std::string_view text) {
    add(statement_kind::text, f_.texts.size());
    f_.texts.push_back(text);
  }

  /// .loc FILE LINE COLUMN [, function_name LABEL[+N], inlined_at FILE LINE COLUMN]
  void loc() {
    const token first = in_.take();
    location l;
    l.file = in_.number(in_.take());
    l.line = in_.number(in_.take());
    token last = in_.take();
    l.column = in_.number(last);
    while (in_.peek().line == first.line && in_.peek().is(',')) {
      in_.take();
      const token word = in_.take();
      if (word.text == "function_name") {
        last = in_.take();
        l.function = last.text;
        if (in_.peek().is('+')) {
          in_.take();
          last = in_.take();
        }
      } else if (word.text == "inlined_at") {
        const std::uint32_t file = in_.number(in_.take()), line = in_.number(in_.take());
        last = in_.take();
        l.parent = position(file, line, in_.number(last));
        l.depth = f_.locations[l.parent].depth + 1;
        if (l.depth > deepest_inlining) in_.fail(word, "calls are inlined too deep");
      } else {
        in_.fail(word, fmt::format("unknown .loc attribute '{}'", in_.shown(word)));
      }
    }
    add_text(in_.from(first.text.data(), last.text.data() + last.text.size()));
    f_.locations.push_back(l);
    location_ = static_cast<std::uint32_t>(f_.locations.size() - 1);
  }

  /// The latest location at a call site; nvcc writes it just before what is inlined there.
  std::uint32_t position(std::uint32_t file, std::uint32_t line, std::uint32_t column) {
    for (std::size_t i = f_.locations.size(); i-- > 0 && f_.locations.size() - i < 64;) {
      const location& l = f_.locations[i];
      if (l.file == file && l.line == line && l.column == column)
        return static_cast<std::uint32_t>(i);
    }
    f_.locations.push_back({file, line, column, nothing, 0, {}});
    return static_cast<std::uint32_t>(f_.locations.size() - 1);
  }

  void registers(const token& first) {
    std::string_view type;
    while (in_.peek().kind == token_kind::word && in_.peek().text[0] == '.') {
      const token t = in_.take();
      if (t.text == ".align")
        in_.take();
      else
        type = t.text.substr(1);
    }
    for (;;) {
      const token name = in_.take();
      if (name.kind != token_kind::word)
        in_.fail(name, fmt::format("expected a register name, found '{}'", in_.shown(name)));
      std::uint32_t count = 1;
      const bool numbered = in_.peek().is('<');
      if (numbered) {
        in_.take();
        count = in_.number(in_.take());
        if (!in_.take().is('>')) in_.fail(name, "expected '>' after the number of registers");
      }
      if (count > most_registers || names_.count() + count > most_registers)
        in_.fail(name, "more registers than a function can have");
      const std::uint32_t number = names_.declare(name.text, count, numbered);
      f_.registers.push_back({name.text, type, number, count, numbered});
      const token t = in_.take();
      if (t.is(';')) return add_text(in_.from(first.text.data(), t.text.data() + 1));
      if (!t.is(',')) in_.fail(t, fmt::format("expected ',' or ';', found '{}'", in_.shown(t)));
    }
  }

  // --- instructions ---------------------------------------------------------------------------

  void parse_instruction(const token& op, instruction& i) {
    i.opcode = opcodes_.number(op.text);
    i.line = op.line;
    i.location = location_;
    i.in_asm = in_.in_asm();
    i.first_operand = static_cast<std::uint32_t>(f_.operands.size());
    while (!in_.peek().is(';')) {
      const token t = in_.peek();
      if (t.kind == token_kind::end || t.is('}'))
        in_.fail(op, fmt::format("instruction '{}' has no ';'", in_.shown(op)));
      operands_.read();
      if (in_.peek().is(',')) in_.take();
    }
    in_.take();
    i.operands = static_cast<std::uint32_t>(f_.operands.size()) - i.first_operand;
    if (opcodes_[i.opcode].then == flow::transfer::jump && i.operands > 0)
      branches_.push_back({static_cast<std::uint32_t>(f_.instructions.size()), scope_});
    add(statement_kind::instruction, f_.instructions.size());
    f_.instructions.push_back(i);
  }

  // --- branch targets -------------------------------------------------------------------------

  void resolve_branches() {
    // Label by scope and name, the first of equals; and the last of that name in any scope.
    std::map<std::pair<std::uint32_t, std::string_view>, std::uint32_t> in_scope;
    std::unordered_map<std::string_view, std::uint32_t> latest;
    for (std::uint32_t l = 0; l < f_.labels.size(); ++l) {
      in_scope.try_emplace({label_scopes_[l], f_.labels[l].name}, l);
      latest[f_.labels[l].name] = l;
    }
    for (const branch& b : branches_) {
      instruction& i = f_.instructions[b.instruction];
      const operand& o = f_.operands[i.first_operand];
      const std::string_view name = in_.text(o.text, o.length);
      const auto any = latest.find(name);
      if (any == latest.end())
        in_.fail({token_kind::word, name, i.line},
                 fmt::format("branch to label '{}', which {} does not have", name, f_.name));
      // An asm statement may branch to a label of another one; ptxas takes any label of the body.
      i.target = any->second;
      // A label is visible in its own scope and those inside it; the innermost one is meant.
      for (std::uint32_t scope = b.scope; scope != nothing; scope = scope_parents_[scope]) {
        const auto it = in_scope.find({scope, name});
        if (it == in_scope.end()) continue;
        i.target = it->second;
        break;
      }
    }
  }

  struct branch {
    std::uint32_t instruction, scope;
  };

  token_stream& in_;
  opcode_table& opcodes_;
  function& f_;
  register_names names_;
  operand_parser operands_{in_, f_, names_};
  std::vector<std::uint32_t> scope_parents_{nothing};
  std::vector<std::uint32_t> label_scopes_;
  std::vector<branch> branches_;
  std::uint32_t scope_ = 0;
  std::uint32_t location_ = nothing;
};

}  // namespace

void parse_body(token_stream& in, opcode_table& opcodes, function& f) {
  body_parser(in, opcodes, f).run();
}

}  // namespace ptxlab::ptx
