// SPDX-License-Identifier: Apache-2.0
// What CUB does for a block and a warp, and Thrust in one thread, behind kernels of our own.
#include <cub/cub.cuh>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/set_operations.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

namespace {

constexpr int threads = 128, items = 4, tile = threads * items;

// A thread's items, blocked; what lies behind n is `rest`.
template <typename T>
__device__ void load(T (&x)[items], const T* in, int n, T rest) {
  for (int i = 0; i < items; ++i) {
    int const at = static_cast<int>(threadIdx.x) * items + i;
    x[i] = at < n ? in[at] : rest;
  }
}
template <typename T>
__device__ void store(const T (&x)[items], T* out, int n) {
  for (int i = 0; i < items; ++i) {
    int const at = static_cast<int>(threadIdx.x) * items + i;
    if (at < n) out[at] = x[i];
  }
}

}  // namespace

extern "C" __global__ void block_reduce(int* out, const int* in, int n) {
  using reduce = cub::BlockReduce<int, threads>;
  __shared__ typename reduce::TempStorage storage;
  int x[items];
  load(x, in, n, 0);
  int const sum = reduce(storage).Sum(x);
  __syncthreads();
  int const largest = reduce(storage).Reduce(x, [](int a, int b) { return a < b ? b : a; });
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = largest;
  }
}

extern "C" __global__ void block_scan(int* out, const int* in, int n) {
  using scan = cub::BlockScan<int, threads>;
  __shared__ typename scan::TempStorage storage;
  int x[items], sums[items];
  load(x, in, n, 0);
  scan(storage).ExclusiveSum(x, sums);
  store(sums, out, n);
}

extern "C" __global__ void block_sort(unsigned* out, unsigned* values_out, const unsigned* in,
                                      const unsigned* values, int n) {
  using sort = cub::BlockRadixSort<unsigned, threads, items, unsigned>;
  __shared__ typename sort::TempStorage storage;
  unsigned keys[items], payload[items];
  load(keys, in, n, ~0U);
  load(payload, values, n, 0U);
  sort(storage).Sort(keys, payload);
  store(keys, out, n);
  store(payload, values_out, n);
}

extern "C" __global__ void block_sort_floats(float* out, const float* in, int n) {
  using sort = cub::BlockRadixSort<float, threads, items>;
  __shared__ typename sort::TempStorage storage;
  float keys[items];
  load(keys, in, n, -1e30F);
  sort(storage).SortDescending(keys);
  store(keys, out, n);
}

// Keeps the odd numbers, in order; out[n] is how many.
extern "C" __global__ void block_select(int* out, const int* in, int n) {
  using scan = cub::BlockScan<int, threads>;
  __shared__ typename scan::TempStorage storage;
  int x[items], kept[items], places[items], all;
  load(x, in, n, 0);
  for (int i = 0; i < items; ++i) kept[i] = x[i] & 1;
  scan(storage).ExclusiveSum(kept, places, all);
  for (int i = 0; i < items; ++i)
    if (kept[i]) out[places[i]] = x[i];
  if (threadIdx.x == 0) out[n] = all;
}

extern "C" __global__ void block_histogram(unsigned* out, const unsigned char* in, int n) {
  using histogram = cub::BlockHistogram<unsigned char, threads, items, 256>;
  __shared__ typename histogram::TempStorage storage;
  __shared__ unsigned counts[256];
  unsigned char x[items];
  load(x, in, n, static_cast<unsigned char>(255));
  histogram(storage).Histogram(x, counts);
  __syncthreads();
  for (unsigned i = threadIdx.x; i < 256; i += blockDim.x) out[i] = counts[i];
}

// Each warp on its own: sum, exclusive scan, and a stable sort.
extern "C" __global__ void warps(int* sums, int* scanned, int* sorted, const int* in, int n) {
  __shared__ typename cub::WarpReduce<int>::TempStorage reduce[threads / 32];
  __shared__ typename cub::WarpScan<int>::TempStorage scan[threads / 32];
  __shared__ typename cub::WarpMergeSort<int, 1>::TempStorage sort[threads / 32];
  int const w = static_cast<int>(threadIdx.x) / 32, t = static_cast<int>(threadIdx.x);
  int const x = t < n ? in[t] : 0;
  int const sum = cub::WarpReduce<int>(reduce[w]).Sum(x);
  if (t % 32 == 0) sums[w] = sum;
  int before;
  cub::WarpScan<int>(scan[w]).ExclusiveSum(x, before);
  scanned[t] = before;
  int keys[1] = {x};
  cub::WarpMergeSort<int, 1>(sort[w]).Sort(keys, [](int a, int b) { return a < b; });
  sorted[t] = keys[0];
}

// One thread; x is sorted in place. Results: sum, number of different values, of a union.
extern "C" __global__ void thrust_in_a_thread(int* x, int* scanned, int* different, int* both,
                                              int* results, const int* other, int n, int m) {
  thrust::inclusive_scan(thrust::seq, x, x + n, scanned);
  thrust::stable_sort(thrust::seq, x, x + n);
  results[0] = thrust::reduce(thrust::seq, x, x + n);
  results[1] = static_cast<int>(thrust::unique_copy(thrust::seq, x, x + n, different) - different);
  results[2] =
      static_cast<int>(thrust::set_union(thrust::seq, x, x + n, other, other + m, both) - both);
}
