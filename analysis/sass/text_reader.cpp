// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <unordered_map>
#include <unordered_set>

#include "analysis/sass/reader.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::sass {
namespace {

std::string_view trimmed(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return s.substr(begin, s.find_last_not_of(" \t\r") - begin + 1);
}

// Removes and returns what stands before `mark`; all of it where there is none.
std::string_view take_until(std::string_view& s, char mark) {
  const std::size_t at = s.find(mark);
  const std::string_view front = s.substr(0, at);
  s = at == std::string_view::npos ? std::string_view() : s.substr(at + 1);
  return front;
}

template <typename T>
std::optional<T> number(std::string_view s, int base) {
  T value = 0;
  const auto [end, problem] = std::from_chars(s.data(), s.data() + s.size(), value, base);
  if (problem != std::errc() || end != s.data() + s.size()) return std::nullopt;
  return value;
}

// What an instruction said with labels, until all labels of its section are known.
struct pending {
  std::uint32_t function, instruction;
  std::string_view operands, targets;
};

class text_parser {
 public:
  explicit text_parser(std::string_view text) : rest_(text) {}

  module run() {
    while (!rest_.empty()) {
      ++line_number_;
      read_line(take_until(rest_, '\n'));
    }
    end_section();
    if (out_.functions.empty())
      throw error("SASS: the text dump shows no function (is it the output of nvdisasm -c?)");
    if (out_.arch.empty() && out_.doubt.empty()) out_.doubt = "the text dump names no architecture";
    out_.finish();
    for (const auto& [function, from, target] : tables_) {
      const sass::function& f = out_.functions[function];
      const auto at = std::lower_bound(
          f.instructions.begin(), f.instructions.end(), target,
          [](const instruction& i, std::uint32_t address) { return i.address < address; });
      if (at != f.instructions.end() && at->address == target)
        out_.functions[function].jump_tables.emplace_back(
            from, static_cast<std::uint32_t>(at - f.instructions.begin()));
    }
    for (sass::function& f : out_.functions) std::sort(f.jump_tables.begin(), f.jump_tables.end());
    return std::move(out_);
  }

 private:
  [[noreturn]] void fail(std::string_view what) const {
    throw error(fmt::format("SASS: text dump, line {}: {}", line_number_, what));
  }

  void read_line(std::string_view line) {
    line = trimmed(line);
    if (line.empty()) return;
    if (line.starts_with("/*")) {
      read_instruction(line.substr(2));
    } else if (line.starts_with("//##")) {
      read_position(trimmed(line.substr(4)));
    } else if (line[0] == '.' && !line.ends_with(':')) {
      read_directive(line);
    } else if (line.ends_with(':')) {
      read_label(line.substr(0, line.size() - 1));
    }
  }

  void read_directive(std::string_view line) {
    const std::size_t blank = line.find_first_of(" \t");
    const std::string_view word = line.substr(0, blank);
    std::string_view rest = blank == std::string_view::npos ? "" : trimmed(line.substr(blank));
    const std::string_view name = trimmed(take_until(rest, ','));
    if (word == ".target") {
      out_.arch = name;
    } else if (word == ".section") {
      end_section();
      in_code_ = name.starts_with(".text");
    } else if (word == ".type" && rest.find("@function") != std::string_view::npos) {
      functions_here_.insert(name);
    } else if (word == ".size" && in_code_) {
      // .size f,(.L_x_23 - f)
      const std::string_view end = trimmed(take_until(rest, '-'));
      if (end.starts_with('(')) ends_.push_back(trimmed(end.substr(1)));
    } else if (word == ".other" && rest.find("STO_CUDA_ENTRY") != std::string_view::npos) {
      entries_.insert(name);
    }
  }

  void read_label(std::string_view name) {
    if (!in_code_) return;
    if (functions_here_.erase(name) != 0) {
      sass::function& f = out_.functions.emplace_back();
      f.name = name;
      f.start = next_;
      f.entry = entries_.contains(name);
      where_ = ptx_line_ = none;
      in_function_ = true;
    }
    labels_[name] = next_;
  }

  // 0070*/   @!P0 BRA P1, `(.L_x_34) ;
  void read_instruction(std::string_view line) {
    if (!in_code_) return;
    const std::size_t close = line.find("*/");
    if (close == std::string_view::npos) fail("comment without end");
    const auto address = number<std::uint32_t>(line.substr(0, close), 16);
    if (!address) return;  // the second half of an encoding printed by -hex
    if (!in_function_) fail("instruction outside of a function");
    std::string_view body = trimmed(line.substr(close + 2));
    if (body.empty()) return;
    if (*address != next_) fail(fmt::format("offset {:#x} where {:#x} was due", *address, next_));
    instruction i;
    i.address = *address;
    i.where = where_;
    i.ptx_line = ptx_line_;
    if (body.starts_with('@')) i.guard = read_guard(take_until(body, ' '));
    body = trimmed(body);
    const std::size_t semicolon = body.find(';');
    if (semicolon == std::string_view::npos) fail("instruction without end");
    body = body.substr(0, semicolon);
    const std::size_t note = body.find("(*");
    std::string_view targets;
    if (note != std::string_view::npos) {
      targets = body.substr(note);
      body = body.substr(0, note);
    }
    body = trimmed(body);
    const std::string_view code = take_until(body, ' ');
    if (code.empty() || code[0] < 'A' || code[0] > 'Z') fail("no opcode");
    i.opcode = out_.intern_opcode(code);
    keep(i, trimmed(body), targets);
    next_ += 16;
  }

