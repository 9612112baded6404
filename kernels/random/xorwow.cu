// SPDX-License-Identifier: Apache-2.0
// Question: how fast can a grid draw random numbers by xorwow, in the order of cuRAND's host
// interface or in that of its device interface, and what does it take to set it up?
//
// Method: one kernel sets up states, each by jumps from the seed: matrices over GF(2) of 2^0 to
// 2^98 steps, which the host computes. Others draw from them, several states a thread so that a
// thread stores 16 bytes at once: words, uniform and normal numbers, floats and doubles. With 4096
// subsequences the order is cuRAND's legacy one; the rows are then divided into segments whose
// states are jumped to as well, so that all of the device draws. `uniform_by_one` has one state a
// thread, `uniform_at_once` sets up and draws in one kernel.
//
// Expectation: drawing is as fast as storing: some eight instructions for four bytes. Set-up is a
// thousand times the work of a number, and has more registers; in one kernel with it drawing has
// them too, and each launch jumps anew.
//
// Threats: the time of one segment depends on nothing but its length, but segments begin at
// addresses that are far apart, and whether DRAM likes that is its own matter.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/xorwow.cuh"

using namespace ptxlab::device;

// CHECK-LABEL: kernel bits{{$}}
// CHECK-DAG: sass opcode STG.E.128 {{[1-9]}}
extern "C" __global__ void __launch_bounds__(256)
    bits(unsigned* state, unsigned* out, unsigned rows, unsigned rest, unsigned start,
         unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_bits, 4>(state, out, {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    normal(unsigned* state, float2* out, unsigned rows, unsigned rest, unsigned start,
           unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_normal, 2>(state, out, {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    normal_double(unsigned* state, double2* out, unsigned rows, unsigned rest, unsigned start,
                  unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_normal_double, 1>(state, out,
                                   {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    set_up(unsigned* state, const unsigned* powers, unsigned long long seed,
           unsigned long long steps, unsigned steps_per_unit, unsigned start,
           unsigned subsequences, unsigned segment, unsigned segments) {
  xorwow_set_up<4>(state, powers, seed, steps, steps_per_unit, start, subsequences, segment,
                   segments);
}

// CHECK-LABEL: kernel uniform{{$}}
// CHECK-DAG: sass opcode STG.E.128 {{[1-9]}}
extern "C" __global__ void __launch_bounds__(256)
    uniform(unsigned* state, float* out, unsigned rows, unsigned rest, unsigned start,
            unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_uniform, 4>(state, out, {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    uniform_at_once(unsigned* state, const unsigned* powers, unsigned long long seed,
                    unsigned long long steps, unsigned segments, float* out, unsigned rows,
                    unsigned rest, unsigned start, unsigned counter, unsigned subsequences,
                    unsigned segment) {
  xorwow_set_up<1>(state, powers, seed, steps, 1, start, subsequences, segment, segments);
  xorwow_draw<as_uniform, 1>(state, out, {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    uniform_by_one(unsigned* state, float* out, unsigned rows, unsigned rest, unsigned start,
                   unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_uniform, 1>(state, out, {rows, rest, start, counter, subsequences, segment});
}

extern "C" __global__ void __launch_bounds__(256)
    uniform_double(unsigned* state, double* out, unsigned rows, unsigned rest, unsigned start,
                   unsigned counter, unsigned subsequences, unsigned segment) {
  xorwow_draw<as_uniform_double, 2>(state, out,
                                    {rows, rest, start, counter, subsequences, segment});
}

// The first step towards it (Marsaglia, 2003): 128 bits, no counter. Thread t draws `rows` numbers
// from the four words at state[t]; number r goes to out[r * threads + t].
extern "C" __global__ void xorshift128(uint4* state, unsigned* out, unsigned rows) {
  unsigned const threads = gridDim.x * blockDim.x;
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  uint4 s = state[thread];
#pragma unroll 4  // as many words as there are: none is moved
  for (unsigned r = 0; r < rows; ++r) {
    unsigned const t = s.x ^ (s.x << 11);
    s = {s.y, s.z, s.w, s.w ^ (s.w >> 19) ^ t ^ (t >> 8)};
    out[r * threads + thread] = s.w;
  }
  state[thread] = s;
}
#else
#include "kernels/random/family.hpp"

using ptxlab::kernels::generator;

static const ptxlab::kernels::random_family family{};

PTXLAB_KERNEL({
    .question = "How fast can a grid draw random numbers by xorwow, and what does its set-up take?",
    .variants =
        {
            {.symbol = "bits",
             .says = "words; four subsequences a thread",
             .params = family.drawn(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0", "blocks_per_sm(256) >= 4"},
             .measure = family.measured(generator::output::bits, 4)},
            {.symbol = "normal",
             .says = "normal floats in pairs; two subsequences a thread",
             .params = family.drawn(),
             .must = {"blocks_per_sm(256) >= 4"},
             .measure = family.measured(generator::output::normal, 2)},
            {.symbol = "normal_double",
             .says = "normal doubles in pairs; a subsequence a thread",
             .params = family.drawn(),
             .must = {"blocks_per_sm(256) >= 4"},
             .measure = family.measured(generator::output::normal_double, 1)},
            {.symbol = "set_up",
             .says = "states by jumps from the seed, four a thread",
             .params = family.set_up(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0"}},
            {.symbol = "uniform",
             .says = "uniform floats; four subsequences a thread",
             .params = family.drawn(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0", "blocks_per_sm(256) >= 4"},
             .measure = family.compared(generator::output::uniform, 4)},
            {.symbol = "uniform_at_once",
             .says = "sets up and draws in one kernel; a subsequence a thread",
             .params = family.at_once(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0", "registers > 32"},
             .measure = family.without_set_up()},
            {.symbol = "uniform_by_one",
             .says = "uniform floats; a subsequence a thread",
             .params = family.drawn(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0", "registers <= 32"},
             .measure = family.measured(generator::output::uniform, 1)},
            {.symbol = "uniform_double",
             .says = "uniform doubles; two subsequences a thread",
             .params = family.drawn(),
             .must = {"stack_bytes == 0", "spill_store_bytes == 0"},
             .measure = family.measured(generator::output::uniform_double, 2)},
            {.symbol = "xorshift128",
             .says = "Marsaglia's first: four words, no counter",
             .params = {ptxlab::kernels::param::pointer, ptxlab::kernels::param::pointer,
                        ptxlab::kernels::param::u32},
             .rehearse = {.blocks = 1,
                          .threads = 32,
                          .arguments = {"buf:u32:128:zero:name=state", "buf:u32:160:zero:name=out",
                                        "u32:5"},
                          .result = "out=0"}},
        },
});
#endif
