// SPDX-License-Identifier: Apache-2.0
// warp-sync-missing: lanes that read each other; not with __syncwarp, not their own elements, and not one that
// reads before it writes.
//
// RUN: %ptxlab inspect %s --arch sm_90 --format facts > %t
// RUN: %FileCheck %s --input-file %t

// CHECK-LABEL: kernel another_lane{{$}}
// CHECK: finding warp-sync-missing warning {{ptx|source}} line [[#@LINE+4]]: reads the element of another lane
extern "C" __global__ void another_lane(int* out, const int* a) {
  __shared__ int words[64];
  words[threadIdx.x] = a[threadIdx.x];
  out[threadIdx.x] = words[threadIdx.x + 1];
}

// CHECK-LABEL: kernel another_lane_synced{{$}}
// CHECK: ptx opcode bar.warp.sync 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void another_lane_synced(int* out, const int* a) {
  __shared__ int words[64];
  words[threadIdx.x] = a[threadIdx.x];
  __syncwarp();
  out[threadIdx.x] = words[threadIdx.x + 1];
}

// Four words for each thread: the next word is its own.
// CHECK-LABEL: kernel own_words{{$}}
// CHECK: ptx opcode st.{{.*}}shared
// CHECK-NOT: finding
extern "C" __global__ void own_words(int* out, const int* a, int n) {
  __shared__ volatile int words[256];  // volatile: so that the accesses stay
  words[4 * threadIdx.x] = a[threadIdx.x];
  words[4 * threadIdx.x + 1] = n;
  out[threadIdx.x] = words[4 * threadIdx.x] + words[4 * threadIdx.x + 1];
}

// CHECK-LABEL: kernel read_first{{$}}
// CHECK: ptx opcode bar.sync 1{{$}}
// CHECK-NOT: finding
extern "C" __global__ void read_first(int* out, const int* a) {
  __shared__ volatile int words[64];  // volatile: so that the accesses stay
  words[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  int const next = words[threadIdx.x + 1];
  words[threadIdx.x] = next;
  out[threadIdx.x] = words[threadIdx.x];
}
