// SPDX-License-Identifier: Apache-2.0
// One line of the expectation language (docs/EXPECTATIONS.md): its syntax tree and its parser.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/facts.hpp"

namespace ptxlab::verdict {

/// Where a text starts. `line` and `column` count from 1; line 0 means "no line" (an option, a
/// declaration), and messages then name only the column.
struct place {
  std::string file;
  int line = 0;
  int column = 1;
};

enum class compare : std::uint8_t { eq, ne, lt, le, gt, ge };
const char* name(compare c);
/// `left` OP `right`; equality of decimals allows 1e-9.
bool holds(double left, compare op, double right);

/// `nvcc>=13.0` or `sm>=90` (subject, op, version), or `sm_90` (subject "arch", exact).
struct condition {
  std::string subject;
  compare op = compare::eq;
  std::vector<int> version;
  std::string text;
};

enum class stage_choice : std::uint8_t { ptx, sass, both };
const char* name(stage_choice s);

/// `QUANTITY OP NUMBER`.
struct comparison {
  enum class kind : std::uint8_t {
    resource,
    instructions,
    loops,
    opcode,
    occupancy,
    blocks_per_sm
  };
  kind what = kind::resource;
  facts::count facts::resources::*field = nullptr;  ///< resource only
  std::string quantity;                             ///< as written: "registers", "opcode(LDG.E*)"
  std::string argument;                             ///< opcode: glob; occupancy: block size
  compare op = compare::eq;
  double number = 0;
};

/// One demand on the polls of a loop: each poll has to meet it, and there has to be one.
struct poll_demand {
  enum class kind : std::uint8_t { strength, space, width, number, acquire };
  kind what = kind::acquire;
  compare op = compare::eq;
  std::string word;   ///< strength, space
  double number = 0;  ///< width in bits, number of polls
};

/// What has become of the loop of the source.
struct verdict_demand {
  std::string verdict;  ///< kept, unrolled, load-hoisted, deleted
  std::string lost_in;  ///< nvcc, ptxas, or empty
  std::optional<int> factor;
  bool full = false, peeled = false;
};

struct trip_demand {
  compare op = compare::eq;
  double number = 0;
};

/// All loop and poll clauses of one line; one loop has to meet them together.
struct loop_demand {
  enum class quantity : std::uint8_t { some, every, none };
  quantity which = quantity::some;
  std::optional<int> nth;   ///< from 1
  std::optional<int> line;  ///< of the source
  std::string file;         ///< with `line`: `of FILE`; empty means the input itself
  bool polls = false;
  std::string exit;  ///< empty: any
  std::vector<trip_demand> trips;
  std::vector<poll_demand> on_polls;
  std::optional<verdict_demand> verdict;

  /// Some property of the loop as one stage shows it is asked for.
  bool asks_stage() const { return polls || !exit.empty() || !trips.empty() || !on_polls.empty(); }
};

struct finding_demand {
  bool present = false;
  std::string id;  ///< empty: any of severity warning or error
};

/// One `EXPECT` line.
struct expectation {
  place at;
  std::string kernel;  ///< a name or a glob
  std::vector<condition> conditions;
  std::string text;  ///< the clauses as written
  stage_choice stage = stage_choice::sass;
  std::vector<comparison> comparisons;
  std::optional<loop_demand> loops;
  std::vector<finding_demand> findings;
};

/// Parses `EXPECT[conditions](kernel): clauses`, the first character of which stands at `at`.
/// Throws ptxlab::error "FILE:LINE:COLUMN: message" for anything outside the grammar.
expectation parse_line(std::string_view text, const place& at);

/// Parses `[conditions] clauses` for a kernel named elsewhere: a declaration's `must`, an option.
expectation parse_clauses(std::string_view text, const std::string& kernel, const place& at);

/// The identifiers that `finding` clauses may name.
const std::vector<std::string>& finding_ids();

/// "FILE:LINE:COLUMN", or "FILE: column COLUMN" where there is no line.
std::string describe(const place& at);

}  // namespace ptxlab::verdict
