// SPDX-License-Identifier: Apache-2.0
// The wordings are those of CUDA 13.0.88.
#include "analysis/facts/tool_message.hpp"

#include <algorithm>
#include <array>

#include "analysis/facts/line_pattern.hpp"

namespace ptxlab::facts {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_severity(std::string_view word) {
  static constexpr std::array<std::string_view, 4> severities = {"info", "warning", "error",
                                                                 "fatal"};
  return std::find(severities.begin(), severities.end(), word) != severities.end();
}

/// "C7508" of "(C7508) text", or nothing.
std::string_view code_of(std::string_view body) {
  return match("(C#) *", body) ? body.substr(1, body.find(')') - 1) : std::string_view{};
}

}  // namespace

std::optional<tool_line> split_tool_line(std::string_view line) {
  for (const std::string_view tool : {"ptxas", "nvlink"}) {
    const auto at = line.find(tool);
    if (at == std::string_view::npos) continue;
    std::string_view rest = trim(line.substr(at + tool.size()));
    if (rest.starts_with(':')) rest = trim(rest.substr(1));  // Visual Studio: "ptxas : info : "
    tool_line result{.tool = tool, .where = {}, .severity = {}, .body = {}};
    const auto semicolon = rest.find(';');
    if (semicolon != std::string_view::npos &&
        rest.substr(0, semicolon).find(", line ") != std::string_view::npos) {
      result.where = rest.substr(0, semicolon);
      rest = trim(rest.substr(semicolon + 1));
    }
    std::size_t word = 0;
    while (word < rest.size() && is_letter(rest[word])) ++word;
    result.severity = rest.substr(0, word);
    rest = trim(rest.substr(word));
    if (!rest.starts_with(':') || !is_severity(result.severity)) continue;
    result.body = trim(rest.substr(1));
    return result;
  }
  return {};
}

std::string_view without_build_prefix(std::string_view line) {
  if (line.starts_with('#')) {
    const auto m = match("# #.# *", line.substr(1));
    return m ? (*m)[3] : line;
  }
  std::size_t digits = 0;
  while (digits < line.size() && is_digit(line[digits])) ++digits;
  if (digits == 0 || digits == line.size() || line[digits] != '>') return line;
  return trim(line.substr(digits + 1));
}

std::optional<register_limit> read_register_limit(std::string_view body) {
  register_limit limit;
  using kind = register_limit::kind;
  if (const auto m =
          match("For * * adjusting per thread register count of # to lower bound of #", body)) {
    limit.what = kind::raised;
    if ((*m)[1].starts_with("sm_")) limit.arch = std::string((*m)[1]);
    limit.from = number((*m)[2]);
    limit.to = number((*m)[3]);
    limit.by = "lower bound";
    return limit;
  }
  if (const auto m = match("Overriding maximum register limit # for '*' with # *", body)) {
    limit.what = kind::applied;
    limit.from = number((*m)[0]);
    limit.function = std::string((*m)[1]);
    limit.to = number((*m)[2]);
    limit.by = std::string((*m)[3]);
    return limit;
  }
  if (const auto m =
          match("Overriding global maxrregcount # with entry-specific value # *", body)) {
    limit.what = kind::entry_wins;
    limit.from = number((*m)[0]);
    limit.to = number((*m)[1]);
    limit.by = std::string((*m)[2]);
    return limit;
  }
  if (const auto m = match("Too big maxrregcount value specified #, will be ignored", body)) {
    limit.what = kind::ignored;
    limit.from = number((*m)[0]);
    return limit;
  }
  return {};
}

std::optional<spill_warning> read_spill_warning(std::string_view body) {
  spill_warning warning;
  if (const auto m =
          match("Local memory used for function '*', size of stack frame: # bytes", body)) {
    warning.function = std::string((*m)[0]);
    warning.stack_bytes = number((*m)[1]);
    return warning;
  }
  if (const auto m = match(
          "Registers are spilled to local memory in function '*', # bytes spill stores, # bytes "
          "spill loads",
          body)) {
    warning.function = std::string((*m)[0]);
    warning.spill_store_bytes = number((*m)[1]);
    warning.spill_load_bytes = number((*m)[2]);
    return warning;
  }
  return {};
}

std::optional<log_message> read_message(const tool_line& line) {
  log_message message;
  message.code = std::string(code_of(line.body));
  if (line.severity == "info" && message.code.empty()) return {};
  message.tool = std::string(line.tool);
  message.severity = std::string(line.severity);
  message.where = std::string(line.where);
  for (const std::string_view before : {"function '", "Function '"}) {
    const auto at = line.body.find(before);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = line.body.substr(at + before.size());
    message.function = std::string(rest.substr(0, rest.find('\'')));
  }
  return message;
}

}  // namespace ptxlab::facts
