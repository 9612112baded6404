// SPDX-License-Identifier: Apache-2.0
// Question: After how many cycles does an atomic on shared memory return?
//
// Method: each operation's operand is the value that the one before returned; one warp, each
// lane on its own word.
//
// Expectation: integer operations are done by the memory itself; what it cannot do is a loop of
// compare-and-swap, which is no measurement of one instruction and is refused.
//
// Threats: no contention and no bank conflict.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/atomic.cuh"
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

// Each lane has a word of its own.
static __device__ __forceinline__ unsigned own_word() {
  __shared__ word words[32];
  words[threadIdx.x % 32] = 0;
  __syncthreads();
  return static_cast<unsigned>(__cvta_generic_to_shared(&words[threadIdx.x % 32]));
}

extern "C" __global__ void add_f32(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<64, float>(out, in, [=](float x, float, float) {
    return atom_shared_add_f32(at, x);
  });
}

extern "C" __global__ void add_u32(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<160, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_shared_add_u32(at, x);
  });
}

extern "C" __global__ void add_u64(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<64, word>(out, in, [=](word x, word, word) {
    return atom_shared_add_u64(at, x);
  });
}

extern "C" __global__ void cas_b32(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<16, unsigned>(out, in, [=](unsigned x, unsigned a, unsigned) {
    return atom_shared_cas_b32(at, x, a);
  });
}

extern "C" __global__ void exch_b32(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<160, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_shared_exch_b32(at, x);
  });
}

extern "C" __global__ void max_u32(sample* out, const word* in) {
  unsigned const at = own_word();
  time_chain<160, unsigned>(out, in, [=](unsigned x, unsigned, unsigned) {
    return atom_shared_max_u32(at, x);
  });
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;

PTXLAB_KERNEL({
    .question = "After how many cycles does an atomic on shared memory return?",
    .variants =
        {
            {.symbol = "add_f32",
             .says = "atom.shared.add.f32",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 64, .operands = {1, 1},
                         .refused = "a loop is left"}},
            {.symbol = "add_u32",
             .says = "atom.shared.add.u32",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 160, .operands = {1, 1}}},
            {.symbol = "add_u64",
             .says = "atom.shared.add.u64",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 64, .operands = {1, 1},
                         .refused = "a loop is left"}},
            {.symbol = "cas_b32",
             .says = "atom.shared.cas.b32",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 16, .operands = {1, 1}}},
            {.symbol = "exch_b32",
             .says = "atom.shared.exch.b32",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 160, .operands = {1, 1}}},
            {.symbol = "max_u32",
             .says = "atom.shared.max.u32",
             .measure = {.how = latency, .sass = {"ATOMS*"}, .copies = 160, .operands = {1, 1}}},
        },
});
#endif
