// SPDX-License-Identifier: Apache-2.0
// Question: how fast are Sobol's sequences, which need no states at all, in one dimension and in
// 20 000?
//
// Method: `set_up` expands the polynomials and initial numbers of Joe and Kuo into 32 direction
// vectors a dimension. A block draws points of one dimension: a thread's first from the Gray code
// of its index, the next by two vectors, because its indices are a power of two apart; four points
// in a row make one store, wherever the dimension begins. `scrambled` adds a constant to all points
// of a dimension; its vectors are scrambled before they come here.
//
// Expectation: as fast as storing. Set-up is 32 words a dimension, done once; what a thread needs
// of its own takes less than a state would take to load.
//
// Threats: with 20 000 dimensions a block has few points, and its vectors to load for them.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/sobol.cuh"

using namespace ptxlab::device;

extern "C" __global__ void __launch_bounds__(256)
    bits(const unsigned* vectors, const unsigned* constants, unsigned* out, unsigned first,
         unsigned points, unsigned dimensions, unsigned share) {
  sobol_draw<sobol_as_bits>(vectors, constants, out, first, points, dimensions, share);
}

extern "C" __global__ void __launch_bounds__(256)
    normal(const unsigned* vectors, const unsigned* constants, float* out, unsigned first,
           unsigned points, unsigned dimensions, unsigned share) {
  sobol_draw<sobol_as_normal>(vectors, constants, out, first, points, dimensions, share);
}

extern "C" __global__ void __launch_bounds__(256)
    scrambled(const unsigned* vectors, const unsigned* constants, float* out, unsigned first,
              unsigned points, unsigned dimensions, unsigned share) {
  sobol_draw<sobol_as_uniform>(vectors, constants, out, first, points, dimensions, share);
}

extern "C" __global__ void __launch_bounds__(256)
    set_up(unsigned* vectors, const unsigned* polynomials, const unsigned* first,
           unsigned dimensions) {
  unsigned const d = blockIdx.x * blockDim.x + threadIdx.x;
  if (d < dimensions)
    sobol_expand(vectors + d * sobol_bits, polynomials[d], first + d * sobol_degrees);
}

// CHECK-LABEL: kernel uniform{{$}}
// CHECK-DAG: sass opcode STG.E.128 {{[1-9]}}
extern "C" __global__ void __launch_bounds__(256)
    uniform(const unsigned* vectors, const unsigned* constants, float* out, unsigned first,
            unsigned points, unsigned dimensions, unsigned share) {
  sobol_draw<sobol_as_uniform>(vectors, constants, out, first, points, dimensions, share);
}

extern "C" __global__ void __launch_bounds__(256)
    uniform_double(const unsigned* vectors, const unsigned* constants, double* out, unsigned first,
                   unsigned points, unsigned dimensions, unsigned share) {
  sobol_draw<sobol_as_uniform_double>(vectors, constants, out, first, points, dimensions, share);
}
#else
#include "kernels/random/family.hpp"

using ptxlab::kernels::generator;

static const ptxlab::kernels::random_family family{};

PTXLAB_KERNEL({
    .question = "How fast are Sobol's sequences, in one dimension and in 20 000?",
    .variants =
        {
            {.symbol = "bits",
             .says = "words",
             .params = family.quasirandom(),
             .must = {"stack_bytes == 0", "blocks_per_sm(256) >= 8"},
             .measure =
                 family.in_dimensions(generator::law::sobol32, generator::output::bits)},
            {.symbol = "normal",
             .says = "normal floats by the inverse of the distribution",
             .params = family.quasirandom(),
             .must = {"stack_bytes == 0"},
             .measure =
                 family.in_dimensions(generator::law::sobol32, generator::output::normal)},
            {.symbol = "scrambled",
             .says = "uniform floats of a scrambled sequence",
             .params = family.quasirandom(),
             .must = {"stack_bytes == 0", "blocks_per_sm(256) >= 8"},
             .measure = family.in_dimensions(generator::law::scrambled_sobol32,
                                             generator::output::uniform)},
            {.symbol = "set_up",
             .says = "direction vectors by the recurrence, a dimension a thread",
             .params = {ptxlab::kernels::param::pointer, ptxlab::kernels::param::pointer,
                        ptxlab::kernels::param::pointer, ptxlab::kernels::param::u32},
             .must = {"stack_bytes == 0"},
             .rehearse = {.blocks = 1,
                          .threads = 32,
                          .arguments = {"buf:u32:1024:zero:name=vectors",
                                        "buf:u32:32:fill:1:name=polynomials",
                                        "buf:u32:576:zero:name=first", "u32:32"}}},
            {.symbol = "uniform",
             .says = "uniform floats",
             .params = family.quasirandom(),
             .must = {"stack_bytes == 0", "blocks_per_sm(256) >= 8"},
             .measure =
                 family.in_dimensions(generator::law::sobol32, generator::output::uniform)},
            {.symbol = "uniform_double",
             .says = "uniform doubles, of 32 bits as cuRAND's",
             .params = family.quasirandom(),
             .must = {"stack_bytes == 0"},
             .measure = family.in_dimensions(generator::law::sobol32,
                                             generator::output::uniform_double)},
        },
});
#endif
