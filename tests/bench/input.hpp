// SPDX-License-Identifier: Apache-2.0
// Where the benchmarks get their inputs from: the files that `make bench-host` builds.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>

namespace ptxlab::bench {

/// The file `name` of build/bench, read from the project's root; without it the benchmark fails.
inline std::string input(benchmark::State& state, const std::string& name) {
  std::ifstream file("build/bench/" + name, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty())
    state.SkipWithError(("no build/bench/" + name + ": use make bench-host").c_str());
  return text;
}

/// Input bytes read so far, in megabytes (10^6) per second.
inline void count_bytes(benchmark::State& state, const std::string& text) {
  state.counters["MB/s"] = benchmark::Counter(
      static_cast<double>(state.iterations()) * static_cast<double>(text.size()) / 1e6,
      benchmark::Counter::kIsRate);
  state.counters["MB"] = static_cast<double>(text.size()) / 1e6;
}

}  // namespace ptxlab::bench
