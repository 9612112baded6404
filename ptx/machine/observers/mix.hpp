// SPDX-License-Identifier: Apache-2.0
// Instruction mix and divergence of a launch, from the counts that the machine keeps for each site.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/machine/observer.hpp"
#include "ptx/machine/observers/site_name.hpp"

namespace ptxlab::machine {

/// What the machine counts for one site.
struct site_counts {
  std::uint64_t executed = 0;  ///< warp instructions
  std::uint64_t lanes = 0;     ///< active in them, at most 32 each
  std::uint64_t diverged = 0;  ///< of a branch: times that its active lanes went different ways
};

struct mix_row {
  std::string name;  ///< "ld.global.f32", "reduce.cu:12"
  site_counts counts;
  std::uint32_t sites = 0;  ///< instructions of the PTX that were executed

  /// Active lanes in thousandths of all 32, rounded down: 1000 only if no lane was ever idle. 0
  /// where nothing was executed.
  std::uint32_t active_per_mille() const;
};

/// One branch of the PTX that was executed.
struct branch_row {
  site_name where;
  site_counts counts;
};

struct mix_report {
  launch_name launch;
  mix_row all;
  std::vector<mix_row> opcodes;      ///< by name
  std::vector<mix_row> lines;        ///< by file and line; sites without a line together as "ptx"
  std::vector<branch_row> branches;  ///< by file, line, PTX line
};

/// The name that the mix files an opcode under: base, state space and types; "ld.global.f32" of
/// "ld.relaxed.gpu.global.v4.f32", "cvt.f32.s32" of "cvt.rn.f32.s32", "bra" of "bra.uni".
std::string mix_name(std::string_view opcode);

/// Sums up `counts`, which is parallel to the launch's sites; sites never executed are left out.
/// Throws ptxlab::error for spans of different lengths and counts that contradict each other.
mix_report instruction_mix(const launch_info& l, std::span<const site_counts> counts);

}  // namespace ptxlab::machine
