// SPDX-License-Identifier: Apache-2.0
// Question: what do a spill and an indexed array cost a whole device?
//
// Method: 48 values that are mixed again and again by 144 multiply-adds: with the 64 registers that they
// fit, and with 32, so that most live in local memory. And a table of 32 counters for each thread, of which
// each round adds to one that nobody knows before: in local memory, in shared memory, and in registers, among
// which the compiler has to select. 2048 threads for each SM in all; the time of a round.
//
// Expectation: half of the registers let twice the threads be resident, and the loads and stores cost more
// than that gives. The table in local memory has 256 KiB for each SM, more than the L1; in shared memory no
// conflict is possible. In registers all 32 are looked at each time.
//
// Threats: the compilers choose what is spilled. The tables in shared memory limit the blocks, and so does the
// number of registers: waves of blocks are in the time.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

static constexpr unsigned entries = 32, table_threads = 256;

// Every kernel compares its result with an operand, so that nothing may be left out and a test can ask.

// 48 values live throughout a round: every one is read again by others.
static __device__ __forceinline__ void mix(sample* out, const word* in) {
  float values[48];
#pragma unroll  // constant indices, so that the array lives in registers
  for (unsigned i = 0; i < 48; ++i) values[i] = operand<float>(in, i % 11) * static_cast<float>(i);
  unsigned left = rounds_of(in);
#pragma unroll 1  // the rounds are what the slope is over
  do {
#pragma unroll  // as above
    for (unsigned k = 0; k < 3; ++k) {
#pragma unroll  // as above
      for (unsigned i = 0; i < 48; ++i)
        values[i] = fmaf(values[i], values[(i + k + 1) % 48], values[(i * 7 + k) % 48]);
    }
  } while (--left != 0);
  float sum = 0;
#pragma unroll  // as above
  for (unsigned i = 0; i < 48; ++i) sum += values[i];
  if (sum == operand<float>(in, 11)) out->region = 1;
}

// Adds one to `at(index)` in every round, for an index that the round before it gives.
template <typename Add>
static __device__ __forceinline__ void count(const word* in, const Add& add) {
  unsigned x = operand<unsigned>(in, 0) + threadIdx.x;
  unsigned left = rounds_of(in);
#pragma unroll 1  // the rounds are what the slope is over
  do {
    x = x * 1664525 + 1013904223;  // Numerical Recipes' generator; its top bits are the good ones
    add(x >> 27);
  } while (--left != 0);
}

// CHECK-LABEL: kernel registers_enough{{$}}
// CHECK-DAG: resource spill_load_bytes 0
// CHECK-NOT: sass opcode {{LDL|STL}}
extern "C" __global__ void __launch_bounds__(1024) registers_enough(sample* out, const word* in) {
  mix(out, in);
}
// CHECK-LABEL: kernel registers_spilled{{$}}
// CHECK-DAG: resource registers 32{{$}}
// CHECK-NOT: resource spill_load_bytes 0{{$}}
// CHECK-DAG: sass opcode LDL
// CHECK-DAG: sass opcode STL
extern "C" __global__ void __launch_bounds__(1024, 2) registers_spilled(sample* out, const word* in) {
  mix(out, in);
}

// CHECK-LABEL: kernel table_local{{$}}
// CHECK-DAG: resource stack_bytes 128{{$}}
// CHECK-DAG: resource spill_load_bytes 0
// CHECK-DAG: sass opcode LDL
extern "C" __global__ void __launch_bounds__(table_threads) table_local(sample* out, const word* in) {
  unsigned table[entries];
  for (unsigned i = 0; i < entries; ++i) table[i] = 0;
  count(in, [&](unsigned i) { table[i] += 1; });
  unsigned sum = 0;
  for (unsigned i = 0; i < entries; ++i) sum += table[i] * (i + 1);
  if (sum == operand<unsigned>(in, 1)) out->region = 1;
}
// CHECK-LABEL: kernel table_registers{{$}}
// CHECK-DAG: resource stack_bytes 0
// CHECK-NOT: sass opcode {{LDL|STL}}
extern "C" __global__ void __launch_bounds__(table_threads) table_registers(sample* out, const word* in) {
  unsigned table[entries];
#pragma unroll  // constant indices
  for (unsigned i = 0; i < entries; ++i) table[i] = 0;
  count(in, [&](unsigned at) {
#pragma unroll  // constant indices
    for (unsigned i = 0; i < entries; ++i) table[i] += at == i ? 1 : 0;
  });
  unsigned sum = 0;
#pragma unroll  // constant indices
  for (unsigned i = 0; i < entries; ++i) sum += table[i] * (i + 1);
  if (sum == operand<unsigned>(in, 1)) out->region = 1;
}
// CHECK-LABEL: kernel table_shared{{$}}
// CHECK-DAG: resource stack_bytes 0
// CHECK-DAG: sass opcode LDS
extern "C" __global__ void __launch_bounds__(table_threads) table_shared(sample* out, const word* in) {
  __shared__ unsigned table[entries][table_threads];  // of each thread its column: a bank of its own
  for (unsigned i = 0; i < entries; ++i) table[i][threadIdx.x] = 0;
  count(in, [&](unsigned i) { table[i][threadIdx.x] += 1; });
  unsigned sum = 0;
  for (unsigned i = 0; i < entries; ++i) sum += table[i][threadIdx.x] * (i + 1);
  if (sum == operand<unsigned>(in, 1)) out->region = 1;
}
#else
#include "kernels/kernel.hpp"

namespace {

using namespace ptxlab::kernels;

variant mixing(std::string_view symbol, std::string_view says, std::vector<std::string_view> must) {
  return {.symbol = symbol, .says = says, .must = std::move(must),
          .measure = {.how = protocol::event,
                      .operands = std::vector<std::uint64_t>(12, bits(0.5F)), .threads = {1024}}};
}
variant counting(std::string_view symbol, std::string_view says, std::vector<std::string_view> must) {
  return {.symbol = symbol, .says = says, .must = std::move(must),
          .measure = {.how = protocol::event, .threads = {256}}};
}

}  // namespace

PTXLAB_KERNEL({
    .question = "What do a spill and an indexed array cost a whole device?",
    .variants =
        {
            mixing("registers_enough", "48 values in at most 64 registers",
                   {"registers <= 64", "spill_store_bytes == 0", "opcode(FFMA) >= 144"}),
            mixing("registers_spilled", "48 values in 32 registers",
                   {"registers <= 32", "spill_store_bytes > 0", "spill_load_bytes > 0", "opcode(LDL*) >= 16"}),
            counting("table_local", "32 counters in local memory",
                     {"stack_bytes == 128", "spill_store_bytes == 0", "opcode(LDL*) >= 1"}),
            counting("table_registers", "32 counters in registers",
                     {"stack_bytes == 0", "opcode(LDL*) == 0"}),
            counting("table_shared", "32 counters in shared memory",
                     {"stack_bytes == 0", "shared_bytes == 32768", "opcode(LDS*) >= 1"}),
        },
});
#endif
