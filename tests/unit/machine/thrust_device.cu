// SPDX-License-Identifier: Apache-2.0
// Thrust's sort on a device, as a program calls it: numbers in their own order, which becomes CUB's
// radix sort, and in another, which becomes CUB's merge sort. Arrays are of the device. Each
// returns whether Thrust threw nothing.
// Half as many kernels to compile: numbers of elements are of 32 bits.
#define THRUST_FORCE_32_BIT_OFFSET_TYPE
#include <thrust/execution_policy.h>
#include <thrust/sort.h>

namespace {

// Many are equal under it, so that a sort that is not stable shows.
struct by_last_digits {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a % 100 < b % 100; }
};

template <typename F>
bool throws_nothing(F const& work) {
  try {
    work();
    return true;
  } catch (...) {
    return false;
  }
}

}  // namespace

extern "C" {

bool sort_numbers(unsigned* x, int n) {
  return throws_nothing([=] { thrust::sort(thrust::device, x, x + n); });
}

bool stable_sort_by(unsigned* x, int n) {
  return throws_nothing([=] { thrust::stable_sort(thrust::device, x, x + n, by_last_digits{}); });
}

bool sort_by_key(unsigned* keys, unsigned* values, int n) {
  return throws_nothing([=] {
    thrust::stable_sort_by_key(thrust::device, keys, keys + n, values, by_last_digits{});
  });
}

}  // extern "C"
