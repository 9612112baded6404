// SPDX-License-Identifier: Apache-2.0
// One run of the harness: every experiment of a plan at every point, on one GPU, into one file.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

#include "analysis/results/results.hpp"
#include "driver/bench/plan.hpp"
#include "driver/bench/worker.hpp"

namespace ptxlab::bench {

struct run_options {
  int device = 0;
  bool quick = false;
  std::filesystem::path out;  ///< results file, written every few seconds; empty: none
  /// Launch what the gate or the arithmetic of residency refuses, to see what it does. It gets a
  /// deadline and no number.
  bool run_refused = false;
  bool resume = false;  ///< keep what `out` holds of the same cubins, measure the rest
  std::chrono::seconds deadline{10};  ///< of one launch
  /// Called before each experiment with the numbers of points done and in all.
  std::function<void(std::size_t, std::size_t, const std::string&)> progress = {};
};

/// Rows of one experiment that the gate refused, or that could not run.
results::row refusal(const experiment& x, results::status state, const std::string& reason);

/// The results file of a run that starts now: provenance, no rows. Starts the worker.
results::file start_file(const plan& p, const run_options& o, worker& w);

/// Measures one point of an experiment. A point that fails is a row with its reason.
std::vector<results::row> measure_at(worker& w, const experiment& x, const axes& at,
                                     const run_options& o);

/// Measures one experiment: its rows, what follows from them included. A point that fails is a row
/// with its reason.
std::vector<results::row> measure(worker& w, const experiment& x, const run_options& o);

/// Measures all of `p`, each experiment refused by the gate left out with its reason. Interrupted,
/// it keeps what is finished. Throws ptxlab::error where the GPU cannot be used at all or `out`
/// cannot be written.
results::file run(const plan& p, const run_options& o);

}  // namespace ptxlab::bench
