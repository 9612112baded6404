// SPDX-License-Identifier: Apache-2.0
// Verdicts on loops of many shapes: what is asserted was read off the PTX and SASS of nvcc 13.0.88.
// RUN: %ptxlab check %s --arch sm_90
#include <cuda/atomic>

__device__ volatile int volatile_flag;
__device__ int plain_flag;

struct lock {
  int* p;
  __device__ void acquire() {
    while (atomicExch(p, 1) != 0) {
    }
    __threadfence();
  }
  __device__ void release() {
    __threadfence();
    atomicExch(p, 0);
  }
};

// A loop in a member function is that kernel's; the unoptimised build calls a built-in there.
// EXPECT(lock_of_a_class): loop kept; strength == atomic
// EXPECT(lock_of_a_class): loops == 1; both
extern "C" __global__ void lock_of_a_class(int* p, int* d) {
  lock l{p};
  l.acquire();
  d[0]++;
  l.release();
}

// EXPECT(library_atomic): loop polls kept; strength >= acquire.gpu
extern "C" __global__ void library_atomic(cuda::atomic<int, cuda::thread_scope_device>* a) {
  while (a->load(cuda::memory_order_acquire) == 0) {
  }
}

// The exit tests a flag that a branch inside the loop sets: still a poll.
// EXPECT(flag_set_by_a_branch): loop exit load kept; strength == strong.sys
// EXPECT(flag_set_by_a_branch): ptx; loop exit load; strength == volatile
extern "C" __global__ void flag_set_by_a_branch(volatile int* f, int* o) {
  bool done = false;
  int i = 0;
  while (!done) {
    if (f[i % 4]) done = true;
    ++i;
  }
  o[0] = i;
}

// EXPECT(wait_by_goto): loop polls kept; strength == strong.sys
extern "C" __global__ void wait_by_goto(int* f) {
again:
  if (*(volatile int*)f == 0) goto again;
}

// EXPECT(wait_on_a_plain_variable): loop load-hoisted in nvcc
// EXPECT(wait_on_a_plain_variable): loop exit none; both
extern "C" __global__ void wait_on_a_plain_variable() {
  while (plain_flag == 0) {
  }
}

// EXPECT(wait_on_a_volatile_variable): loop polls kept; strength == strong.sys
extern "C" __global__ void wait_on_a_volatile_variable() {
  while (volatile_flag == 0) {
  }
}

template <class F>
__device__ void until(F f) {
  while (!f()) {
  }
}

// One line of a template, inlined twice: two loops, both kept.
// EXPECT(wait_twice_by_lambda): every loop polls kept; strength == strong.sys
// EXPECT(wait_twice_by_lambda): loops == 2; both
extern "C" __global__ void wait_twice_by_lambda(volatile int* f) {
  until([&] { return *f != 0; });
  until([&] { return f[1] != 0; });
}

// EXPECT(wait_with_deadline): loop polls kept; strength == strong.sys
extern "C" __global__ void wait_with_deadline(volatile int* f, int* o) {
  const long long start = clock64();
  int late = 0;
  while (*f == 0) {
    if (clock64() - start > 100000) {
      late = 1;
      break;
    }
  }
  *o = late;
}

// EXPECT(wait_for_either): loop kept; polls == 2; strength == strong.sys
extern "C" __global__ void wait_for_either(volatile int* a, volatile int* b, int* o) {
  for (;;) {
    if (*a) break;
    if (*b) break;
  }
  *o = 1;
}

// The middle loop stays, the inner one of constant length does not.
// EXPECT(three_deep): loop 1 kept
// EXPECT(three_deep): loop 3 unrolled in nvcc by 4 full
// EXPECT(three_deep): ptx; loops == 2
extern "C" __global__ void three_deep(const float* a, float* o, int n, int m) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < m; ++j) {
      for (int k = 0; k < 4; ++k) sum += a[i * m + j + k];
    }
  }
  *o = sum;
}

// Unrolled by one compiler and then by the other: the first is named.
// EXPECT(cleared_by_both): loop unrolled in nvcc by 32
// EXPECT(cleared_by_both): ptx; loop trip == 32
// EXPECT(cleared_by_both): loop trip == 8
extern "C" __global__ void cleared_by_both(int* a) {
  for (int i = 0; i < 1024; ++i) a[i] = 0;
}

// EXPECT(counted_bits): loop deleted in nvcc
// EXPECT(counted_bits): opcode(POPC) == 1
extern "C" __global__ void counted_bits(unsigned x, int* o) {
  int bits = 0;
  while (x) {
    x &= x - 1;
    ++bits;
  }
  *o = bits;
}

// EXPECT(sum_of_nothing): loop deleted in nvcc; no finding spin-lost
extern "C" __global__ void sum_of_nothing(const int* a, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += a[i];
}

// A list is walked, a string is searched: loads decide, and nobody waits.
// EXPECT(list_length): loop exit load kept; no finding spin-weak
extern "C" __global__ void list_length(int** p, int* n) {
  int i = 0;
  while (p) {
    p = (int**)*p;
    ++i;
  }
  *n = i;
}

// EXPECT(string_length): loop exit load kept; no finding spin-weak
extern "C" __global__ void string_length(const char* s, int* n) {
  int i = 0;
  while (s[i]) i++;
  *n = i;
}
