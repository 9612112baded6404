// SPDX-License-Identifier: Apache-2.0
// A run under Google Benchmark: its filter chooses, its reporters report, and our own results file
// is written beside.
#pragma once

#include <string>
#include <vector>

#include "driver/bench/google.hpp"
#include "driver/bench/run.hpp"

namespace ptxlab::bench {

/// Registers every point of `p` and runs those that the library's `flags` (--benchmark_...) select.
/// Throws ptxlab::error where the library is not there or the GPU cannot be used.
results::file run_with_google(const plan& p, const run_options& o,
                              const std::vector<std::string>& flags, int& exit_code);

}  // namespace ptxlab::bench
