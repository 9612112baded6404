// SPDX-License-Identifier: Apache-2.0
// Speed of reading SASS dumps on one core. The goal is 25 MB/s of JSON.
#include <benchmark/benchmark.h>

#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "ptx/flow/loop_facts.hpp"
#include "tests/bench/input.hpp"

namespace {

using namespace ptxlab;

void sass_json(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.json");
  if (text.empty()) return;
  for (auto unused : state) benchmark::DoNotOptimize(sass::read_json(text));
  bench::count_bytes(state, text);
  state.SetLabel("goal: 25 MB/s");
}
BENCHMARK(sass_json)->Unit(benchmark::kMillisecond);

void sass_json_to_loops(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.json");
  if (text.empty()) return;
  std::size_t loops = 0;
  for (auto unused : state) {
    loops = 0;
    const sass::module m = sass::read_json(text);
    for (const sass::function& f : m.functions) {
      const flow::code c = sass::lower(m, f);
      const flow::graph g(c);
      const flow::definitions d(c);
      flow::effort e;
      for (const flow::loop& l : flow::find_loops(g).loops) {
        benchmark::DoNotOptimize(flow::study(c, g, d, l, &e));
        ++loops;
      }
    }
  }
  bench::count_bytes(state, text);
  state.counters["loops"] = static_cast<double>(loops);
}
BENCHMARK(sass_json_to_loops)->Unit(benchmark::kMillisecond);

void sass_text(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.sass");
  if (text.empty()) return;
  for (auto unused : state) benchmark::DoNotOptimize(sass::read_text(text));
  bench::count_bytes(state, text);
}
BENCHMARK(sass_text)->Unit(benchmark::kMillisecond);

}  // namespace
