// SPDX-License-Identifier: Apache-2.0
// Source of the dumps beside it: waits, a switch, calls and a trap.
//   nvcc -arch=sm_90 -lineinfo -cubin, then nvdisasm -json and nvdisasm -g -gp -gi -c (13.2.78)
__device__ int counter;

__device__ __noinline__ int twice(volatile int* p) {
  return p[1] * 2;
}

extern "C" __global__ void wait(volatile int* p) {
  while (*p == 0) {
  }
}

extern "C" __global__ void wait_symbol() {
  while (*(volatile int*)&counter == 0) {
  }
}

extern "C" __global__ void wait_shared(int n) {
  __shared__ volatile int flag;
  flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) flag = n;
  while (flag == 0) {
  }
}

extern "C" __global__ void choose(int* p, int n) {
  switch (n) {
    case 0:
      p[0] = 1;
      break;
    case 1:
      p[1] = p[2] * p[3];
      break;
    case 2:
      p[4] = __popc(p[2]);
      break;
    case 3:
      p[5] = p[3] / p[7];
      break;
    case 4:
      p[6] = clock();
      break;
    case 5:
      p[7] = p[1] ^ p[9];
      break;
    case 6:
      __threadfence();
      p[8] = 3;
      break;
    default:
      p[10] = 5;
  }
}

extern "C" __global__ void call(int* p, int n) {
#pragma unroll 1
  for (int i = 0; i < 10; ++i) {
    if (p[i] == n) __trap();
    p[i] = twice(p + i);
  }
}
