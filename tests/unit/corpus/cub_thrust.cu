// SPDX-License-Identifier: Apache-2.0
// Corpus of the PTX reader: the largest kernels that users compile, from CUB and Thrust.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

struct is_even {
  __device__ bool operator()(unsigned x) const { return x % 2 == 0; }
};

void instantiate(void* scratch, std::size_t& bytes, unsigned* in, unsigned* out, int* kept, int n) {
  cub::DeviceReduce::Sum(scratch, bytes, in, out, n);
  cub::DeviceScan::ExclusiveSum(scratch, bytes, in, out, n);
  cub::DeviceRadixSort::SortPairs(scratch, bytes, in, out, in, out, n);
  cub::DeviceSelect::If(scratch, bytes, in, out, kept, n, is_even{});
  thrust::sort(thrust::device, thrust::device_pointer_cast(out),
               thrust::device_pointer_cast(out) + n);
}
