// SPDX-License-Identifier: Apache-2.0
// Recursive descent over one EXPECT line; a misspelling is an error that names the nearest word.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/verdict/cursor.hpp"
#include "analysis/verdict/expectation.hpp"
#include "analysis/verdict/vocabulary.hpp"

namespace ptxlab::verdict {

/// Reads one line, once. Called by parse_line and parse_clauses only.
class parser {
 public:
  parser(std::string_view text, place at) : in_(text, at) { out_.at = std::move(at); }

  expectation line();
  expectation clauses_for(const std::string& kernel);

 private:
  void conditions();
  void one_condition();
  std::vector<int> version();
  void clauses();
  void clause();
  void set_stage(stage_choice s, std::size_t begin);
  void comparison_clause(const std::string& word, std::size_t begin);
  void opcode_argument(comparison& c);
  void poll_clause(const std::string& word);
  void no_clause();
  void finding_clause(bool present);
  void loop_clause(loop_demand::quantity which, std::size_t begin);
  void selector();
  void property(const std::string& word, std::size_t begin);
  void verdict(const std::string& word, std::size_t begin);
  void check_whole();
  std::string one_of(const words& all, const char* of_what);
  bool clause_ends();

  cursor in_;
  expectation out_;
  bool stage_named_ = false;
  bool loop_named_ = false;
  std::size_t clauses_at_ = 0;
  std::vector<std::size_t> opcodes_at_;  ///< positions of the arguments of opcode(), in order
};

}  // namespace ptxlab::verdict
