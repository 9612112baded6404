// SPDX-License-Identifier: Apache-2.0
// CUB's algorithms for whole devices, as a program calls them: its host code sizes the temporary
// memory and launches its kernels. Arrays are of the device. Each returns the cudaError_t.
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace {

// CUB's own order: ask for the bytes, allocate just those, work.
template <typename F>
int in_two_calls(F const& work) {
  std::size_t bytes = 0;
  cudaError_t error = work(nullptr, bytes);
  void* storage = nullptr;
  if (error == cudaSuccess) error = cudaMalloc(&storage, bytes);
  if (error == cudaSuccess) error = work(storage, bytes);
  cudaError_t const freed = cudaFree(storage);
  return error == cudaSuccess ? freed : error;
}

struct multiple_of_three {
  __device__ bool operator()(int x) const { return x % 3 == 0; }
};

// Keys of 16 bits are sorted in passes of upsweep, scan and downsweep by devices up to sm_89; what
// is compiled for sm_90 would take one sweep. So CUB is told to take its choices for sm_80.
struct as_before_sm_90 : cub::detail::radix::policy_hub<unsigned short, cub::NullType, unsigned> {
  using MaxPolicy = Policy800;
};

}  // namespace

extern "C" {

int sort_keys(const unsigned* in, unsigned* out, int n, int begin_bit, int end_bit) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortKeys(storage, bytes, in, out, n, begin_bit, end_bit);
  });
}

int sort_short_keys(const unsigned short* in, unsigned short* out, int n, int begin_bit,
                    int end_bit) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    cub::DoubleBuffer<unsigned short> keys(const_cast<unsigned short*>(in), out);
    cub::DoubleBuffer<cub::NullType> values;
    using dispatch =
        cub::DispatchRadixSort<cub::SortOrder::Ascending, unsigned short, cub::NullType, unsigned,
                               cub::detail::identity_decomposer_t, as_before_sm_90>;
    return dispatch::Dispatch(storage, bytes, keys, values, static_cast<unsigned>(n), begin_bit,
                              end_bit, false, nullptr);
  });
}

int sort_pairs(const unsigned* keys, unsigned* keys_out, const unsigned* values,
               unsigned* values_out, int n, int begin_bit, int end_bit) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, keys, keys_out, values, values_out, n,
                                           begin_bit, end_bit);
  });
}

// CUB may use both buffers of each; *selected is the one that holds the result.
int sort_pairs_in_place(unsigned* keys[2], unsigned* values[2], int n, int begin_bit, int end_bit,
                        int* selected) {
  cub::DoubleBuffer<unsigned> k(keys[0], keys[1]), v(values[0], values[1]);
  int const error = in_two_calls([&](void* storage, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(storage, bytes, k, v, n, begin_bit, end_bit);
  });
  *selected = k.selector == v.selector ? k.selector : -1;
  return error;
}

int select_flagged(const int* in, const char* flags, int* out, int* count, int n) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Flagged(storage, bytes, in, flags, out, count, n);
  });
}

int select_if(const int* in, int* out, int* count, int n) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::If(storage, bytes, in, out, count, n, multiple_of_three{});
  });
}

int select_unique(const int* in, int* out, int* count, int n) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceSelect::Unique(storage, bytes, in, out, count, n);
  });
}

int sum(const int* in, int* out, int n) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceReduce::Sum(storage, bytes, in, out, n);
  });
}

int exclusive_sum(const int* in, int* out, int n) {
  return in_two_calls([=](void* storage, std::size_t& bytes) {
    return cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n);
  });
}

}  // extern "C"
