// SPDX-License-Identifier: Apache-2.0
// Speed and memory of reading PTX to loops: parse, lower, graph, dominators, loops and what keeps
// each going, on one core. The goal is 40 MB/s in less than 12 bytes of heap per byte of input.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <algorithm>
#include <cstdlib>
#include <new>

#include "ptx/flow/loop_facts.hpp"
#include "ptx/text/lower.hpp"
#include "ptx/text/parser.hpp"
#include "tests/bench/input.hpp"

namespace {

// Heap in use through operator new, as malloc rounds it; one thread only.
std::size_t in_use = 0, peak = 0;

void* counted(std::size_t bytes) {
  void* p = std::malloc(bytes);
  if (p == nullptr) throw std::bad_alloc();
  in_use += malloc_usable_size(p);
  peak = std::max(peak, in_use);
  return p;
}

void released(void* p) {
  if (p != nullptr) in_use -= malloc_usable_size(p);
  std::free(p);
}

}  // namespace

void* operator new(std::size_t bytes) {
  return counted(bytes);
}
void operator delete(void* p) noexcept {
  released(p);
}
void operator delete(void* p, std::size_t) noexcept {
  released(p);
}

namespace {

using namespace ptxlab;

std::size_t read_to_loops(const std::string& text) {
  std::size_t loops = 0;
  const ptx::module m = ptx::parse(text, "cub.ptx");
  for (const ptx::function& f : m.functions) {
    const flow::code c = ptx::lower(m, f);
    const flow::graph g(c);
    const flow::definitions d(c);
    flow::effort e;
    for (const flow::loop& l : flow::find_loops(g).loops) {
      benchmark::DoNotOptimize(flow::study(c, g, d, l, &e));
      ++loops;
    }
  }
  return loops;
}

void ptx_to_loops(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.ptx");
  if (text.empty()) return;
  const std::size_t before = peak = in_use;
  std::size_t loops = read_to_loops(text);
  const std::size_t used = peak - before;
  for (auto unused : state) loops = read_to_loops(text);
  bench::count_bytes(state, text);
  state.counters["loops"] = static_cast<double>(loops);
  state.counters["heap_per_byte"] = static_cast<double>(used) / static_cast<double>(text.size());
  state.SetLabel("goal: 40 MB/s, 12 heap_per_byte");
}
BENCHMARK(ptx_to_loops)->Unit(benchmark::kMillisecond);

void ptx_parse(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.ptx");
  if (text.empty()) return;
  for (auto unused : state) benchmark::DoNotOptimize(ptx::parse(text, "cub.ptx"));
  bench::count_bytes(state, text);
}
BENCHMARK(ptx_parse)->Unit(benchmark::kMillisecond);

}  // namespace
