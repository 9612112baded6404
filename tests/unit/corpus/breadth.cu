// SPDX-License-Identifier: Apache-2.0
// Corpus of the PTX reader: what libraries and intrinsics bring into PTX beyond arithmetic.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <mma.h>

#include <cstdio>

#pragma nv_diag_suppress static_var_with_dynamic_init

namespace cg = cooperative_groups;

extern "C" __global__ void groups(int* data) {
  const auto grid = cg::this_grid();
  const auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const int sum = cg::reduce(tile, data[grid.thread_rank()], cg::plus<int>());
  grid.sync();
  if (tile.thread_rank() == 0) data[grid.thread_rank()] = sum + tile.shfl(sum, 3);
  const auto active = cg::coalesced_threads();
  if (active.any(sum > 4)) data[0] = active.size();
}

extern "C" __global__ void atomics(int* counter, unsigned long long* flag, float* sum, int* out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> count(*counter);
  cuda::atomic_ref<unsigned long long, cuda::thread_scope_system> ready(*flag);
  count.fetch_add(1, cuda::std::memory_order_release);
  while (ready.load(cuda::std::memory_order_acquire) == 0) __nanosleep(20);
  int expected = 4;
  while (!count.compare_exchange_weak(expected, 5)) expected = 4;
  count.wait(7);
  cuda::atomic_ref<float, cuda::thread_scope_block>(*sum).fetch_add(1.5f);
  cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
  out[threadIdx.x] = count.fetch_max(3);
}

extern "C" __global__ void matrices(const half* a, const half* b, float* c) {
  using namespace nvcuda;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
  wmma::fill_fragment(fc, 0.0f);
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::mma_sync(fc, fa, fb, fc);
  wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);
}

extern "C" __global__ void copies(const int4* from, int4* to) {
  __shared__ int4 stage[256];
  __shared__ cuda::barrier<cuda::thread_scope_block> arrived;
  if (threadIdx.x == 0) init(&arrived, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&stage[threadIdx.x], &from[threadIdx.x], sizeof(int4), arrived);
  arrived.arrive_and_wait();
  to[threadIdx.x] = stage[255 - threadIdx.x];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, stage, from + 256, sizeof(int4) * 256);
  cg::wait(block);
  to[threadIdx.x + 256] = stage[threadIdx.x];
}

__device__ __noinline__ int depth(int n) { return n == 0 ? 0 : 1 + depth(n / 2); }

using operation = int (*)(int);
__device__ operation operations[2] = {depth, depth};

extern "C" __global__ void calls(int n, int* out) {
  switch (n) {
    case 0: out[0] = __popc(n); break;
    case 1: out[1] = __brev(n); break;
    case 2: out[2] = depth(n); break;
    case 3: out[3] = operations[n & 1](n); break;
    case 4: out[4] = __vabsdiffs4(n, 5); break;
    case 5: out[5] = __dp4a(n, 3, n); break;
    case 6: out[6] = clock() + static_cast<int>(clock64()); break;
    default: printf("%d of %s %f\n", n, "eight", 8.0 * n);
  }
}
