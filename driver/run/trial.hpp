// SPDX-License-Identifier: Apache-2.0
// Carries out what `ptxlab run` was asked for: one run, several with consecutive seeds, or one on
// each of two devices.
#pragma once

#include <string>
#include <vector>

#include "driver/run/result.hpp"

namespace ptxlab::run {

enum class devices : std::uint8_t { cpu, cuda, both };

/// --out and --compare options as written.
struct trial_options {
  devices on = devices::cpu;
  machine::launch how;  ///< policy, budgets, residency and threads
  wanted_reports reports;
  unsigned repeat = 1;
  std::vector<std::string> outputs, comparisons;
  std::uint64_t ulp = 0;
};

/// Throws ptxlab::error for what cannot be launched or read; how a launch ended is in the result.
/// Writes the files that --out names. `p` must outlive the result.
result carry_out(const plan& p, const trial_options& o);

}  // namespace ptxlab::run
