// SPDX-License-Identifier: Apache-2.0
// Question: do all SMs together keep the rate that one of them shows?
//
// Method: 2048 threads on every SM run rounds of 1024 fma each, in eight streams; timed from outside
// by two events, for R and 2R rounds. No clock is read in the kernel: it is the second method for
// throughput/fp32/fma_rn_f32.
//
// Expectation: 1024 fma of 2048 threads at 128 a cycle are 16384 cycles, 8.3 us at 1980 MHz.
//
// Threats: a device that draws more power than it may lowers its clock.
//
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
#include "ptx/device/timing.cuh"

using namespace ptxlab::device;
using word = unsigned long long;

extern "C" __global__ void __launch_bounds__(1024) fma_rn_f32(sample* out, const word* in) {
  float const a = operand<float>(in, 1), b = operand<float>(in, 2);
  float x[8];
  for (unsigned k = 0; k < 8; ++k) x[k] = operand<float>(in, 0) + static_cast<float>(k);
  unsigned left = rounds_of(in) * 4;
#pragma unroll 1
  do {
#pragma unroll  // 256 fma in a row
    for (unsigned i = 0; i < 32; ++i) {
#pragma unroll
      for (unsigned k = 0; k < 8; ++k) x[k] = __fmaf_rn(x[k], a, b);
    }
  } while (--left != 0);
  float sum = 0;
  for (unsigned k = 0; k < 8; ++k) sum += x[k];
  if (sum == 0.125F) out->region = 1;  // never; but the results must be kept
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::protocol;
using ptxlab::kernels::bits;

PTXLAB_KERNEL({
    .question = "Do all SMs together keep the rate that one of them shows?",
    .variants =
        {
            {.symbol = "fma_rn_f32",
             .says = "1024 fma.rn.f32 of 2048 threads on every SM",
             .must = {"opcode(FFMA) == 256"},
             .measure = {.how = event,
                         .operands = {bits(1.0F), bits(0.5F), bits(2.0F)},
                         .threads = {1024}}},
        },
});
#endif
