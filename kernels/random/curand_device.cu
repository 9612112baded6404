// SPDX-License-Identifier: Apache-2.0
// Question: what does cuRAND's device interface give, and why do its examples set up in a kernel of
// their own?
//
// Method: curand_kernel.h as its guide has it: one state a thread, made by curand_init, kept in
// global memory, copied into a local variable to draw from and back. `uniform_at_once` makes the
// state in the kernel that draws. The parameters are those of random/xorwow, so that the same
// protocol and the same reference serve. `sobol` is the same of a quasirandom sequence.
//
// Expectation: drawing keeps the state in registers. curand_init indexes the state in a loop, so
// that in one kernel with it the state has to lie in local memory, and every launch repeats the
// jumps. A Sobol state lies there always: which of its vectors comes next, only the number knows.
//
// Threats: one store is of four bytes. What is compiled is the header of the toolkit at hand.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include <curand_kernel.h>

/// A unit from `state` for each row, from the row where the thread's turn comes.
template <class T, class F>
static __device__ __forceinline__ void draw(curandStateXORWOW_t* state, T* out, unsigned rows,
                                            unsigned rest, unsigned start, unsigned subsequences,
                                            F one) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const column = thread - start + (thread < start ? subsequences : 0);
  if (column < rest) ++rows;
  out += column;
  for (unsigned row = 0; row < rows; ++row, out += subsequences) *out = one(state);
}

extern "C" __global__ void __launch_bounds__(256)
    normal(curandStateXORWOW_t* state, float2* out, unsigned rows, unsigned rest, unsigned start,
           unsigned, unsigned subsequences, unsigned) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= subsequences) return;
  curandStateXORWOW_t local = state[thread];
  draw(&local, out, rows, rest, start, subsequences, [](auto* s) { return curand_normal2(s); });
  state[thread] = local;
}

// CHECK-LABEL: kernel set_up{{$}}
extern "C" __global__ void __launch_bounds__(256)
    set_up(curandStateXORWOW_t* state, const unsigned*, unsigned long long seed,
           unsigned long long steps, unsigned steps_per_unit, unsigned start,
           unsigned subsequences, unsigned, unsigned) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread < subsequences)
    curand_init(seed, thread, steps + (thread < start ? steps_per_unit : 0), &state[thread]);
}

// A block for each dimension: thread t draws `points` of it from point t * points on. The state holds
// a copy of the 32 vectors, which a number picks from.
// CHECK-LABEL: kernel sobol{{$}}
// CHECK-DAG: sass opcode LDL
extern "C" __global__ void __launch_bounds__(256)
    sobol(curandDirectionVectors32_t* vectors, unsigned* out, unsigned points) {
  curandStateSobol32_t local;
  curand_init(vectors[blockIdx.x], threadIdx.x * points, &local);
  out += (blockIdx.x * blockDim.x + threadIdx.x) * points;
  for (unsigned i = 0; i < points; ++i) out[i] = curand(&local);
}

// CHECK-LABEL: kernel uniform{{$}}
// CHECK-NOT: sass opcode LDL
// CHECK: sass opcode STG.E
extern "C" __global__ void __launch_bounds__(256)
    uniform(curandStateXORWOW_t* state, float* out, unsigned rows, unsigned rest, unsigned start,
            unsigned, unsigned subsequences, unsigned) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= subsequences) return;
  curandStateXORWOW_t local = state[thread];
  draw(&local, out, rows, rest, start, subsequences, [](auto* s) { return curand_uniform(s); });
  state[thread] = local;
}

// CHECK-LABEL: kernel uniform_at_once{{$}}
// CHECK-DAG: sass opcode STL
// CHECK-DAG: sass opcode LDL
extern "C" __global__ void __launch_bounds__(256)
    uniform_at_once(curandStateXORWOW_t*, const unsigned*, unsigned long long seed,
                    unsigned long long steps, unsigned, float* out, unsigned rows, unsigned rest,
                    unsigned start, unsigned, unsigned subsequences, unsigned) {
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= subsequences) return;
  curandStateXORWOW_t local;
  curand_init(seed, thread, steps + (thread < start ? 1 : 0), &local);
  draw(&local, out, rows, rest, start, subsequences, [](auto* s) { return curand_uniform(s); });
}
#else
#include "kernels/random/family.hpp"

using ptxlab::kernels::generator;

static const ptxlab::kernels::random_family family{};

PTXLAB_KERNEL({
    .question = "What does cuRAND's device interface give, and why set up in a kernel of its own?",
    .variants =
        {
            {.symbol = "normal",
             .says = "curand_normal2 of a state that was set up before",
             .params = family.drawn(),
             .must = {"opcode(LDL*) == 0", "blocks_per_sm(256) >= 8"},
             .measure = family.of_device_interface(generator::output::normal)},
            {.symbol = "set_up",
             .says = "curand_init into global memory",
             .params = family.set_up()},
            {.symbol = "sobol",
             .says = "curand of a Sobol state, which holds its vectors",
             .params = {ptxlab::kernels::param::pointer, ptxlab::kernels::param::pointer,
                        ptxlab::kernels::param::u32},
             .must = {"stack_bytes >= 128"}},
            {.symbol = "uniform",
             .says = "curand_uniform of a state that was set up before",
             .params = family.drawn(),
             .must = {"stack_bytes == 0"},
             .measure = family.of_device_interface(generator::output::uniform)},
            {.symbol = "uniform_at_once",
             .says = "curand_init and curand_uniform in one kernel",
             .params = family.at_once(),
             .must = {"stack_bytes > 0"},
             .measure =
                 [] {
                   ptxlab::kernels::measurement m =
                       family.of_device_interface(generator::output::uniform);
                   m.generator.setup = "";
                   return m;
                 }()},
        },
});
#endif