  void keep(instruction& i, std::string_view operands, std::string_view targets) {
    sass::function& f = out_.functions.back();
    if (operands.find('`') != std::string_view::npos || !targets.empty()) {
      pending_.push_back({static_cast<std::uint32_t>(out_.functions.size() - 1),
                          static_cast<std::uint32_t>(f.instructions.size()), operands, targets});
    } else {
      out_.set_operands(i, operands);
    }
    f.instructions.push_back(i);
  }

  predicate read_guard(std::string_view text) const {
    predicate out;
    text.remove_prefix(1);
    out.negated = text.starts_with('!');
    if (out.negated) text.remove_prefix(1);
    out.uniform = text.starts_with('U');
    if (out.uniform) text.remove_prefix(1);
    if (text.size() != 2 || text[0] != 'P' || (text[1] != 'T' && (text[1] < '0' || text[1] > '6')))
      fail("unreadable predicate");
    if (text[1] != 'T') out.index = static_cast<std::uint8_t>(text[1] - '0');
    return out;
  }

  // File "a.cuh", line 8 inlined at "b.cu", line 9. The lines of one inlining chain follow each
  // other, the innermost first; the innermost is what counts.
  void read_position(std::string_view line) {
    if (!line.starts_with("File \"")) return;
    line.remove_prefix(6);
    const std::string_view file = take_until(line, '"');
    const auto at = line_after(line);
    if (!at) fail("unreadable line annotation");
    if (file == ".nv_debug_ptx_txt") {
      ptx_line_ = *at;
      chain_ = none;
      return;
    }
    position p{out_.intern_file(file), *at, none};
    const std::size_t inlined = line.find("inlined at \"");
    if (inlined == std::string_view::npos && chain_ == line_number_ - 1) {
      chain_ = none;  // the last line of a chain repeats the outermost position
      return;
    }
    if (inlined != std::string_view::npos) {
      line.remove_prefix(inlined + 12);
      const std::string_view outer = take_until(line, '"');
      const auto outer_line = line_after(line);
      if (!outer_line) fail("unreadable line annotation");
      p.inlined_at = out_.intern_position({out_.intern_file(outer), *outer_line, none});
      const bool continues = chain_ == line_number_ - 1;
      chain_ = line_number_;
      if (continues) return;
    }
    where_ = out_.intern_position(p);
  }

  static std::optional<std::uint32_t> line_after(std::string_view s) {
    const std::size_t at = s.find("line ");
    if (at == std::string_view::npos) return std::nullopt;
    s.remove_prefix(at + 5);
    return number<std::uint32_t>(s.substr(0, s.find_first_not_of("0123456789")), 10);
  }

  // Labels become section offsets and symbols lose their quotes, as in the JSON format.
  std::string resolved(std::string_view operands) const {
    std::string out;
    while (!operands.empty()) {
      const std::size_t quote = operands.find("`(");
      out += operands.substr(0, quote);
      if (quote == std::string_view::npos) break;
      operands.remove_prefix(quote + 2);
      const std::size_t close = operands.find(')');
      const std::string_view name = operands.substr(0, close);
      const auto it = labels_.find(name);
      out += it != labels_.end() && name.starts_with(".L_") ? fmt::format("{:#x}", it->second)
                                                            : std::string(name);
      operands.remove_prefix(close == std::string_view::npos ? operands.size() : close + 1);
    }
    return out;
  }

  void end_section() {
    for (const pending& p : pending_) {
      out_.set_operands(out_.functions[p.function].instructions[p.instruction],
                        resolved(p.operands));
      for (std::string_view t = p.targets; !t.empty();) {
        const std::size_t begin = t.find(".L_");
        if (begin == std::string_view::npos) break;
        t.remove_prefix(begin);
        const std::size_t end = t.find_first_of(",\"*) ");
        const auto it = labels_.find(t.substr(0, end));
        if (it != labels_.end()) tables_.push_back({p.function, p.instruction, it->second});
        t.remove_prefix(std::min(end, t.size()));
      }
    }
    for (const std::string_view end : ends_)
      if (!labels_.contains(end) && out_.doubt.empty())
        out_.doubt = fmt::format("the text dump is cut off: label {} is missing", end);
    ends_.clear();
    pending_.clear();
    labels_.clear();
    functions_here_.clear();
    next_ = 0;
    in_code_ = in_function_ = false;
    where_ = ptx_line_ = none;
  }

  struct table_entry {
    std::uint32_t function, instruction, target;
  };

  std::string_view rest_;
  module out_;
  std::uint32_t line_number_ = 0;
  std::uint32_t next_ = 0;  // section offset of the next instruction
  std::uint32_t where_ = none, ptx_line_ = none;
  std::uint32_t chain_ = none;  // line number of the last "inlined at"
  bool in_code_ = false, in_function_ = false;
  std::unordered_map<std::string_view, std::uint32_t> labels_;
  std::unordered_set<std::string_view> functions_here_, entries_;
  std::vector<pending> pending_;
  std::vector<std::string_view> ends_;  // labels that close functions of this section
  std::vector<table_entry> tables_;
};

}  // namespace

module read_text(std::string_view text) {
  if (trimmed(text).find_first_not_of('\n') == std::string_view::npos)
    throw error("SASS: the text dump is empty");
  return text_parser(text).run();
}

}  // namespace ptxlab::sass
