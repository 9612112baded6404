// SPDX-License-Identifier: Apache-2.0
// Loops with a different fate each. regenerate.sh makes the files beside this one of it.
extern "C" __global__ void wait_plain(int *flag) {
  while (*flag == 0) {
  }
}

extern "C" __global__ void wait_volatile(volatile int *flag, int *out) {
  while (*flag == 0) {
  }
  out[1] = 7;
}

extern "C" __global__ void wait_asm(int *flag) {
  int seen;
  do asm volatile("ld.global.s32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
  while (seen == 0);
}

extern "C" __global__ void sum_four(float *out, const float *in) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; ++i) sum += in[i];
  *out = sum;
}

extern "C" __global__ void scale(float *data, int n) {
#pragma unroll 1
  for (int i = 0; i < n; ++i) data[i] *= 2.0f;
}

extern "C" __global__ void delay() {
  for (volatile int i = 0; i < 100; ++i) {
  }
}

extern "C" __global__ void nothing() {
  for (int i = 0; i < 100; ++i) {
  }
}
