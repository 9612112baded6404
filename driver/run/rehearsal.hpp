// SPDX-License-Identifier: Apache-2.0
// The launches that a kernel file declares for the PTX machine, run under several schedules: what
// came of each kernel, beside what the compilers made of its waits.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/facts/facts.hpp"
#include "analysis/facts/table.hpp"
#include "driver/run/source.hpp"
#include "kernels/kernel.hpp"

namespace ptxlab::run {

/// What became of one kernel over all schedules.
struct rehearsed {
  std::string kernel;
  unsigned runs = 0;
  std::string ending;        ///< "finished", or how the first one that did not ended
  std::string reason;        ///< its reason
  unsigned ended_badly = 0;  ///< runs
  unsigned wrong_runs = 0;   ///< that finished with wrong elements
  std::uint64_t fewest_wrong = 0, most_wrong = 0;  ///< elements, in wrong runs
  std::string unit;    ///< "blocks", "warps" or "elements": what was wrong or right as a whole
  unsigned races = 0;  ///< pairs of instructions, under the fair schedule
  std::string race;    ///< kinds of them: "between blocks, warps"
  std::string waits;   ///< verdicts on the loops that wait, or "-"
};

/// Runs every variant of the file that declares a rehearsal: once under the fair schedule, and
/// under `seeds` drawn ones. Throws ptxlab::error for a declaration that does not fit its kernel.
std::vector<rehearsed> rehearse(const kernels::entry& file, const source& from,
                                const facts::report& both_stages, unsigned seeds);

/// Largest unit that the wrong elements fill as wholes, of blocks of `threads`: "blocks", "warps"
/// or "elements"; `wrong` ascends.
std::string unit_of(const std::vector<std::uint64_t>& wrong, unsigned threads);

std::string rehearsal_table(const std::vector<rehearsed>& all, const facts::page& p);

}  // namespace ptxlab::run
