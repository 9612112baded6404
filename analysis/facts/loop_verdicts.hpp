// SPDX-License-Identifier: Apache-2.0
// What became of each loop of the source: kept, unrolled, load-hoisted, deleted, and by which
// compiler. The rules are written down in docs/METHOD.md, "Loop verdicts".
#pragma once

#include <string>
#include <vector>

#include "analysis/facts/stage_code.hpp"

namespace ptxlab::facts {

/// The stages of one kernel that are at hand. Null where a stage was not seen, and why.
struct kernel_stages {
  const stage_code* source = nullptr;  ///< unoptimised PTX
  const stage_code* ptx = nullptr;
  const stage_code* sass = nullptr;
  std::string sass_reason;
};

/// One verdict for each loop of the earliest stage at hand. Without PTX there is nothing to compare
/// and every loop of the SASS is "unknown". `ptx_loop` and `sass_loop` are ids of summarise() of
/// those stages.
std::vector<loop_verdict> judge_loops(const kernel_stages& k, const site_table& sites);

}  // namespace ptxlab::facts
