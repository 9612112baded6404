// SPDX-License-Identifier: Apache-2.0
// The parser of one EXPECT line, but for the clauses on loops (loop_clauses.cpp).
#include "analysis/verdict/expectation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "analysis/verdict/nearest.hpp"
#include "analysis/verdict/parser.hpp"

namespace ptxlab::verdict {

namespace {

const words tools{"nvcc", "ptxas", "nvdisasm", "cuobjdump"};

std::string trim(std::string_view s) {
  const std::size_t begin = s.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return "";
  return std::string(s.substr(begin, s.find_last_not_of(" \t") - begin + 1));
}

}  // namespace

expectation parser::line() {
  if (in_.word() != "EXPECT") in_.fail("an expectation starts with EXPECT", 0);
  if (in_.peek() == ' ' || in_.peek() == '\t') in_.fail("no blank may follow EXPECT");
  conditions();
  if (!in_.accept('(')) in_.fail("'(kernel)' is missing: EXPECT(kernel): clauses");
  const std::size_t begin = in_.position();
  out_.kernel = trim(in_.until_closing('(', ')'));
  if (out_.kernel.empty()) in_.fail("the kernel's name is missing", begin);
  if (!in_.accept(':')) in_.fail("':' is missing right after '(kernel)'");
  clauses();
  return std::move(out_);
}

expectation parser::clauses_for(const std::string& kernel) {
  out_.kernel = kernel;
  in_.skip_blanks();
  conditions();
  clauses();
  return std::move(out_);
}

void parser::conditions() {
  if (!in_.accept('[')) return;
  do {
    one_condition();
    in_.skip_blanks();
  } while (in_.accept(','));
  if (!in_.accept(']')) in_.fail("',' or ']' is missing after a condition");
}

void parser::one_condition() {
  in_.skip_blanks();
  const std::size_t begin = in_.position();
  condition c;
  c.subject = in_.word();
  if (c.subject.starts_with("sm_") && c.subject.size() > 3) {
    for (const condition& other : out_.conditions) {
      if (other.subject == "arch") in_.fail("two architectures never hold at once", begin);
    }
    c.text = c.subject;
    c.subject = "arch";
  } else if (c.subject == "sm" || contains(tools, c.subject)) {
    c.op = in_.comparison();
    c.version = version();
    if (c.subject == "sm" && c.version.size() != 1) in_.fail("sm takes one number", begin);
    c.text = trim(in_.since(begin));
  } else {
    words all = tools;
    all.insert(all.end(), {"sm", "sm_NN"});
    in_.fail(fmt::format("unknown condition '{}'{}", c.subject, suggestion(c.subject, all)), begin);
  }
  out_.conditions.push_back(std::move(c));
}

std::vector<int> parser::version() {
  const std::string text = in_.word();
  std::vector<int> parts;
  int part = -1;
  for (const char c : text + ".") {
    if (c == '.' && part >= 0) {
      parts.push_back(std::exchange(part, -1));
    } else if (c >= '0' && c <= '9' && part < 100'000'000) {
      part = std::max(part, 0) * 10 + (c - '0');
    } else {
      in_.fail(fmt::format("'{}' is no version", text), in_.position() - text.size());
    }
  }
  return parts;
}

void parser::clauses() {
  in_.skip_blanks();
  clauses_at_ = in_.position();
  out_.text = trim(in_.rest());
  for (;;) {
    in_.skip_blanks();
    if (in_.done()) break;
    clause();
    if (!clause_ends()) in_.fail(fmt::format("';' is missing before '{}'", in_.rest()));
    in_.accept(';');
  }
  check_whole();
}

bool parser::clause_ends() {
  in_.skip_blanks();
  return in_.done() || in_.peek() == ';';
}

void parser::clause() {
  const std::size_t begin = in_.position();
  const std::string word = in_.word();
  if (word == "ptx") return set_stage(stage_choice::ptx, begin);
  if (word == "sass") return set_stage(stage_choice::sass, begin);
  if (word == "both") return set_stage(stage_choice::both, begin);
  if (word == "loop") return loop_clause(loop_demand::quantity::some, begin);
  if (word == "no") return no_clause();
  if (word == "finding") return finding_clause(true);
  if (word == "every") {
    if (in_.word() != "loop") in_.fail("'every' is followed by 'loop'", begin);
    return loop_clause(loop_demand::quantity::every, begin);
  }
  if (word == "polls" || contains(poll_words(), word)) return poll_clause(word);
  comparison_clause(word, begin);
}

void parser::set_stage(stage_choice s, std::size_t begin) {
  if (stage_named_) in_.fail("a line names one stage: ptx, sass or both", begin);
  stage_named_ = true;
  out_.stage = s;
}

void parser::comparison_clause(const std::string& word, std::size_t begin) {
  comparison c;
  c.quantity = word;
  c.field = resource(word);
  const bool needs_argument = word == "opcode" || word == "occupancy" || word == "blocks_per_sm";
  if (word == "instructions") {
    c.what = comparison::kind::instructions;
  } else if (word == "loops") {
    c.what = comparison::kind::loops;
  } else if (needs_argument) {
    if (!in_.accept('(')) in_.fail(fmt::format("'{}' needs an argument in brackets", word));
    if (word == "opcode") {
      opcode_argument(c);
    } else {
      c.what = word == "occupancy" ? comparison::kind::occupancy : comparison::kind::blocks_per_sm;
      c.argument = std::to_string(in_.positive("block size in threads"));
      if (!in_.accept(')')) in_.fail("')' is missing after the block size");
    }
    c.quantity = fmt::format("{}({})", word, c.argument);
  } else if (c.field == nullptr) {
    const bool nothing = word.empty();
    in_.fail(nothing ? fmt::format("a clause is missing before '{}'", in_.rest())
                     : fmt::format("unknown clause or quantity '{}'{}", word,
                                   suggestion(word, clause_words())),
             begin);
  }
  c.op = in_.comparison();
  c.number = in_.number(c.quantity.c_str());
  out_.comparisons.push_back(std::move(c));
}

void parser::opcode_argument(comparison& c) {
  c.what = comparison::kind::opcode;
  opcodes_at_.push_back(in_.position());
  c.argument = trim(in_.until_closing('(', ')'));
  if (c.argument.empty()) in_.fail("opcode() needs a name or a glob", opcodes_at_.back());
}

void parser::no_clause() {
  in_.skip_blanks();
  const std::size_t begin = in_.position();
  const std::string word = in_.word();
  if (word == "finding") return finding_clause(false);
  if (word == "findings") {
    out_.findings.push_back({});
    return;
  }
  if (word != "loop") in_.fail("'no' is followed by loop, finding or findings", begin);
  loop_clause(loop_demand::quantity::none, begin);
}

void parser::finding_clause(bool present) {
  out_.findings.push_back({present, one_of(finding_ids(), "finding")});
}

std::string parser::one_of(const words& all, const char* of_what) {
  const std::string word = in_.word();
  if (!contains(all, word)) {
    in_.fail(word.empty() ? fmt::format("a {} is missing", of_what)
                          : fmt::format("unknown {} '{}'{}", of_what, word, suggestion(word, all)),
             in_.position() - word.size());
  }
  return word;
}

/// What only shows once all clauses are read: their order is free.
void parser::check_whole() {
  if (out_.comparisons.empty() && !out_.loops && out_.findings.empty()) {
    in_.fail("nothing is expected here", clauses_at_);
  }
  if (out_.loops && !loop_named_) {
    in_.fail("clauses on polls need a 'loop' or 'every loop' clause in the line", clauses_at_);
  }
  if (out_.loops && out_.loops->which == loop_demand::quantity::none && out_.loops->asks_stage()) {
    in_.fail("clauses on polls do not go with 'no loop'", clauses_at_);
  }
  bool stage_used = !out_.loops || !out_.loops->verdict || out_.loops->asks_stage();
  std::size_t opcode = 0;
  for (const comparison& c : out_.comparisons) {
    stage_used = stage_used || c.what != comparison::kind::resource;
    // SASS spells opcodes in capitals, PTX does not: the other stage would count 0 for ever.
    const char first = c.argument.empty() ? '*' : c.argument[0];
    if (c.what != comparison::kind::opcode) continue;
    const std::size_t at = opcodes_at_[opcode++];
    if (first >= 'a' && first <= 'z' && out_.stage != stage_choice::ptx) {
      in_.fail(fmt::format("'{}' is a PTX opcode: say 'ptx'", c.argument), at);
    }
    if (first >= 'A' && first <= 'Z' && out_.stage != stage_choice::sass) {
      in_.fail(fmt::format("'{}' is a SASS opcode: say 'sass'", c.argument), at);
    }
  }
  if (stage_named_ && !stage_used) {
    in_.fail("a verdict spans both stages: drop the stage, or write 'in nvcc' or 'in ptxas'",
             clauses_at_);
  }
}

std::string describe(const place& at) {
  if (at.line == 0) return fmt::format("{}: column {}", at.file, at.column);
  return fmt::format("{}:{}:{}", at.file, at.line, at.column);
}

expectation parse_line(std::string_view text, const place& at) {
  return parser(text, at).line();
}

expectation parse_clauses(std::string_view text, const std::string& kernel, const place& at) {
  return parser(text, at).clauses_for(kernel);
}

}  // namespace ptxlab::verdict
