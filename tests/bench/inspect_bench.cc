// SPDX-License-Identifier: Apache-2.0
// Our own share of the wall time of `ptxlab inspect FILE` without a cache, beside nvcc, ptxas,
// nvdisasm and cuobjdump. The goal is less than 10 % (own_percent).
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "analysis/facts/text_format.hpp"
#include "analysis/inspect/inspect.hpp"
#include "analysis/toolchain/build.hpp"
#include "ptx/text/error.hpp"

namespace {

using namespace ptxlab;
using seconds = std::chrono::duration<double>;

// Steps run one after the other, so that what no tool took is ours: starting the tools, files,
// reading, analysis and printing. `inspect_percent` is what is left with all cores: analysis and
// printing, while no tool runs, as a share of the whole.
void inspect_file(benchmark::State& state, const std::string& file) {
  const auto now = std::chrono::steady_clock::now;
  try {
    const toolchain::toolset tools =
        toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
    double whole = 0, of_tools = 0, of_inspect = 0, parallel = 0;
    for (auto unused : state) {
      for (const unsigned threads : {1U, 0U}) {
        toolchain::options how;
        how.threads = threads;
        const auto start = now();
        const auto builds = toolchain::build_one(
            tools, {}, {.file = file, .arch = "sm_90", .nvcc_flags = {"-I."}}, how);
        const auto built = now();
        for (const toolchain::build& b : builds)
          benchmark::DoNotOptimize(facts::text_format(inspect::inspect(b, tools, {}), {}));
        const seconds all = now() - start;
        if (threads == 0) {
          parallel += all.count();
          of_inspect += seconds(now() - built).count();
          continue;
        }
        whole += all.count();
        for (const toolchain::build& b : builds)
          for (const toolchain::timing& t : b.timings) of_tools += t.seconds;
      }
    }
    const auto runs = static_cast<double>(state.iterations());
    state.counters["tools_s"] = of_tools / runs;
    state.counters["own_s"] = (whole - of_tools) / runs;
    state.counters["own_percent"] = 100 * (whole - of_tools) / whole;
    state.counters["inspect_percent"] = 100 * of_inspect / parallel;
    state.SetLabel("goal: 10 percent");
  } catch (const error& e) {
    state.SkipWithError(e.what());
  }
}
BENCHMARK_CAPTURE(inspect_file, device_barrier, "kernels/barrier/device_barrier.cu")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(3)
    ->UseRealTime();
BENCHMARK_CAPTURE(inspect_file, cub, "tests/bench/Inputs/cub.cu")
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

}  // namespace
