// SPDX-License-Identifier: Apache-2.0
// Question: does -maxrregcount limit the registers, and what does it cost?
//
// Method: the whole file is compiled with -maxrregcount=32: a kernel that wants more, the same with
// launch bounds, and one that needs few.
//
// Expectation: without launch bounds the limit holds and the rest is spilled. With launch bounds
// they win, silently: the limit has no effect. The small kernel does not notice.
//
// Threats: ptxas says in its log that it overrides the limit of the kernels without bounds, and
// says nothing of the other; only the register count shows which limit won.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
// Needs at least 48 registers at once: every value is read again by others before it is stored.
static __device__ __forceinline__ void mix(float* out, const float* a) {
  float values[48];
#pragma unroll  // constant indices, so that the array lives in registers
  for (int i = 0; i < 48; ++i) values[i] = a[i * 1024 + threadIdx.x];
#pragma unroll  // as above
  for (int k = 0; k < 3; ++k) {
#pragma unroll  // as above
    for (int i = 0; i < 48; ++i) {
      values[i] = fmaf(values[i], values[(i + k + 1) % 48], values[(i * 7 + k) % 48]);
    }
  }
#pragma unroll  // as above
  for (int i = 0; i < 48; ++i) out[i * 1024 + threadIdx.x] = values[i];
}

// CHECK-LABEL: kernel limit_binding{{$}}
// CHECK-DAG: resource registers 32{{$}}
// CHECK-NOT: resource spill_store_bytes 0{{$}}
// CHECK: finding limit-caused-spill
extern "C" __global__ void limit_binding(float* out, const float* a) {
  mix(out, a);
}

// CHECK-LABEL: kernel limit_overruled{{$}}
// CHECK-NOT: resource registers 32{{$}}
// CHECK-DAG: resource spill_store_bytes 0
// CHECK: finding limit-without-effect
extern "C" __global__ void __launch_bounds__(1024) limit_overruled(float* out, const float* a) {
  mix(out, a);
}

// CHECK-LABEL: kernel limit_unnoticed{{$}}
// CHECK-DAG: resource spill_store_bytes 0
// CHECK-NOT: finding limit-
extern "C" __global__ void limit_unnoticed(float* out, const float* a) {
  out[threadIdx.x] = a[threadIdx.x] + a[threadIdx.x + 32];
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Does -maxrregcount limit the registers, and what does it cost?",
    .nvcc_flags = "-maxrregcount=32",
    .variants =
        {
            {.symbol = "limit_binding",
             .says = "48 live values under the limit",
             .params = {pointer, pointer},
             .must = {"registers <= 32", "spill_store_bytes > 0", "finding limit-caused-spill",
                      "no finding limit-without-effect"}},
            {.symbol = "limit_overruled",
             .says = "48 live values under the limit, with launch bounds",
             .params = {pointer, pointer},
             .must = {"registers > 32", "spill_store_bytes == 0", "finding limit-without-effect",
                      "no finding limit-caused-spill"}},
            {.symbol = "limit_unnoticed",
             .says = "a sum of two words under the limit",
             .params = {pointer, pointer},
             .must = {"registers <= 32", "spill_store_bytes == 0",
                      "no finding limit-caused-spill"}},
        },
});
#endif
