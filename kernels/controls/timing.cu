// SPDX-License-Identifier: Apache-2.0
// Question: does the timing-integrity gate refuse a measurement that does not measure what its name
// says?
//
// Method: each way to spoil a timed region, once, beside a repaired twin. A broken one is measured
// only where it is asked for by name, and then `bench` prints the reason and no number.
//
// Expectation: every broken kernel is refused for its own reason, every repaired one holds.
//
// Threats: nvcc and ptxas of today break them; another version may fold less, and then the
// declaration fails.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/arith.cuh"
#include "ptx/device/memory.cuh"
#include "ptx/device/streams.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// Each copy starts from operand 0 and its own number; only the xor goes from copy to copy.
extern "C" __global__ void chain_broken(sample* out, const word* in) {
  unsigned const start = operand<unsigned>(in, 0);
  unsigned copy = 0;
  time_chain<32, unsigned>(out, in, [start, &copy](unsigned x, unsigned a, unsigned) {
    return x ^ mul_hi_u32(start + ++copy, a);
  });
}

extern "C" __global__ void chain_repaired(sample* out, const word* in) {
  time_chain<32, unsigned>(out, in,
                           [](unsigned x, unsigned a, unsigned b) { return b ^ mul_hi_u32(x, a); });
}

// Nobody uses what a copy computes: x goes on as it was.
extern "C" __global__ void dead_result(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) {
    static_cast<void>(div_approx_f32(x, a));
    return x;
  });
}

extern "C" __global__ void dead_result_repaired(sample* out, const word* in) {
  time_chain<32, float>(out, in, [](float x, float a, float) { return div_approx_f32(a, x); });
}

// ptxas makes one instruction of three operands of two copies.
extern "C" __global__ void folded(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return max_s32(x, a); });
}

extern "C" __global__ void folded_repaired(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return max_s32(x, a) ^ b; });
}

// The root is that of an operand, always the same: it is computed before the clock is read.
extern "C" __global__ void hoisted(sample* out, const word* in) {
  time_chain<32, float>(
      out, in, [](float x, float a, float) { return __fadd_rn(x, rsqrt_approx_ftz_f32(a)); });
}

extern "C" __global__ void hoisted_repaired(sample* out, const word* in) {
  time_chain<32, float>(
      out, in, [](float x, float a, float) { return __fadd_rn(a, rsqrt_approx_ftz_f32(x)); });
}

// One region of loads, each of which reads where the one before says, or all of which read on their
// own. They read zeros, the operands' first words; but only the next region's address tells that,
// so no load can be done once for all passes.
template <unsigned Loads, unsigned Region, bool Consumed>
static __device__ __forceinline__ void timed_loads(unsigned at, unsigned sink, word& from) {
  sample s;
  word value[Loads];
  s.time_ns = globaltimer_now();
  s.begin = clock64_now();
#pragma unroll  // no loop overhead between the clock reads
  for (unsigned i = 0; i < Loads; ++i)
    value[i] = ld_global_u64(!Consumed ? from + i * 8 : i == 0 ? from : from + value[i - 1]);
  if (Consumed) consume(sink, value[Loads - 1]);
  s.end = clock64_now();
  s.sm = smid_now();
  s.region = Region;
  put(at + Region * sizeof(sample), s);
#pragma unroll
  for (unsigned i = 0; i < Loads; ++i) from += value[i];
}

template <bool Consumed>
static __device__ __forceinline__ void time_loads(sample* out, const word* in) {
  constexpr unsigned all = 3 * samples_per_launch;
  __shared__ sample_store<all> store;
  unsigned at = address_of(store, in);
  unsigned const sink = at + sizeof store.held;
  word from = __cvta_generic_to_global(in) + operand<word>(in, 0);
#pragma unroll 1  // one copy of the three regions
  for (unsigned i = 0; i < samples_per_launch; ++i, at += 3 * sizeof(sample)) {
    timed_loads<1, 0, Consumed>(at, sink, from);
    timed_loads<2, 1, Consumed>(at, sink, from);
    timed_loads<4, 2, Consumed>(at, sink, from);
    consume(sink, from);
  }
  flush<all>(out, store.held, 1);
}

// The second clock read does not wait for the loads: what is timed is their issue.
extern "C" __global__ void load_unconsumed(sample* out, const word* in) {
  time_loads<false>(out, in);
}

extern "C" __global__ void load_unconsumed_repaired(sample* out, const word* in) {
  time_loads<true>(out, in);
}

// Four additions a copy, in a loop: its branch and counter are timed as well.
extern "C" __global__ void loop_left(sample* out, const word* in) {
  time_chain<8, float>(out, in, [](float x, float a, float b) {
#pragma unroll 1
    for (int i = 0; i < 4; ++i) x = __fmaf_rn(x, a, b);
    return x;
  });
}

extern "C" __global__ void loop_left_repaired(sample* out, const word* in) {
  time_chain<8, float>(out, in, [](float x, float a, float b) {
#pragma unroll
    for (int i = 0; i < 4; ++i) x = __fmaf_rn(x, a, b);
    return x;
  });
}

// Every step needs the result of the step before, whichever stream that belongs to.
extern "C" __global__ void __launch_bounds__(1024) streams_dependent(sample* out, const word* in) {
  float last = 1;
  time_streams<64, float>(
      out, in, [&last](float x, float a, float) { return last = __fmaf_rn(last, a, x); });
}

