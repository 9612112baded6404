// SPDX-License-Identifier: Apache-2.0
// Question: does it take many threads to keep the memory busy, or many loads in each?
//
// Method: the sum of one_launch.cu with 1 to 16 loads that a thread issues before it waits for the
// first, of 4 bytes and of 16, in blocks of 128 and of 512, over the blocks on an SM.
//
// Expectation: it is the bytes in flight on an SM that count, threads times loads times width,
// until the memory's latency is covered. Registers grow with the loads and limit the blocks.
//
// Threats: the source does not decide how many loads are in flight. Where ptxas has to fit 2048
// threads on an SM (wide_16_of_512_kept_small), or no second launch bound tells it that it need
// not, it takes few registers and with them few loads at a time. More blocks than an SM holds run
// one after the other.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/reduction.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

template <unsigned N, unsigned Threads, unsigned Loads>
static __device__ __forceinline__ void sum_by(float* out, const float* in, word n,
                                              unsigned* state) {
  sum_groups<by_words, N, Threads, Loads, float>(out, in, n, state);
}

#define PTXLAB_SUM(name, width, threads, loads)                   \
  extern "C" __global__ void __launch_bounds__(threads, 1)        \
      name(float* out, const float* in, word n, unsigned* state) { \
    sum_by<width, threads, loads>(out, in, n, state);              \
  }
PTXLAB_SUM(narrow_16_of_128, 1, 128, 16)
PTXLAB_SUM(narrow_1_of_128, 1, 128, 1)
PTXLAB_SUM(narrow_2_of_128, 1, 128, 2)
PTXLAB_SUM(narrow_4_of_128, 1, 128, 4)
PTXLAB_SUM(narrow_8_of_128, 1, 128, 8)
PTXLAB_SUM(wide_16_of_128, 4, 128, 16)
PTXLAB_SUM(wide_16_of_512, 4, 512, 16)

// CHECK-LABEL: kernel wide_16_of_512_kept_small{{$}}
// CHECK-DAG: sass opcode LDG.E.NA.128.CONSTANT 32{{$}}
extern "C" __global__ void __launch_bounds__(512, 4)
    wide_16_of_512_kept_small(float* out, const float* in, word n, unsigned* state) {
  sum_by<4, 512, 16>(out, in, n, state);
}

PTXLAB_SUM(wide_1_of_128, 4, 128, 1)
PTXLAB_SUM(wide_1_of_512, 4, 512, 1)
PTXLAB_SUM(wide_2_of_128, 4, 128, 2)
PTXLAB_SUM(wide_2_of_512, 4, 512, 2)
PTXLAB_SUM(wide_4_of_128, 4, 128, 4)
PTXLAB_SUM(wide_4_of_512, 4, 512, 4)
PTXLAB_SUM(wide_8_of_128, 4, 128, 8)
PTXLAB_SUM(wide_8_of_512, 4, 512, 8)
#undef PTXLAB_SUM
#else
#include "kernels/reduce/family.hpp"

using namespace ptxlab::kernels;

static variant in_flight(std::string_view symbol, unsigned threads, std::string_view says,
                         std::vector<std::string_view> must) {
  must.emplace_back("spill_store_bytes == 0");
  const std::vector<unsigned> few = {1, 2, 4}, many = {1, 2, 4, 8, 16};
  return {.symbol = symbol,
          .says = says,
          .params = reduction_family::one_launch(),
          .must = std::move(must),
          .measure = {.how = protocol::reduction,
                      .threads = {threads},
                      .blocks_per_sm = threads == 512 ? few : many,
                      .sum = {.tile = threads, .elements = {1 << 28}}}};
}

PTXLAB_KERNEL({
    .question = "Many threads, or many loads in each, to keep the memory busy?",
    .variants =
        {
            in_flight("narrow_16_of_128", 128, "16 loads of 4 bytes, blocks of 128",
                      {"opcode(LDG.E.NA.CONSTANT) == 32"}),
            in_flight("narrow_1_of_128", 128, "one load of 4 bytes, blocks of 128",
                      {"opcode(LDG.E.NA.CONSTANT) == 1"}),
            in_flight("narrow_2_of_128", 128, "two loads of 4 bytes, blocks of 128",
                      {"opcode(LDG.E.NA.CONSTANT) == 4"}),
            in_flight("narrow_4_of_128", 128, "four loads of 4 bytes, blocks of 128",
                      {"opcode(LDG.E.NA.CONSTANT) == 8"}),
            in_flight("narrow_8_of_128", 128, "eight loads of 4 bytes, blocks of 128",
                      {"opcode(LDG.E.NA.CONSTANT) == 16"}),
            in_flight("wide_16_of_128", 128, "16 loads of 16 bytes, blocks of 128",
                      {"opcode(LDG.*128*) == 32", "registers > 64"}),
            in_flight("wide_16_of_512", 512, "16 loads of 16 bytes, blocks of 512",
                      {"opcode(LDG.*128*) == 32", "registers > 64"}),
            in_flight("wide_16_of_512_kept_small", 512,
                      "16 loads of 16 bytes, and four blocks of 512 have to fit",
                      {"opcode(LDG.*128*) == 32", "registers <= 32"}),
            in_flight("wide_1_of_128", 128, "one load of 16 bytes, blocks of 128",
                      {"opcode(LDG.*128*) == 1"}),
            in_flight("wide_1_of_512", 512, "one load of 16 bytes, blocks of 512",
                      {"opcode(LDG.*128*) == 1"}),
            in_flight("wide_2_of_128", 128, "two loads of 16 bytes, blocks of 128",
                      {"opcode(LDG.*128*) == 4"}),
            in_flight("wide_2_of_512", 512, "two loads of 16 bytes, blocks of 512",
                      {"opcode(LDG.*128*) == 4"}),
            in_flight("wide_4_of_128", 128, "four loads of 16 bytes, blocks of 128",
                      {"opcode(LDG.*128*) == 8"}),
            in_flight("wide_4_of_512", 512, "four loads of 16 bytes, blocks of 512",
                      {"opcode(LDG.*128*) == 8"}),
            in_flight("wide_8_of_128", 128, "eight loads of 16 bytes, blocks of 128",
                      {"opcode(LDG.*128*) == 16"}),
            in_flight("wide_8_of_512", 512, "eight loads of 16 bytes, blocks of 512",
                      {"opcode(LDG.*128*) == 16"}),
        },
});
#endif
