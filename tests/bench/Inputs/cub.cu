// SPDX-License-Identifier: Apache-2.0
// A large input that real code makes: CUB's reduction, scan, radix sort and selection.
#include <cub/cub.cuh>

struct is_odd {
  __device__ bool operator()(int x) const { return (x & 1) != 0; }
};

template <typename Key, typename Value>
cudaError_t run(void* temporary, size_t bytes, Key* keys, Key* sorted, Value* values,
                Value* moved, int* count, int n) {
  cub::DeviceReduce::Sum(temporary, bytes, values, moved, n);
  cub::DeviceScan::InclusiveSum(temporary, bytes, values, moved, n);
  cub::DeviceRadixSort::SortPairs(temporary, bytes, keys, sorted, values, moved, n);
  return cub::DeviceSelect::If(temporary, bytes, keys, sorted, count, n, is_odd());
}

cudaError_t run_all(void* temporary, size_t bytes, unsigned* keys, unsigned* sorted, float* values,
                    float* moved, unsigned long long* wide, double* doubles, int* count, int n) {
  run(temporary, bytes, keys, sorted, values, moved, count, n);
  return run(temporary, bytes, wide, wide, doubles, doubles, count, n);
}
