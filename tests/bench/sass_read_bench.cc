// SPDX-License-Identifier: Apache-2.0
// Speed of reading SASS dumps, in bytes of input per second. $PTXLAB_SASS_JSON and
// $PTXLAB_SASS_TEXT name the outputs of `nvdisasm -json` and `nvdisasm -c` to read.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "analysis/sass/lower.hpp"
#include "analysis/sass/reader.hpp"
#include "ptx/flow/graph.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab;

// The file that environment variable `name` names; empty, with the benchmark skipped, without one.
std::string input(benchmark::State& state, const char* name) {
  const char* path = std::getenv(name);
  std::ifstream file(path == nullptr ? "" : path, std::ios::binary);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (text.empty()) state.SkipWithError((std::string(name) + " names no readable file").c_str());
  return text;
}

void count(benchmark::State& state, const std::string& text) {
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                          static_cast<std::int64_t>(text.size()));
}

void read_json(benchmark::State& state) {
  const std::string text = input(state, "PTXLAB_SASS_JSON");
  for (auto unused : state) benchmark::DoNotOptimize(sass::read_json(text));
  count(state, text);
}
BENCHMARK(read_json);

void read_json_to_loops(benchmark::State& state) {
  const std::string text = input(state, "PTXLAB_SASS_JSON");
  for (auto unused : state) {
    const sass::module m = sass::read_json(text);
    for (const sass::function& f : m.functions) {
      const flow::code c = sass::lower(m, f);
      const flow::graph g(c);
      benchmark::DoNotOptimize(flow::find_loops(g));
    }
  }
  count(state, text);
}
BENCHMARK(read_json_to_loops);

void read_text(benchmark::State& state) {
  const std::string text = input(state, "PTXLAB_SASS_TEXT");
  for (auto unused : state) benchmark::DoNotOptimize(sass::read_text(text));
  count(state, text);
}
BENCHMARK(read_text);

}  // namespace

BENCHMARK_MAIN();
