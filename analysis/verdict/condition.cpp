// SPDX-License-Identifier: Apache-2.0
// Comparison of toolkit versions and architectures.
#include "analysis/verdict/condition.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <string>

namespace ptxlab::verdict {

namespace {

/// Leading numbers of "13.0.88"; empty if it does not start with one.
std::vector<int> read_version(const std::string& text) {
  std::vector<int> parts;
  const char* at = text.data();
  const char* const end = at + text.size();
  for (;;) {
    int part = 0;
    const auto read = std::from_chars(at, end, part);
    if (read.ec != std::errc()) return parts;
    parts.push_back(part);
    if (read.ptr == end || *read.ptr != '.') return parts;
    at = read.ptr + 1;
  }
}

/// Empty if `have` is too short to decide.
std::optional<bool> compare_versions(const std::vector<int>& have, compare op,
                                     const std::vector<int>& want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    if (i == have.size()) return std::nullopt;
    if (have[i] != want[i]) return holds(have[i], op, want[i]);
  }
  return holds(0, op, 0);
}

judgement one(const condition& c, const facts::report& r) {
  if (c.subject == "arch" || c.subject == "sm") {
    const std::string has = fmt::format("architecture is {}", r.arch);
    if (!r.arch.starts_with("sm_")) return cannot_tell("the architecture is not known");
    if (c.subject == "arch") return decided(r.arch == c.text, has);
    const std::vector<int> number = read_version(r.arch.substr(3));
    if (number.empty()) return cannot_tell("the architecture is not known");
    return decided(holds(number[0], c.op, c.version[0]), has);
  }
  const auto tool = r.toolkit.find(c.subject);
  if (tool == r.toolkit.end()) {
    return cannot_tell(fmt::format("the version of {} is not known", c.subject));
  }
  const auto fits = compare_versions(read_version(tool->second), c.op, c.version);
  if (!fits) {
    return cannot_tell(
        fmt::format("version '{}' of {} does not decide {}", tool->second, c.subject, c.text));
  }
  return decided(*fits, fmt::format("{} is {}", c.subject, tool->second));
}

}  // namespace

judgement applies(const std::vector<condition>& all, const facts::report& r) {
  std::vector<judgement> parts;
  for (const condition& c : all) parts.push_back(one(c, r));
  return all_of(parts);
}

}  // namespace ptxlab::verdict
