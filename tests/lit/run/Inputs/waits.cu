// Kernels that do not end, race or go wrong, each for one ending of `ptxlab run`.
__device__ unsigned arrived;
__device__ unsigned lock;

extern "C" __global__ void all_arrive(int* out) {
  if (threadIdx.x == 0) {
    atomicAdd(&arrived, 1);
    while (*(volatile unsigned*)&arrived != gridDim.x) {
    }
  }
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

extern "C" __global__ void waits_for_nobody(volatile int* flag, int* out) {
  if (threadIdx.x == 0) *flag = 3;
  while (*flag != 7) {
  }
  out[threadIdx.x] = 1;
}

extern "C" __global__ void takes_lock(int* sum) {
  while (atomicCAS(&lock, 0u, 1u) != 0u) {
  }
  *(volatile int*)sum += 1;
  __threadfence();
  atomicExch(&lock, 0u);
}

extern "C" __global__ void counts_forever(volatile unsigned* out) {
  for (unsigned i = 0;; ++i) *out = i;
}

extern "C" __global__ void parts_at_barrier(volatile int* flag) {
  if (threadIdx.x < 32)
    __syncthreads();
  else
    while (*flag == 0) {
    }
}

extern "C" __global__ void writes_behind(int* out) { out[threadIdx.x + 64] = 1; }

extern "C" __global__ void reads_nothing(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}

extern "C" __global__ void no_fence(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    *out = *data;
  }
}

extern "C" __global__ void fence(int* data, volatile int* flag, int* out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *data = 42;
    __threadfence();
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    *out = *data;
  }
}
