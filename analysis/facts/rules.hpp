// SPDX-License-Identifier: Apache-2.0
// What a finding is made of. One file in analysis/findings adds one: it holds the rule, its
// explanation for people, and registers itself.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analysis/facts/asm_statement.hpp"
#include "analysis/facts/facts.hpp"
#include "analysis/facts/ptxas_log.hpp"
#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

/// All that is known of one kernel. Pointers are null where a stage was not seen.
struct subject {
  const kernel& facts;  ///< resources, stages and loop verdicts are filled in
  std::string arch;
  const site_table& sites;
  const stage_code* source = nullptr;  ///< unoptimised PTX
  const stage_code* ptx = nullptr;
  const stage_code* sass = nullptr;
  const ptxas_log* log = nullptr;
  const ptx::module* ptx_module = nullptr;
  const ptx::function* ptx_entry = nullptr;
  /// Options that limit registers, as given: "-maxrregcount=32".
  std::vector<std::string> nvcc_flags;
  const ptx::module* source_module = nullptr;  ///< the module of `source`
  /// Of the input and of the headers that inline asm of its PTX comes from, the toolkit's left out.
  std::vector<asm_statement> asm_statements;
};

struct rule {
  std::string_view id;        ///< "spin-lost"
  std::string_view severity;  ///< error, warning, note
  std::string_view what;      ///< one sentence: what was seen
  std::string_view why;       ///< why it matters
  std::string_view remedy;    ///< what to do
  /// Adds what it finds. `report_at` fills id and severity.
  void (*look)(const subject&, std::vector<finding>&);
};

/// All rules, sorted by id.
const std::vector<rule>& rules();
/// The rule of that id, or null.
const rule* find_rule(std::string_view id);

struct rule_registration {
  explicit rule_registration(const rule& r);
};

/// A finding at an operation of a stage; `stage` is "source", "ptx" or "sass".
finding finding_at(const stage_function& f, std::uint32_t op, const site_table& sites,
                   std::string_view stage, std::string text);

/// Runs all rules; sorted by line, then id; each (id, stage, file, line, text) once.
std::vector<finding> look_for_findings(const subject& s);

}  // namespace ptxlab::facts
