// SPDX-License-Identifier: Apache-2.0
// Runs a part of a launch and puts what happened into words: faults, and who waits for what.
#pragma once

#include <string>
#include <vector>

#include "ptx/machine/decode.hpp"
#include "ptx/machine/grid.hpp"
#include "ptx/machine/launch.hpp"

namespace ptxlab::machine {

/// Names of addresses: allocations of the memory, shared variables of the program.
class places : public place_names {
 public:
  places(const memory& m, const program& p) : memory_(m), program_(p) {}
  named_place name(flow::space s, address at) const override;

 private:
  const memory& memory_;
  const program& program_;
};

/// "reduce.cu:12", or "ptx:34" where no source line is known.
std::string place_of(const site& s);

/// Runs the blocks whose turns to start are [first, end) and fills the report.
void run_part(grid& g, std::uint32_t first, std::uint32_t end, run_report& out);
/// Adds the report of a part to that of the whole: the first thing that went wrong stays.
void merge(run_report& whole, run_report&& part);

/// What a program needs that the machine lacks: one line each, for an error message.
std::string missing_text(const std::vector<unsupported>& missing);

}  // namespace ptxlab::machine
