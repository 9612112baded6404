// SPDX-License-Identifier: Apache-2.0
// Corpus of the PTX reader: clang's dialect. clang.ptx beside it was made of this file by
//   clang-14 -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -O2 -S
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))

__shared__ int stage[64];
__constant__ float table[4] = {1.0f, 0.5f, 0.25f, 0.125f};

extern "C" __device__ __attribute__((noinline)) int helper(int x) {
  int sum = 0;
  for (int i = 0; i < x; ++i) sum += stage[i] * x;
  return sum;
}

extern "C" __global__ void wait_volatile(volatile int *flag, int *out) {
  while (*flag == 0) {
  }
  *out = helper(*out);
}

extern "C" __global__ void wait_shared(int *out) {
  while (*static_cast<volatile int *>(&stage[3]) != 7) {
  }
  out[0] = 1;
}

extern "C" __global__ void wait_atomic(int *lock, int *out) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_RELAXED) != 0) {
  }
  out[1] = 2;
}

extern "C" __global__ void wait_asm(int *flag, int *out) {
  int seen;
  asm volatile(
      "{\n\t.reg .pred p;\n\tWAIT: ld.acquire.gpu.s32 %0, [%1];\n\tsetp.eq.s32 p, %0, 0;\n\t"
      "@p bra WAIT;\n\t}"
      : "=r"(seen)
      : "l"(flag)
      : "memory");
  *out = seen;
}

extern "C" __global__ void choose(int n, float *out) {
  for (int i = 0; i < 10; ++i) switch (n + i) {
      case 0:
        out[0] = table[n & 3];
        break;
      case 1:
        out[3] = 2 * out[1];
        break;
      case 2:
        out[7] = n;
        break;
      case 3:
        out[1] = n * n;
        break;
    }
}
