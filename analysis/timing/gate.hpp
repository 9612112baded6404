// SPDX-License-Identifier: Apache-2.0
// The timing-integrity gate: does the machine code between the clock reads of a kernel hold what
// its name says, as often as it should, dependent where a latency is claimed, and nothing else?
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/sass/module.hpp"
#include "analysis/timing/contract.hpp"

namespace ptxlab::timing {

struct judgement {
  bool valid = false;
  std::string reason;  ///< why not: one line
  std::string sass;    ///< what one copy is: "FFMA", "2 IMAD.WIDE.U32 + IADD3"
  std::string fixed;   ///< what each region holds beside its copies: "STS"
  /// Cycles that the stall counts of one copy add up to; empty where it waits for a scoreboard, so
  /// that the machine and not ptxas decides.
  std::optional<double> static_cycles;
  /// Of a kernel with nothing timed inside: how many loads a thread has on their way at once.
  std::optional<int> loads_in_flight;
  std::vector<std::string> excerpt;  ///< SASS of the shortest region, at most a screen of it
};

/// Judges kernel `f` of `m`; `cubin` are the bytes that will be launched. Never throws for what
/// the code does, only (ptxlab::error) for a cubin that cannot be read.
judgement judge(const contract& c, const sass::module& m, const sass::function& f,
                std::string_view cubin);

}  // namespace ptxlab::timing
