// SPDX-License-Identifier: Apache-2.0
// Expectations against facts: pass, fail, not trustworthy or skipped, with evidence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/verdict/expectation.hpp"

namespace ptxlab::verdict {

enum class outcome : std::uint8_t { pass, fail, not_trustworthy, skipped };
/// "pass", "fail", "not trustworthy", "skipped".
const char* name(outcome o);

struct result {
  outcome what = outcome::not_trustworthy;
  std::string file;
  int line = 0;
  std::string kernel;      ///< the kernel itself; the pattern where the line was not applied
  std::string expression;  ///< the clauses as written
  std::string evidence;    ///< what was seen; for `fail` the value, else the reason
};

/// The kernels that `pattern` names: by name, or by demangled name without return type and
/// parameters. A pattern with `*` or `?` is a glob. In the order of the report.
std::vector<const facts::kernel*> subjects(const std::string& pattern, const facts::report& r);

/// One result per kernel named. A clause that fails decides; else one that cannot be told makes the
/// line not trustworthy. Throws ptxlab::error, with the nearest name, if no kernel is named.
std::vector<result> evaluate(const expectation& e, const facts::report& r);

/// The results of all, in order.
std::vector<result> evaluate(const std::vector<expectation>& all, const facts::report& r);

}  // namespace ptxlab::verdict
