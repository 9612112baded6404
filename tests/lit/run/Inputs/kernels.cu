// Kernels that end well, for the tests of `ptxlab run`. Built without line information of their own:
// run adds it.
#include <cstdio>

extern "C" __global__ void saxpy(float a, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__device__ unsigned total;
__constant__ int weights[4];

extern "C" __global__ void add_up(const int* in) {
  __shared__ int part[64];
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k /= 2) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(&total, part[0]);
}

extern "C" __global__ void weigh(int* out) { out[threadIdx.x] = weights[threadIdx.x % 4]; }

extern "C" __global__ void bump(unsigned* counter) { atomicAdd(counter, 1); }

struct pair {
  int first;
  short second;
};
extern "C" __global__ void from_struct(pair p, int* out) { out[threadIdx.x] = p.first + p.second; }

extern "C" __global__ void dynamic(int* out) {
  extern __shared__ int room[];
  room[threadIdx.x] = threadIdx.x * 2;
  __syncthreads();
  out[threadIdx.x] = room[blockDim.x - 1 - threadIdx.x];
}

extern "C" __global__ void says(int n) { printf("thread %d of %d\n", threadIdx.x, n); }

namespace inner {
template <typename T>
__global__ void twice(T* data) {
  data[threadIdx.x] *= 2;
}
template __global__ void twice<int>(int*);
template __global__ void twice<long long>(long long*);
__global__ void plain(int* data) { data[threadIdx.x] += 1; }
}  // namespace inner

extern "C" __global__ void places(uint3* out) {
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  if (threadIdx.x + threadIdx.y + threadIdx.z == 0) out[block] = blockIdx;
}
