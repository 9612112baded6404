// SPDX-License-Identifier: Apache-2.0
// barrier-divergent: a barrier for some threads; not behind a closed branch, an early return, or in a uniform loop.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel behind_branch{{$}}
// CHECK: ptx opcode bar.sync 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void behind_branch(int* out, int n) {
  __shared__ int word;
  if (threadIdx.x < n) word = n;
  __syncthreads();
  out[threadIdx.x] = word;
}

// CHECK-LABEL: kernel early_return{{$}}
// CHECK: ptx opcode bar.sync 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void early_return(int* out, int n) {
  __shared__ int word;
  if (threadIdx.x >= n) return;
  word = n;
  __syncthreads();
  out[threadIdx.x] = word;
}

// CHECK-LABEL: kernel in_lane_loop{{$}}
// CHECK: finding barrier-divergent warning ptx line [[#@LINE+4]]:
extern "C" __global__ void in_lane_loop(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    out[i] += 1;
    __syncthreads();
  }
  out[threadIdx.x + n] = 1;
}

// CHECK-LABEL: kernel in_uniform_loop{{$}}
// CHECK: ptx opcode bar.sync
// CHECK-NOT: finding
extern "C" __global__ void in_uniform_loop(int* out, int n) {
  for (int i = 0; i < n; ++i) {
    if (threadIdx.x < i) out[threadIdx.x] += i;
    __syncthreads();
  }
}

// CHECK-LABEL: kernel under_branch{{$}}
// CHECK: finding barrier-divergent warning ptx line [[#@LINE+6]]: the branch of line [[#@LINE+4]]
extern "C" __global__ void under_branch(int* out, int n) {
  __shared__ int word;
  word = n;
  if (threadIdx.x < n) {
    out[n] = 1;
    __syncthreads();
  }
  out[threadIdx.x] = word;
}

// The count of all threads is the same for each of them.
// CHECK-LABEL: kernel under_vote{{$}}
// CHECK: ptx opcode bar.
// CHECK-NOT: finding
extern "C" __global__ void under_vote(int* out, int n) {
  if (__syncthreads_or(threadIdx.x < n)) {
    out[threadIdx.x] = 1;
    __syncthreads();
  }
  out[threadIdx.x + n] = out[threadIdx.x];
}
