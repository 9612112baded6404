// SPDX-License-Identifier: Apache-2.0
// Sorting by three keys with a payload (document C): an element whose order is above 0 goes before
// one whose order is not; of two of the former the higher level goes first, of equal levels the
// higher value. Elements of the latter kind are all alike and keep their order among each other, as
// do those equal in all.
//
// Memory holds rows of n words: orders and levels (signed), values (float), then the columns of
// the payload. Values are compared by their total order (IEEE 754-2019, 5.10), so that +NaN is the
// highest.
#pragma once

#include "ptx/device/neighbour_sort.cuh"

namespace ptxlab::device {

inline constexpr unsigned key_rows = 3;

/// The keys of one element as numbers that are compared: later goes first.
struct precedence {
  bool placed;                ///< order is above 0
  unsigned long long height;  ///< level, then value; 0 where not placed

  __device__ __forceinline__ precedence(int order, int level, unsigned value)
      : placed(order > 0),
        height(order > 0
                   ? static_cast<unsigned long long>(static_cast<unsigned>(level) ^ 0x80000000U)
                             << 32 |
                         total_order::coded(value)
                   : 0) {}
  __device__ __forceinline__ bool before(const precedence& other) const {
    return (placed && !other.placed) || (placed == other.placed && height > other.height);
  }
};

__device__ __forceinline__ precedence precedence_at(const unsigned* words, unsigned n, unsigned i) {
  return {static_cast<int>(words[i]), static_cast<int>(words[n + i]), words[2 * n + i]};
}

/// Puts two neighbours in order, with all that belongs to them; true where that was an exchange.
template <unsigned Columns>
__device__ __forceinline__ bool put_elements_in_order(unsigned* words, unsigned n, unsigned i) {
  bool const wrong = precedence_at(words, n, i + 1).before(precedence_at(words, n, i));
  if (wrong) {
#pragma unroll  // all loads before the first store
    for (unsigned row = 0; row < key_rows + Columns; ++row) {
      unsigned* const at = words + static_cast<unsigned long long>(row) * n + i;
      unsigned const a = at[0], b = at[1];
      at[0] = b;
      at[1] = a;
    }
  }
  return wrong;
}

/// One pass over n elements in global memory; how many this thread exchanged.
template <unsigned Columns>
__device__ __forceinline__ unsigned pass_over_elements(unsigned* words, unsigned n, unsigned pass) {
  unsigned exchanges = 0;
  unsigned const step = 2 * gridDim.x * blockDim.x;
#pragma unroll 1  // all words of a pair are in flight already
  for (unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + pass % 2; i + 1 < n; i += step)
    exchanges += put_elements_in_order<Columns>(words, n, i);
  return exchanges;
}

/// Adds the elements of order 0 to `counts`. Each thread counts those that an even pass of its own
/// touches, so that it may stand just before one.
__device__ __forceinline__ void count_zero_orders(const unsigned* words, unsigned n,
                                                  sort_counts* counts) {
  unsigned found = 0;
  unsigned const step = 2 * gridDim.x * blockDim.x;
#pragma unroll 1  // once: small rather than fast
  for (unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += step) {
    found += words[i] == 0;
    if (i + 1 < n) found += words[i + 1] == 0;
  }
  if (found != 0) atomicAdd(&counts->zero_orders, found);
}

inline constexpr unsigned block_elements = 2048;  ///< of a sort by three keys in one block

/// Sorts up to block_elements elements: keys and numbers in shared memory, the payload moved once.
/// Ends after two passes without a change.
template <unsigned Columns>
__device__ __forceinline__ void sort_elements(const unsigned* from, unsigned* to,
                                              sort_counts* counts, unsigned n) {
  __shared__ unsigned long long height[block_elements];
  __shared__ unsigned number[block_elements];  // twice the number, and 1 where it is not placed
  unsigned const all = n;
  n = min(n, block_elements);
  count_zero_orders(from, n, counts);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    precedence const p = precedence_at(from, all, i);
    height[i] = p.height;
    number[i] = 2 * i + !p.placed;
  }
  __syncthreads();
  unsigned long long const start = clock64_now();
  unsigned pass = 0, unchanged = 0, exchanges = 0;
#pragma unroll 1  // one copy of the pass
  while (pass < n && unchanged < 2) {
    bool change = false;
    for (unsigned i = 2 * threadIdx.x + pass % 2; i + 1 < n; i += 2 * blockDim.x) {
      unsigned long long const a = height[i], b = height[i + 1];
      unsigned const of_a = number[i], of_b = number[i + 1];
      // b goes first. An element that is not placed has height 0.
      if (of_a % 2 > of_b % 2 || b > a) {
        height[i] = b;
        height[i + 1] = a;
        number[i] = of_b;
        number[i + 1] = of_a;
        change = true;
        ++exchanges;
      }
    }
    unchanged = __syncthreads_or(change) != 0 ? 0 : unchanged + 1;
    ++pass;
  }
  tell_passes(counts, start, pass);
  if (exchanges != 0) atomicAdd(&counts->exchanges, exchanges);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) {
    unsigned const origin = number[i] / 2;
#pragma unroll  // all loads before the first store
    for (unsigned row = 0; row < key_rows + Columns; ++row)
      to[row * all + i] = from[row * all + origin];
  }
}

}  // namespace ptxlab::device
