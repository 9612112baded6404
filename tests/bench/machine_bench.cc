// SPDX-License-Identifier: Apache-2.0
// Speed of the PTX machine on one core, in lane instructions per second. The goals are 2 G on
// arithmetic, 1 G on loops of shared and global accesses, 0.3 G with all observers, and a million
// threads of 100 instructions in 0.15 s. A rate below a third of a goal means that the loops over
// lanes are no vector code any more: the benchmark then ends with an error.
#include <benchmark/benchmark.h>

#include <cstring>
#include <ctime>
#include <string>

#include "ptx/machine/machine.hpp"
#include "ptx/machine/observers/races.hpp"
#include "ptx/machine/observers/traffic.hpp"
#include "ptx/text/parser.hpp"
#include "tests/bench/input.hpp"

namespace {

using namespace ptxlab;

constexpr const char* head = ".version 9.0\n.target sm_90\n.address_size 64\n";

// Ten instructions a round, as nvcc writes a linear congruence with a mix.
constexpr const char* arithmetic = R"(
.visible .entry kernel(.param .u64 out, .param .u64 in, .param .u64 rounds) {
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<6>; .reg .f32 %f<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r9, [rounds];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, 7;
  cvt.rn.f32.u32 %f1, %r1;
  mov.f32 %f2, 0f3F7FFFF0;
again:
  mad.lo.u32 %r1, %r1, %r2, %r3;
  shr.u32 %r4, %r1, 3;
  xor.b32 %r2, %r2, %r4;
  and.b32 %r5, %r1, %r2;
  add.u32 %r3, %r3, %r5;
  fma.rn.f32 %f1, %f1, %f2, %f2;
  max.f32 %f1, %f1, %f2;
  add.u32 %r9, %r9, -1;
  setp.ne.u32 %p1, %r9, 0;
  @%p1 bra again;
  cvt.rzi.u32.f32 %r6, %f1;
  add.u32 %r7, %r3, %r6;
  mov.u32 %r8, %tid.x;
  mul.wide.u32 %rd2, %r8, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
  ret;
}
)";

// Two shared and one global access in a round of ten.
constexpr const char* accesses = R"(
.visible .entry kernel(.param .u64 out, .param .u64 in, .param .u64 rounds) {
  .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %rd<8>;
  .shared .align 4 .b8 tile[1024];
  ld.param.u64 %rd1, [out];
  ld.param.u64 %rd4, [in];
  ld.param.u32 %r9, [rounds];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, tile;
  mad.lo.u32 %r3, %r1, 4, %r2;
  st.shared.u32 [%r3], %r1;
  mov.u32 %r5, %r1;
again:
  and.b32 %r6, %r5, 1023;
  mul.wide.u32 %rd5, %r6, 4;
  add.u64 %rd6, %rd4, %rd5;
  ld.global.u32 %r7, [%rd6];
  ld.shared.u32 %r8, [%r3];
  add.u32 %r8, %r8, %r7;
  st.shared.u32 [%r3], %r8;
  add.u32 %r5, %r5, 32;
  add.u32 %r9, %r9, -1;
  setp.ne.u32 %p1, %r9, 0;
  @%p1 bra again;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r8;
  ret;
}
)";

struct loaded {
  explicit loaded(const char* text)
      : emulator(1 << 28),
        module(emulator.load(ptx::parse(head + std::string(text), "bench.ptx"))) {
    const std::uint64_t words[] = {emulator.device().allocate(4096, "out"),
                                   emulator.device().allocate(4096, "in"), 0};
    how.parameters.resize(sizeof words);
    std::memcpy(how.parameters.data(), words, sizeof words);
  }
  machine::run_report run(std::uint64_t rounds) {
    std::memcpy(how.parameters.data() + 16, &rounds, 8);
    return emulator.run(module.kernel("kernel"), how);
  }
  machine::emulator emulator;
  machine::loaded_module& module;
  machine::launch how;
};

void report(benchmark::State& state, std::uint64_t lane_steps, double goal) {
  const auto steps = static_cast<double>(lane_steps);
  state.counters["lanes/s"] = benchmark::Counter(steps, benchmark::Counter::kIsRate);
  state.counters["goal"] = goal;
}

void run(benchmark::State& state, loaded& m, std::uint64_t rounds, double goal) {
  m.how.grid[0] = 4;
  m.how.block[0] = 256;
  std::uint64_t lane_steps = 0;
  double seconds = 0;
  for (auto unused : state) {
    const std::clock_t begin = std::clock();
    lane_steps += m.run(rounds).lane_steps;
    seconds += static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  }
  report(state, lane_steps, goal);
  if (static_cast<double>(lane_steps) / seconds < goal / 3)
    state.SkipWithError("less than a third of the goal: is this vector code?");
}

void machine_arithmetic(benchmark::State& state) {
  loaded m(arithmetic);
  run(state, m, 10000, 2e9);
}
BENCHMARK(machine_arithmetic)->Unit(benchmark::kMillisecond);

void machine_accesses(benchmark::State& state) {
  loaded m(accesses);
  run(state, m, 5000, 1e9);
}
BENCHMARK(machine_accesses)->Unit(benchmark::kMillisecond);

void machine_all_observers(benchmark::State& state) {
  loaded m(accesses);
  machine::traffic traffic;
  machine::race_detector races;
  m.how.observers = {&traffic, &races};
  m.how.count = true;
  run(state, m, 500, 0.3e9);
}
BENCHMARK(machine_all_observers)->Unit(benchmark::kMillisecond);

// 9 instructions of ten rounds, and what is around them.
void machine_million_threads(benchmark::State& state) {
  loaded m(arithmetic);
  m.how.grid[0] = 4096;
  m.how.block[0] = 256;
  for (auto unused : state) benchmark::DoNotOptimize(m.run(9).warp_steps);
  state.SetLabel("goal: 150 ms");
}
BENCHMARK(machine_million_threads)->Unit(benchmark::kMillisecond);

void machine_start(benchmark::State& state) {
  const std::string text = bench::input(state, "cub.ptx");
  if (text.empty()) return;
  std::size_t steps = 0;
  for (auto unused : state) {
    machine::emulator e(1 << 28);
    machine::loaded_module& m = e.load(ptx::parse(text, "cub.ptx"));
    for (const std::string_view k : m.kernels()) steps += m.kernel(k).code->steps.size();
  }
  benchmark::DoNotOptimize(steps);
  state.SetLabel("goal: 300 ms, all kernels");
}
BENCHMARK(machine_start)->Unit(benchmark::kMillisecond);

}  // namespace
