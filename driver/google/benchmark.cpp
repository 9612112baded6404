// SPDX-License-Identifier: Apache-2.0
// The part of `ptxlab bench` that is Google Benchmark: each case becomes a benchmark at run time,
// with the device's time as its manual time.
#include <benchmark/benchmark.h>

#include "driver/bench/google.hpp"

namespace {

using ptxlab::bench::google_case;
using ptxlab::bench::google_context;
using ptxlab::bench::google_result;

void run(benchmark::State& state, const google_case& c) {
  google_result result;
  for ([[maybe_unused]] auto _ : state) {
    c.measure(c.self, &result);
    if (result.error[0] != '\0') {
      state.SkipWithError(result.error);
      return;
    }
    state.SetIterationTime(result.ns * 1e-9);
  }
  state.SetLabel(result.label);
  const auto count = [&state](const char* name, double value) {
    if (value != 0) state.counters[name] = value;
  };
  count("cycles", result.cycles);
  count("ops/cycle/SM", result.operations_per_cycle_per_sm);
  count("GB/s", result.gigabytes_per_second);
}

}  // namespace

extern "C" int ptxlab_google_benchmark(int argc, char** argv, const google_case* cases,
                                       std::size_t n, const google_context* context,
                                       std::size_t n_context) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (std::size_t i = 0; i < n_context; ++i)
    benchmark::AddCustomContext(context[i].key, context[i].value);
  for (std::size_t i = 0; i < n; ++i)
    benchmark::RegisterBenchmark(cases[i].name, run, cases[i])
        ->UseManualTime()
        ->Iterations(1)  // the harness has repeated it already
        ->Unit(benchmark::kNanosecond);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}
