// SPDX-License-Identifier: Apache-2.0
// Source of the logs beside it: what ptxas reports of entries with callees, frames and bounds.
extern "C" __global__ void tiny(int* p) { *p = 1; }
extern "C" __global__ void empty() {}
extern "C" __global__ void static_shared(float* p) {
  __shared__ float s[256];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[255 - threadIdx.x];
}
extern "C" __global__ void dynamic_shared(float* p) {
  extern __shared__ float s[];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[255 - threadIdx.x];
}
extern "C" __global__ void indexed(int* p, int n) {
  int a[32];
  for (int i = 0; i < 32; ++i) a[i] = p[i];
  for (int i = 0; i < n; ++i) a[p[i] & 31] += i;
  p[0] = a[n & 31];
}
extern "C" __noinline__ __device__ float big_callee(float* p, int n) {
  float a[64];
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = p[i * n];
  __threadfence();
#pragma unroll
  for (int i = 0; i < 64; ++i) a[i] = a[i] * a[(i + 7) % 64] + p[i * n + 1];
  __threadfence();
  float s = 0;
#pragma unroll
  for (int i = 0; i < 64; ++i) s += a[i] * a[(i * 3) % 64];
  return s;
}
extern "C" __noinline__ __device__ float middle(float* p, int n) {
  return big_callee(p + n, n) + big_callee(p, 3);
}
extern "C" __global__ void calls_big(float* p, int n) { p[0] = middle(p, n) + big_callee(p, 2); }
extern "C" __noinline__ __device__ int factorial(int n) {
  return n < 2 ? 1 : n * factorial(n - 1) + factorial(n - 3);
}
extern "C" __global__ void recursive(int* p, int n) { p[0] = factorial(n); }
typedef int (*operation)(int);
extern "C" __noinline__ __device__ int with_frame(int a) {
  volatile int x[20];
  for (int i = 0; i < 20; i++) x[i] = a;
  return x[a];
}
extern "C" __noinline__ __device__ int doubled(int a) { return a * 2; }
__device__ operation operations[2] = {with_frame, doubled};
extern "C" __global__ void indirect(int* p) { p[0] = operations[p[1]](p[2]); }
extern "C" __global__ void three_barriers(int* p) {
  asm volatile("bar.sync 0;");
  p[1] = 2;
  asm volatile("bar.sync 1;");
  p[2] = 2;
  asm volatile("bar.sync 4;");
  p[3] = 2;
}