extern "C" __global__ void __launch_bounds__(1024) streams_repaired(sample* out, const word* in) {
  time_streams<64, float>(out, in, [](float x, float a, float b) { return __fmaf_rn(x, a, b); });
}

// A multiplication by 8 is none.
extern "C" __global__ void wrong_opcode(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int) { return mul_lo_s32(x, 8) ^ a; });
}

extern "C" __global__ void wrong_opcode_repaired(sample* out, const word* in) {
  time_chain<32, int>(out, in, [](int x, int a, int b) { return mul_lo_s32(x, b) ^ a; });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL(
    {
        .question = "Does the gate refuse what does not measure what its name says?",
        .variants =
            {
                {.symbol = "chain_broken",
                 .says = "each copy starts from the same value",
                 .measure = {.how = latency,
                             .sass = {"IMAD.HI.U32", "LOP3*", "IADD3", "VIADD", "IMAD.IADD"},
                             .operands = {1, 0x80000000},
                             .refused =
                                 "the chain is broken: at most 1 of 32 copies need each other"}},
                {.symbol = "chain_repaired",
                 .says = "each copy starts from the result of the one before",
                 .measure = {.how = latency,
                             .sass = {"IMAD.HI.U32", "LOP3*"},
                             .operands = {1, 0xffffffff, 5}}},
                {.symbol = "dead_result",
                 .says = "a pure function whose result nobody uses",
                 .measure = {.how = latency,
                             .sass = {"MUFU.RCP"},
                             .operands = {bits(3.0F), bits(5.0F)},
                             .refused = "0 of MUFU.RCP stand in the timed region, not 32"}},
                {.symbol = "dead_result_repaired",
                 .says = "the same, each result used by the next copy",
                 .measure = {.how = latency,
                             .sass = {"MUFU.RCP"},
                             .expands = true,
                             .operands = {bits(3.0F), bits(5.0F)}}},
                {.symbol = "folded",
                 .says = "the maximum of a maximum and the same operand",
                 .measure = {.how = latency,
                             .sass = {"VIMNMX*"},
                             .operands = {1, 7},
                             .refused = "16 of VIMNMX* stand in the timed region, not 32"}},
                {.symbol = "folded_repaired",
                 .says = "an xor between the maxima",
                 .measure = {.how = latency, .sass = {"VIMNMX", "LOP3*"}, .operands = {9, 7, 3}}},
                {.symbol = "hoisted",
                 .says = "a root that is the same in every copy",
                 .measure = {.how = latency,
                             .sass = {"MUFU.RSQ", "FADD"},
                             .operands = {bits(1.0F), bits(4.0F)},
                             .refused = "0 of MUFU.RSQ stand in the timed region, not 32"}},
                {.symbol = "hoisted_repaired",
                 .says = "the root of the last result",
                 .measure = {.how = latency,
                             .sass = {"MUFU.RSQ", "FADD"},
                             .operands = {bits(1.0F), bits(4.0F)}}},
                {.symbol = "load_unconsumed",
                 .says = "loads whose values are used behind the second clock read",
                 .measure = {.how = latency,
                             .sass = {"LDG*"},
                             .copies = 1,
                             .operands = {0},
                             .refused = "nothing in the timed region waits for the result of LDG"}},
                {.symbol = "load_unconsumed_repaired",
                 .says = "each load's address is the value of the one before",
                 .measure = {.how = latency,
                             .sass = {"LDG*", "IADD3*", "IMAD.X"},
                             .copies = 1,
                             .expands = true,
                             .operands = {0}}},
                {.symbol = "loop_left",
                 .says = "a loop that is not unrolled",
                 .measure = {.how = latency,
                             .sass = {"FFMA"},
                             .per_copy = 4,
                             .copies = 8,
                             .operands = {bits(1.0F), bits(0.5F), bits(2.0F)},
                             .refused = "a loop is left in the timed region"}},
                {.symbol = "loop_left_repaired",
                 .says = "the same loop unrolled",
                 .measure = {.how = latency,
                             .sass = {"FFMA"},
                             .per_copy = 4,
                             .copies = 8,
                             .operands = {bits(1.0F), bits(0.5F), bits(2.0F)}}},
                {.symbol = "streams_dependent",
                 .says = "streams that need each other's results",
                 .measure = {.how = throughput,
                             .sass = {"FFMA"},
                             .copies = 64,
                             .operands = {bits(1.0F), bits(0.5F)},
                             .refused = "streams are not independent"}},
                {.symbol = "streams_repaired",
                 .says = "streams that need their own results only",
                 .measure = {.how = throughput,
                             .sass = {"FFMA"},
                             .copies = 64,
                             .operands = {bits(1.0F), bits(0.5F), bits(2.0F)}}},
                {.symbol = "wrong_opcode",
                 .says = "a multiplication by a power of two",
                 .measure = {.how = latency,
                             .sass = {"IMAD", "LOP3*"},
                             .operands = {1, 5},
                             .refused = "0 of IMAD stand in the timed region, not 32"}},
                {.symbol = "wrong_opcode_repaired",
                 .says = "a multiplication by a register",
                 .measure = {.how = latency, .sass = {"IMAD", "LOP3*"}, .operands = {1, 5, 3}}},
            },
    });
#endif
