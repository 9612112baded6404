// SPDX-License-Identifier: Apache-2.0
#include "analysis/facts/asm_statement.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace ptxlab::facts {
namespace {

/// One token: a word, the inside of a string literal, or a single character.
struct token {
  enum class kind { word, string, mark } what = kind::mark;
  std::string_view text;
  int line = 0;
};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

class scanner {
 public:
  explicit scanner(std::string_view text) : text_(text) {}

  std::optional<token> next() {
    skip_blank();
    if (at_ >= text_.size()) return std::nullopt;
    token t;
    t.line = line_;
    const std::size_t from = at_;
    if (is_word(text_[at_])) {
      // A quote between digits (1'000) belongs to the number.
      const bool number = std::isdigit(static_cast<unsigned char>(text_[at_])) != 0;
      while (at_ < text_.size() && (is_word(text_[at_]) || (number && text_[at_] == '\''))) ++at_;
      t.text = text_.substr(from, at_ - from);
      t.what = token::kind::word;
      const bool raw = t.text == "R" || t.text == "LR" || t.text == "u8R" || t.text == "uR";
      if (raw && at_ < text_.size() && text_[at_] == '"') {
        t.text = raw_string();
        t.what = token::kind::string;
      }
    } else if (text_[at_] == '"' || text_[at_] == '\'') {
      t.what = text_[at_] == '"' ? token::kind::string : token::kind::mark;
      t.text = quoted(text_[at_]);
      if (t.what == token::kind::mark) t.text = "'";
    } else {
      t.text = text_.substr(at_++, 1);
    }
    return t;
  }

 private:
  bool starts(std::string_view with) const { return text_.substr(at_, with.size()) == with; }

  void step(std::size_t n = 1) {
    for (; n > 0 && at_ < text_.size(); --n)
      if (text_[at_++] == '\n') ++line_;
  }

  void skip_blank() {
    while (at_ < text_.size()) {
      if (starts("//")) {
        // A backslash at the end of the line goes on with the comment.
        while (at_ < text_.size() && text_[at_] != '\n') step(text_[at_] == '\\' ? 2 : 1);
      } else if (starts("/*")) {
        step(2);
        while (at_ < text_.size() && !starts("*/")) step();
        step(2);
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '\\') {
        step();
      } else {
        return;
      }
    }
  }

  std::string_view quoted(char end) {
    const std::size_t from = ++at_;
    while (at_ < text_.size() && text_[at_] != end && text_[at_] != '\n')
      step(text_[at_] == '\\' ? 2 : 1);
    const std::size_t to = std::min(at_, text_.size());
    if (at_ < text_.size() && text_[at_] == end) ++at_;
    return text_.substr(from, to - from);
  }

  std::string_view raw_string() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      at_ = text_.size();
      return {};
    }
    const std::string end = ")" + std::string(text_.substr(at_ + 1, open - at_ - 1)) + "\"";
    const std::size_t close = text_.find(end, open);
    const std::size_t to = close == std::string_view::npos ? text_.size() : close;
    step(to - at_);
    step(end.size());
    return text_.substr(open + 1, to - open - 1);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
};

bool is_any(std::string_view word, std::initializer_list<std::string_view> list) {
  for (const std::string_view x : list)
    if (word == x) return true;
  return false;
}

/// Reads from behind the opening parenthesis to its partner; false if that does not come.
bool read_body(scanner& in, asm_statement& s) {
  int depth = 1, colons = 0;
  while (const auto t = in.next()) {
    if (t->what == token::kind::string) {
      s.memory_clobber |= depth == 1 && colons == 3 && t->text == "memory";
    } else if (t->what == token::kind::mark) {
      if (is_any(t->text, {"(", "[", "{"})) ++depth;
      if (is_any(t->text, {")", "]", "}"})) --depth;
      if (depth == 1 && t->text == ":") ++colons;
      s.last_line = t->line;
      if (depth == 0) return true;
    }
  }
  return false;
}

}  // namespace

std::vector<asm_statement> read_asm_statements(std::string_view text) {
  std::vector<asm_statement> out;
  scanner in(text);
  auto t = in.next();
  while (t) {
    if (t->what != token::kind::word || !is_any(t->text, {"asm", "__asm__", "__asm"})) {
      t = in.next();
      continue;
    }
    asm_statement s;
    s.line = t->line;
    t = in.next();
    while (t && t->what == token::kind::word &&
           is_any(t->text, {"volatile", "__volatile__", "__volatile", "inline", "goto"})) {
      s.is_volatile |= t->text.find("volatile") != std::string_view::npos;
      t = in.next();
    }
    if (!t || t->what != token::kind::mark || t->text != "(") continue;
    if (read_body(in, s)) out.push_back(s);
    t = in.next();
  }
  return out;
}

const asm_statement* find_asm_statement(const std::vector<asm_statement>& all,
                                        std::string_view file, int line) {
  const asm_statement* found = nullptr;
  for (const asm_statement& s : all) {
    if (s.file != file || line < s.line || line > s.last_line) continue;
    if (found != nullptr) return nullptr;
    found = &s;
  }
  return found;
}

}  // namespace ptxlab::facts
