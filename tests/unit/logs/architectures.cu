// SPDX-License-Identifier: Apache-2.0
// Source of the logs beside it: a callee that spills, compiled for several architectures.
extern "C" __noinline__ __device__ float heavy(float* p, int n) {
  float a[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) a[i] = p[i * n];
  __threadfence();
  float s = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) s += a[i] * a[(i * 3 + 1) % 48] * p[i];
  return s;
}
extern "C" __global__ void first(float* p, int n) { p[0] = heavy(p, n) + heavy(p + 1, n); }
extern "C" __global__ void second(float* p, int n) { p[0] = heavy(p + 3, n) * heavy(p + 1, n); }
extern "C" __global__ void third(int* p) {
  __shared__ int s[64];
  s[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = s[63 - threadIdx.x];
}
