// SPDX-License-Identifier: Apache-2.0
// Question: how many numbers should a thread add in one launch, when blocks do not work together?
//
// Method: the reduction of 2012. Thread t of n / UF adds a[t + i * (n / UF)], i < UF, in place;
// what n / UF leaves over goes to thread 0; the host launches again with n / UF until one number is
// left. UF is a constant, so that the loads stand in the code one after the other.
//
// Expectation: registers grow with UF, one for each load, until they cost resident blocks. ptxas
// does not let them: it keeps to 32, which 2048 threads can have, and from UF = 25 on takes up the
// first loads before it issues the last. Only where the launch bounds say that one block is enough
// (_alone) are there as many in flight as the source has. A larger UF saves launches, which is all
// that counts for small n.
//
// Threats: with fewer than UF numbers thread 0 adds all of them, one after the other. Every launch
// writes n / UF numbers, which a block-wise reduction does not.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__
using word = unsigned long long;

template <unsigned UF>
static __device__ __forceinline__ void add_in_place(float* a, word n) {
  word const rest = n / UF;
  word const t = static_cast<word>(blockIdx.x) * blockDim.x + threadIdx.x;
  float sum = 0;
  if (t < rest) {
#pragma unroll  // it is what UF is about
    for (unsigned i = 0; i < UF; ++i) sum += a[t + i * rest];
  }
  if (t == 0) {
#pragma unroll 1  // fewer than UF, of one thread
    for (word i = rest * UF; i < n; ++i) sum += a[i];
  }
  if (t < rest || t == 0) a[t] = sum;
}

extern "C" __global__ void __launch_bounds__(256) by_10(float* a, word n) {
  add_in_place<10>(a, n);
}

// CHECK-LABEL: kernel by_100{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 101{{$}}
// CHECK-DAG: sass opcode LDG.E 101{{$}}
// CHECK-DAG: loop line {{[0-9]+}} unrolled in nvcc by 100 full
extern "C" __global__ void __launch_bounds__(256) by_100(float* a, word n) {
  add_in_place<100>(a, n);
}

// CHECK-LABEL: kernel by_100_alone{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 101{{$}}
// CHECK-DAG: sass opcode LDG.E 101{{$}}
// CHECK-DAG: loop line {{[0-9]+}} unrolled in nvcc by 100 full
extern "C" __global__ void __launch_bounds__(256, 1) by_100_alone(float* a, word n) {
  add_in_place<100>(a, n);
}

// CHECK-LABEL: kernel by_2{{$}}
// CHECK-DAG: ptx opcode ld.global.f32 3{{$}}
// CHECK-DAG: sass opcode LDG.E 3{{$}}
// CHECK-DAG: loop line {{[0-9]+}} unrolled in nvcc by 2 full
extern "C" __global__ void __launch_bounds__(256) by_2(float* a, word n) {
  add_in_place<2>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_25(float* a, word n) {
  add_in_place<25>(a, n);
}
extern "C" __global__ void __launch_bounds__(256, 1) by_25_alone(float* a, word n) {
  add_in_place<25>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_3(float* a, word n) {
  add_in_place<3>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_4(float* a, word n) {
  add_in_place<4>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_5(float* a, word n) {
  add_in_place<5>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_50(float* a, word n) {
  add_in_place<50>(a, n);
}
extern "C" __global__ void __launch_bounds__(256, 1) by_50_alone(float* a, word n) {
  add_in_place<50>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_6(float* a, word n) {
  add_in_place<6>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_7(float* a, word n) {
  add_in_place<7>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_8(float* a, word n) {
  add_in_place<8>(a, n);
}
extern "C" __global__ void __launch_bounds__(256) by_9(float* a, word n) {
  add_in_place<9>(a, n);
}
#else
#include "kernels/reduce/family.hpp"

using namespace ptxlab::kernels;
using rivals = std::vector<std::string_view>;

static variant by(unsigned unroll, std::string_view symbol, std::string_view says,
                  std::vector<std::string_view> must) {
  // The sweep of 2012, and its rivals, for the factor that was best then.
  const bool best = unroll == 7;
  return {.symbol = symbol,
          .says = says,
          .params = reduction_family::in_place(),
          .must = std::move(must),
          .measure = {.how = protocol::reduction,
                      .threads = {256},
                      .sum = {.by = summation::leaves::in_place,
                              .unroll = unroll,
                              .elements = best ? reduction_family::from_none()
                                               : reduction_family::some(),
                              .with_copies = true},
                      .rivals = best ? rivals{"thrust", "one core", "all cores"} : rivals{}}};
}

PTXLAB_KERNEL({
    .question = "How many numbers should a thread add in one launch, when blocks do not help?",
    .variants =
        {
            by(10, "by_10", "ten numbers a thread", {"opcode(LDG*) == 11"}),
            by(100, "by_100", "a hundred numbers a thread",
               {"opcode(LDG*) == 101", "registers <= 32"}),
            by(100, "by_100_alone", "a hundred, with as many registers as that takes",
               {"opcode(LDG*) == 101", "registers > 64"}),
            by(2, "by_2", "two numbers a thread", {"opcode(LDG*) == 3", "registers <= 32"}),
            by(25, "by_25", "25 numbers a thread", {"opcode(LDG*) == 26", "registers <= 32"}),
            by(25, "by_25_alone", "25, with as many registers as that takes",
               {"opcode(LDG*) == 26", "registers > 32"}),
            by(3, "by_3", "three numbers a thread", {"opcode(LDG*) == 4"}),
            by(4, "by_4", "four numbers a thread", {"opcode(LDG*) == 5"}),
            by(5, "by_5", "five numbers a thread", {"opcode(LDG*) == 6"}),
            by(50, "by_50", "fifty numbers a thread", {"opcode(LDG*) == 51", "registers <= 32"}),
            by(50, "by_50_alone", "fifty, with as many registers as that takes",
               {"opcode(LDG*) == 51", "registers > 50"}),
            by(6, "by_6", "six numbers a thread", {"opcode(LDG*) == 7"}),
            by(7, "by_7", "seven numbers a thread, the best of 2012", {"opcode(LDG*) == 8"}),
            by(8, "by_8", "eight numbers a thread", {"opcode(LDG*) == 9"}),
            by(9, "by_9", "nine numbers a thread", {"opcode(LDG*) == 10"}),
        },
});
#endif
