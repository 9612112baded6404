// SPDX-License-Identifier: Apache-2.0
// Question: does a loop that is asked to be unrolled still end where it should?
//
// Method: one store for each of min(n, most) elements, unrolled by 4 and by 5; and by 5 once more
// with the number of elements hidden from nvcc in an empty asm statement.
//
// Expectation: each has one copy of the body more than it is unrolled by, for what is left over. By
// nvcc 13.0 the loop by 5 has not: it stores up to four elements too many. The likely cause: a
// minimum becomes -1 - max(-1 - n, -1 - most), and the factor -1, read without a sign, is 2^32 - 1,
// a multiple of 5. It is one of 3, 15 and 17 too, and with these it is the same.
//
// Threats: another version of nvcc may say otherwise; what avoids it (ptx/device/xorwow.cuh) then
// need not any more.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
// CHECK-LABEL: kernel by_4{{$}}
// CHECK-DAG: ptx opcode st.global.u32 5{{$}}
extern "C" __global__ void by_4(unsigned* out, unsigned n, unsigned most) {
  unsigned const count = min(n, most);
#pragma unroll 4  // the form under test
  for (unsigned i = 0; i < count; ++i) out[i] = i + 1;
}

// EXPECT[nvcc==13.0](by_5): ptx; opcode(st.global.u32) == 5
// CHECK-LABEL: kernel by_5{{$}}
extern "C" __global__ void by_5(unsigned* out, unsigned n, unsigned most) {
  unsigned const count = min(n, most);
#pragma unroll 5  // the form under test
  for (unsigned i = 0; i < count; ++i) out[i] = i + 1;
}

// CHECK-LABEL: kernel by_5_hidden{{$}}
// CHECK-DAG: ptx opcode st.global.u32 6{{$}}
extern "C" __global__ void by_5_hidden(unsigned* out, unsigned n, unsigned most) {
  unsigned count = min(n, most);
  asm("" : "+r"(count));
#pragma unroll 5  // the form under test
  for (unsigned i = 0; i < count; ++i) out[i] = i + 1;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "Does a loop that is asked to be unrolled still end where it should?",
    .variants =
        {
            {.symbol = "by_4",
             .says = "by 4",
             .params = {pointer, u32, u32},
             .rehearse = {.blocks = 1,
                          .threads = 1,
                          .arguments = {"buf:u32:16:zero:name=out", "u32:7", "u32:9"}}},
            {.symbol = "by_5", .says = "by 5: nvcc 13.0 leaves out the remainder",
             .params = {pointer, u32, u32}},
            {.symbol = "by_5_hidden",
             .says = "by 5, the number hidden in an empty asm statement",
             .params = {pointer, u32, u32}},
        },
});
#endif
