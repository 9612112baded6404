// SPDX-License-Identifier: Apache-2.0
// From CUDA to verdicts, with the real compilers: the table "how the wait is written" of the users'
// cases, and loops that are unrolled, peeled or inlined. Stated for CUDA 13.0 on sm_90.
#include "analysis/inspect/inspect.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>

#include "analysis/facts/facts_format.hpp"
#include "analysis/toolchain/files.hpp"

namespace ptxlab {
namespace {

class inspect_test : public testing::Test {
 protected:
  void SetUp() override {
    for (const toolchain::tool* one : {&tools_.nvcc, &tools_.ptxas, &tools_.nvdisasm})
      if (!one->usable()) GTEST_SKIP() << one->problem;
    if (tools_.nvcc.version.substr(0, 5) != "13.0.")
      GTEST_SKIP() << "what is expected here is that of CUDA 13.0, not " << tools_.nvcc.version;
  }

  // Kernel name -> the verdicts of its loops, then the strength of the first loop's poll in SASS.
  std::map<std::string, std::string> verdicts_of(const std::string& source) {
    const auto file = folder_.path() / "k.cu";
    toolchain::write_file(file, source);
    const auto built =
        toolchain::build_one(tools_, {}, {.file = file, .arch = "sm_90", .nvcc_flags = {}}).at(0);
    std::map<std::string, std::string> out;
    for (const facts::kernel& k : inspect::inspect(built, tools_, {}).kernels) {
      std::string& text = out[k.name];
      for (const facts::loop_verdict& v : k.loops)
        text += (text.empty() ? "" : ", ") + facts::verdict_text(v);
      for (const facts::loop& l : k.sass.loops) {
        for (const facts::poll& p : l.polls)
          text += fmt::format(" [{}{} {}]", p.strength, p.acquire ? " acquire" : "", p.address);
        break;
      }
      EXPECT_EQ(k.ptx.unknown_instructions, 0) << k.name;
      EXPECT_EQ(k.sass.unknown_instructions, 0) << k.name;
    }
    return out;
  }

  toolchain::temporary_folder folder_;
  toolchain::toolset tools_ =
      toolchain::find_toolset(toolchain::places::of(toolchain::own_executable()));
};

using table = std::map<std::string, std::string>;

TEST_F(inspect_test, how_the_wait_is_written) {
  const table found = verdicts_of(R"(
#define KERNEL extern "C" __global__ void
KERNEL plain(int* f) { while (*f == 0); }
KERNEL clobber(int* f) { while (*f == 0) asm volatile("" ::: "memory"); }
KERNEL ptx_loop(int* f) {
  asm volatile("{.reg .pred p; .reg .s32 t; W: ld.global.s32 t, [%0]; setp.eq.s32 p, t, 0;"
               "@p bra W; }" :: "l"(f) : "memory");
}
KERNEL ptx_volatile(int* f) {
  asm volatile("{.reg .pred p; .reg .s32 t; W: ld.volatile.global.s32 t, [%0];"
               "setp.eq.s32 p, t, 0; @p bra W; }" :: "l"(f) : "memory");
}
KERNEL asm_load(int* f) {
  int t;
  do asm volatile("ld.global.s32 %0, [%1];" : "=r"(t) : "l"(f) : "memory"); while (t == 0);
}
KERNEL fenced(int* f) { while (*f == 0) __threadfence(); }
KERNEL with_volatile(int, volatile int* f) { while (*f == 0); }
KERNEL relaxed(int* f) {
  int t;
  do asm volatile("ld.relaxed.gpu.global.s32 %0, [%1];" : "=r"(t) : "l"(f) : "memory");
  while (t == 0);
}
KERNEL acquire(int* f) {
  int t;
  do asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(t) : "l"(f) : "memory");
  while (t == 0);
}
KERNEL atomic(int* f) { while (atomicAdd(f, 0) == 0); }
KERNEL delay() { for (volatile int i = 0; i < 100; ++i); }
)");
  const table expected = {{"plain", "load-hoisted in nvcc"},
                          {"clobber", "deleted in ptxas"},
                          {"ptx_loop", "deleted in ptxas"},
                          {"ptx_volatile", "kept [strong.sys param+0]"},
                          {"asm_load", "deleted in ptxas"},
                          {"fenced", "kept peeled [weak param+0]"},
                          {"with_volatile", "kept [strong.sys param+8]"},
                          {"relaxed", "kept [strong.gpu param+0]"},
                          {"acquire", "kept [strong.gpu acquire param+0]"},
                          {"atomic", "kept [atomic param+0]"},
                          {"delay", "deleted in ptxas"}};
  EXPECT_EQ(found, expected);
}

TEST_F(inspect_test, what_becomes_of_counted_loops) {
  const table found = verdicts_of(R"(
#define KERNEL extern "C" __global__ void
__device__ __forceinline__ void wait(volatile int* f) { while (*f == 0); }
KERNEL full(float* d) { for (int i = 0; i < 4; ++i) d[i * 100] = i; }
KERNEL by_four(float* d, int n) {
#pragma unroll 4
  for (int i = 0; i < n; ++i) d[i * 3] = sqrtf(d[i * 3]);
}
KERNEL as_is(float* d, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) d[i * 3] = sqrtf(d[i * 3]);
}
KERNEL empty() { for (int i = 0; i < 1000; ++i); }
KERNEL two_waits(volatile int* f, volatile int* g) { wait(f); wait(g); }
KERNEL done_flag(volatile int* f, int k) {
  bool done = false;
  while (!done) {
    if (k == 3 || *f != 0) done = true;
  }
}
)");
  const table expected = {{"full", "unrolled in nvcc by 4 full"},
                          {"by_four", "unrolled in nvcc by 4"},
                          {"as_is", "kept"},
                          {"empty", "deleted in nvcc"},
                          {"two_waits", "kept, kept [strong.sys param+0]"},
                          {"done_flag", "kept [strong.sys param+0]"}};
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace ptxlab
