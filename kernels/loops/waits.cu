// SPDX-License-Identifier: Apache-2.0
// Question: what is left of a wait that is not the plain one: two of them, a lock, a wait in shared
// memory, one that sleeps, one that gives up?
//
// Method: each kernel is one such wait, with the flag volatile or plain; the plain one is the
// control that must be reported.
//
// Expectation: each wait has a verdict of its own. Atomics and volatile flags stay. In shared
// memory SASS shows no ordering at all: the volatile wait is a loop of LDS. A sleep in the body
// keeps even a plain poll, as a weak load.
//
// Threats: a lock taken by several lanes of one warp may never open; one lane per block takes it
// here. That a sleep keeps a weak load is an observation of these versions.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t
// RUN: %ptxlab check %s --arch sm_90
#ifdef __CUDACC__

// CHECK-LABEL: kernel bounded_volatile{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit load+counter
// CHECK-DAG: sass loop L1 {{.*}} exit load+counter
// CHECK-DAG: sass loop L1 poll global 32 strong.sys
// CHECK-NOT: finding spin-
extern "C" __global__ void bounded_volatile(volatile unsigned* flag, unsigned* data, int rounds) {
  int i = 0;
  while (*flag == 0 && i < rounds) ++i;  // volatile: another thread sets the flag
  data[0] = i;
}

// CHECK-LABEL: kernel lock_by_cas{{$}}
// CHECK-DAG: ptx opcode atom.global.cas.b32 1{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 atomic
// CHECK-DAG: sass loop L1 poll {{generic|global}} 32 atomic
// CHECK-NOT: finding spin-
extern "C" __global__ void lock_by_cas(unsigned* lock, unsigned* data) {
  if (threadIdx.x != 0) return;
  while (atomicCAS(lock, 0u, 1u) != 0u) {
  }
  __threadfence();  // the data of the one who held the lock before
  *data += 1;
  __threadfence();  // the data before the lock is open again
  atomicExch(lock, 0u);
}

// CHECK-LABEL: kernel shared_plain{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit none
// CHECK: loop line [[#@LINE+11]] load-hoisted in nvcc
// CHECK: finding spin-lost
extern "C" __global__ void shared_plain(unsigned* data) {
  __shared__ unsigned flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data[0] = 1;
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    data[1] = 2;
  }
}

// CHECK-LABEL: kernel shared_volatile{{$}}
// CHECK-DAG: ptx loop L1 poll shared 32 volatile
// CHECK-DAG: sass loop L1 poll shared 32 shared
// CHECK: loop line [[#@LINE+10]] kept
extern "C" __global__ void shared_volatile(unsigned* data) {
  __shared__ volatile unsigned flag;  // volatile: thread 32 sets it while thread 0 waits
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data[0] = 1;
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    data[1] = 2;
  }
}

// CHECK-LABEL: kernel sleeping_plain{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 weak
// CHECK-DAG: sass loop L1 poll global 32 weak
// CHECK: finding spin-weak
extern "C" __global__ void sleeping_plain(unsigned* flag) {
  while (*flag == 0) __nanosleep(100);
}

// CHECK-LABEL: kernel sleeping_volatile{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 volatile
// CHECK-DAG: sass loop L1 poll global 32 strong.sys
// CHECK-NOT: finding spin-
extern "C" __global__ void sleeping_volatile(volatile unsigned* flag) {
  while (*flag == 0) __nanosleep(100);  // volatile: another thread sets the flag
}

// CHECK-LABEL: kernel two_plain_second{{$}}
// CHECK-DAG: ptx loop L1 {{.*}} exit load
// CHECK-DAG: ptx loop L2 {{.*}} exit none
// CHECK-DAG: loop line [[#@LINE+5]] kept
// CHECK-DAG: loop line [[#@LINE+6]] load-hoisted in nvcc
// CHECK: finding spin-lost
extern "C" __global__ void two_plain_second(volatile unsigned* first, unsigned* second,
                                            unsigned* data) {
  while (*first == 0) {  // volatile: another thread sets it
  }
  while (*second == 0) {
  }
  data[0] = 1;
}

// CHECK-LABEL: kernel two_volatile{{$}}
// CHECK-DAG: ptx loop L1 poll global 32 volatile
// CHECK-DAG: ptx loop L2 poll global 32 volatile
// CHECK-DAG: sass loop L1 poll global 32 strong.sys
// CHECK-DAG: sass loop L2 poll global 32 strong.sys
// CHECK-DAG: loop line [[#@LINE+4]] kept
// CHECK-DAG: loop line [[#@LINE+6]] kept
extern "C" __global__ void two_volatile(volatile unsigned* first, volatile unsigned* second,
                                        unsigned* data) {
  while (*first == 0) {  // volatile: another thread sets it
  }
  data[0] = 1;
  while (*second == 0) {  // volatile: as above
  }
  data[1] = 2;
}
#else
#include "kernels/kernel.hpp"

using enum ptxlab::kernels::param;

PTXLAB_KERNEL({
    .question = "What is left of a wait that is not the plain one?",
    .variants =
        {
            {.symbol = "bounded_volatile",
             .says = "volatile wait that gives up after so many rounds",
             .params = {pointer, pointer, u32},
             .must = {"loop polls exit load+counter; both; strength >= volatile",
                      "no finding spin-lost", "no finding spin-weak"}},
            {.symbol = "lock_by_cas",
             .says = "lock taken by atomicCAS",
             .params = {pointer, pointer},
             .must = {"loop polls; both; strength >= volatile", "no finding spin-lost",
                      "no finding spin-weak"}},
            {.symbol = "shared_plain",
             .says = "wait for a plain word in shared memory",
             .params = {pointer},
             .must = {"finding spin-lost"}},
            {.symbol = "shared_volatile",
             .says = "wait for a volatile word in shared memory",
             .params = {pointer},
             .must = {"loop polls; ptx; strength == volatile; space == shared",
                      "loop polls kept; sass; space == shared", "no finding spin-lost"}},
            {.symbol = "sleeping_plain",
             .says = "plain wait with __nanosleep in the body",
             .params = {pointer},
             .must = {"loop polls; both; strength == weak", "opcode(NANOSLEEP*) == 1",
                      "finding spin-weak"}},
            {.symbol = "sleeping_volatile",
             .says = "volatile wait with __nanosleep in the body",
             .params = {pointer},
             .must = {"loop polls; both; strength >= volatile", "opcode(NANOSLEEP*) == 1",
                      "no finding spin-weak"}},
            {.symbol = "two_plain_second",
             .says = "two waits, the second on a plain word",
             .params = {pointer, pointer, pointer},
             .must = {"loop kept", "finding spin-lost"}},
            {.symbol = "two_volatile",
             .says = "two waits, both on volatile words",
             .params = {pointer, pointer, pointer},
             .must = {"loops == 2; both", "every loop polls kept; sass; strength >= volatile"}},
        },
});
#endif
