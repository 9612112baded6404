// SPDX-License-Identifier: Apache-2.0
// The part of the parser that reads clauses on loops and on their polls.
#include <fmt/format.h>

#include "analysis/verdict/nearest.hpp"
#include "analysis/verdict/parser.hpp"
#include "analysis/verdict/strength.hpp"

namespace ptxlab::verdict {

namespace {

const words exit_words{"load", "counter", "load+counter", "none", "other"};
const words space_words{"global", "shared", "local", "generic"};

}  // namespace

void parser::poll_clause(const std::string& word) {
  if (!out_.loops) out_.loops.emplace();
  poll_demand d;
  if (word == "acquire") {
    out_.loops->on_polls.push_back(std::move(d));
    return;
  }
  if (word == "polls" && !in_.at_comparison()) {
    in_.fail("'polls' alone is a property: write 'loop polls', or compare: 'polls == 1'");
  }
  const std::size_t begin = in_.position();
  d.op = in_.comparison();
  if (word == "polls" || word == "width") {
    d.what = word == "polls" ? poll_demand::kind::number : poll_demand::kind::width;
    d.number = in_.number(word.c_str());
  } else if (word == "space") {
    d.what = poll_demand::kind::space;
    if (d.op != compare::eq && d.op != compare::ne) in_.fail("space takes == or !=", begin);
    d.word = one_of(space_words, "space");
  } else {
    d.what = poll_demand::kind::strength;
    d.word = in_.word();
    const auto s = read_strength(d.word);
    const std::size_t at = in_.position() - d.word.size();
    if (!s) {
      in_.fail(fmt::format("unknown strength '{}'{}", d.word,
                           suggestion(d.word.substr(0, d.word.find('.')), strength_orders())),
               at);
    }
    if (!rank(*s) && d.op != compare::eq && d.op != compare::ne) {
      in_.fail("shared shows no ordering and takes == or != only", at);
    }
  }
  out_.loops->on_polls.push_back(std::move(d));
}

void parser::loop_clause(loop_demand::quantity which, std::size_t begin) {
  if (!out_.loops) out_.loops.emplace();
  if (loop_named_ && out_.loops->which != which) {
    in_.fail("a line speaks of 'loop', 'every loop' or 'no loop', not of two of them", begin);
  }
  loop_named_ = true;
  out_.loops->which = which;
  if (which == loop_demand::quantity::none && !clause_ends()) {
    in_.fail("'no loop' takes no property");
  }
  if (which == loop_demand::quantity::some) selector();
  while (!clause_ends()) {
    const std::size_t at = in_.position();
    property(in_.word(), at);
  }
}

void parser::selector() {
  in_.skip_blanks();
  const std::size_t begin = in_.position();
  if (in_.peek() >= '0' && in_.peek() <= '9') {
    if (out_.loops->nth) in_.fail("the line already names a loop by number", begin);
    out_.loops->nth = in_.positive("loop");
  } else if (in_.next_word() == "line") {
    in_.word();
    if (out_.loops->line) in_.fail("the line already names a loop by its line", begin);
    out_.loops->line = in_.positive("loop line");
    if (in_.next_word() != "of") return;
    in_.word();
    out_.loops->file = in_.word();
    if (out_.loops->file.empty()) in_.fail("a file is missing after 'of'");
  }
}

void parser::property(const std::string& word, std::size_t begin) {
  loop_demand& loop = *out_.loops;
  if (word == "polls") {
    if (in_.at_comparison()) return poll_clause(word);
    loop.polls = true;
  } else if (word == "exit") {
    if (!loop.exit.empty()) in_.fail("the line already names an exit", begin);
    loop.exit = one_of(exit_words, "exit");
  } else if (word == "trip") {
    const compare op = in_.comparison();
    loop.trips.push_back({op, in_.number("trip")});
  } else if (contains(verdict_words(), word)) {
    verdict(word, begin);
  } else if (contains(poll_words(), word) || word == "ptx" || word == "sass" || word == "both") {
    in_.fail(fmt::format("'{}' is a clause of its own: put ';' before it", word), begin);
  } else {
    words all = verdict_words();
    all.insert(all.end(), {"polls", "exit", "trip"});
    in_.fail(word.empty()
                 ? fmt::format("a loop property cannot start with '{}'", in_.peek())
                 : fmt::format("unknown loop property '{}'{}", word, suggestion(word, all)),
             begin);
  }
}

void parser::verdict(const std::string& word, std::size_t begin) {
  if (out_.loops->verdict) in_.fail("the line already names a verdict", begin);
  verdict_demand v;
  v.verdict = word;
  for (;;) {
    const std::string next = in_.next_word();
    if (next == "in" && v.verdict != "kept") {
      in_.word();
      v.lost_in = one_of({"nvcc", "ptxas"}, "compiler");
    } else if (next == "by" && v.verdict == "unrolled") {
      in_.word();
      v.factor = in_.positive("by");
    } else if (next == "full" && v.verdict == "unrolled") {
      in_.word();
      v.full = true;
    } else if (next == "peeled" && v.verdict == "kept") {
      in_.word();
      v.peeled = true;
    } else if (contains({"in", "by", "full", "peeled"}, next)) {
      in_.fail(fmt::format("'{}' does not go with '{}'", next, v.verdict));
    } else {
      break;
    }
  }
  out_.loops->verdict = std::move(v);
}

}  // namespace ptxlab::verdict
