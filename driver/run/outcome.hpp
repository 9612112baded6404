// SPDX-License-Identifier: Apache-2.0
// A plan run once: on the machine, with the reports that were asked for, or on a GPU.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "driver/run/plan.hpp"
#include "ptx/machine/launch.hpp"
#include "ptx/machine/observers/mix.hpp"
#include "ptx/machine/observers/race_report.hpp"
#include "ptx/machine/observers/traffic.hpp"

namespace ptxlab::run {

struct wanted_reports {
  bool mix = false, traffic = false, races = false, uninit = false;
};
/// "mix,traffic", "all" or "none". Throws ptxlab::error for another word.
wanted_reports read_reports(const std::string& text);

/// One race as text and data: the sites that a report refers to end with the machine.
struct race_summary {
  std::string kind, first, second;
  std::uint64_t pairs = 0, words = 0;
  bool harmless = false;  ///< lanes of one store that write the same value
};

struct outcome {
  std::string device;           ///< "the PTX machine", "device 0 (NVIDIA H200)"
  machine::run_report report;   ///< of a GPU: only `how` and `reason`
  machine::residency resident;  ///< of the machine
  bool on_machine = true;
  /// Contents of all_looked_at; empty where a GPU's memory could not be read after a fault. Of a
  /// SIMT deadlock those after the launch went on with independent threads, which a note says.
  std::vector<std::vector<std::byte>> contents;
  std::optional<machine::mix_report> mix;
  std::optional<machine::traffic_report> traffic;
  std::optional<std::vector<race_summary>> races;
  std::string race_text;
  bool races_told = true;  ///< false: the detector says that it cannot tell
  bool given_up = false;   ///< a GPU's kernel still runs: the process has to end at once

  bool finished() const { return report.how == machine::ending::finished; }
  /// Races that were found, but for harmless ones.
  std::size_t race_count() const;
};

/// Runs it on fresh memory; `how` has policy, budgets, residency and threads. After a deadlock it
/// is run once more to find who wrote last. Throws ptxlab::error for what cannot be launched.
outcome run_on_machine(const plan& p, machine::launch how, const wanted_reports& reports);

/// Throws ptxlab::error for what cannot be launched.
outcome run_on_gpu(const plan& p, std::chrono::milliseconds deadline);

}  // namespace ptxlab::run
