// SPDX-License-Identifier: Apache-2.0
// Single lines of ptxas and nvlink: their prefix, register limits, spill warnings, other messages.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/facts/facts.hpp"

namespace ptxlab::facts {

/// A line of a log, with its number (from 1).
struct log_line {
  int number = 0;
  std::string text;
};

/// What ptxas said of a limit on registers.
struct register_limit {
  enum class kind {
    raised,   ///< "adjusting": the asked number is under the ABI's minimum, which is used instead
    applied,  ///< "Overriding maximum register limit": -maxrregcount holds for this function
    entry_wins,  ///< "Overriding global maxrregcount": the kernel's own bounds hold instead
    ignored,     ///< "Too big maxrregcount"
  };
  kind what = kind::applied;
  std::string function;  ///< only with `applied`; ptxas names none with the others
  std::string arch;      ///< only with `raised`; ptxas names none with the others
  count from, to;        ///< registers per thread
  std::string by;        ///< what set `to`: "of maxrregcount option", "computed using thread count"
  log_line line;
};

/// `-warn-spills` and `-warn-lmem-usage` lines. They name no architecture.
struct spill_warning {
  std::string function;
  count stack_bytes, spill_store_bytes, spill_load_bytes;
  log_line line;
};

/// A warning, error, advisory or remark that is none of the above.
struct log_message {
  std::string tool, severity;  ///< info, warning, error, fatal
  std::string code;            ///< "C7508", or empty
  std::string where;           ///< "FILE, line N", or empty
  std::string function;        ///< the function that the text names between quotes, or empty
  log_line line;
};

/// A line split at "TOOL [WHERE;] SEVERITY : BODY"; views into the line.
struct tool_line {
  std::string_view tool, where, severity, body;
};

/// Splits a line of ptxas or nvlink, whatever a build tool put in front; empty for other lines.
std::optional<tool_line> split_tool_line(std::string_view line);

/// The part of `line` behind what build tools put in front: "3>" (MSBuild), "#12 3.45 " (BuildKit).
std::string_view without_build_prefix(std::string_view line);

/// Reads the body of a line on register limits (`line` left empty); empty for other bodies.
std::optional<register_limit> read_register_limit(std::string_view body);

/// Reads the body of a spill or local-memory warning (`line` left empty); empty for other bodies.
std::optional<spill_warning> read_spill_warning(std::string_view body);

/// Reads any other message (`line` left empty). An "info" without a code is none.
std::optional<log_message> read_message(const tool_line& line);

}  // namespace ptxlab::facts
