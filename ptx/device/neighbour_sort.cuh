// SPDX-License-Identifier: Apache-2.0
// Odd-even transposition sort (neighbour sort; Habermann, 1972): pass 0, 2, ... compares keys
// (0, 1), (2, 3), ..., pass 1, 3, ... compares (1, 2), (3, 4), ..., and each exchanges those that
// stand in the wrong order. n passes sort n keys.
//
// What a pass does to a key depends on its neighbours only. So whoever holds h keys more on each
// side than it answers for can do h passes without asking anybody: a warp between two barriers of
// its block, a block between two barriers of the grid or two launches.
#pragma once

#include "ptx/device/sort_counts.hpp"
#include "ptx/device/timing.cuh"

namespace ptxlab::device {

/// Keys as they are.
struct unsigned_order {
  static __device__ __forceinline__ unsigned coded(unsigned key) { return key; }
  static __device__ __forceinline__ unsigned decoded(unsigned key) { return key; }
};

/// Bits of a float as a number that grows with it: the total order of IEEE 754-2019, 5.10. So -NaN
/// comes first, then -inf, ..., -0, +0, ..., +inf, and +NaN last.
struct total_order {
  static __device__ __forceinline__ unsigned coded(unsigned bits) {
    return bits ^ ((bits >> 31) != 0 ? 0xffffffffU : 0x80000000U);
  }
  static __device__ __forceinline__ unsigned decoded(unsigned key) {
    return key ^ ((key >> 31) != 0 ? 0x80000000U : 0xffffffffU);
  }
};

/// Puts two neighbours in order; true where that was an exchange.
__device__ __forceinline__ bool put_in_order(unsigned* left) {
  unsigned const a = left[0], b = left[1];
  bool const wrong = b < a;
  if (wrong) {
    left[0] = b;
    left[1] = a;
  }
  return wrong;
}

/// The same, and stores both, whether or not they stay.
__device__ __forceinline__ void store_in_order(unsigned& left, unsigned& right) {
  unsigned const a = left, b = right;
  left = min(a, b);
  right = max(a, b);
}

// --- in registers --------------------------------------------------------------------------------

/// 32 K neighbouring keys in a warp, K in each lane. The outermost E lanes on each side hold what
/// belongs to the warps beside it, which is good for E K passes.
template <unsigned K, unsigned E>
struct warp_row {
  static_assert(K % 2 == 0 && E >= 1 && E <= 8);
  static constexpr unsigned reach = E * K, owned = 32 * K - 2 * reach;
  static constexpr unsigned smallest = 0, largest = 0xffffffffU;  ///< stand beyond both ends
  static constexpr unsigned whole_warp = 0xffffffffU;

  unsigned key[K];

  static __device__ __forceinline__ unsigned lane() { return threadIdx.x % 32; }
  /// Where key `j` of this lane stands; key 0 of lane 0 stands at `first`.
  static __device__ __forceinline__ int place(int first, unsigned j) {
    return first + static_cast<int>(lane() * K + j);
  }

  template <typename Order>
  __device__ __forceinline__ void load(const unsigned* from, int n, int first) {
#pragma unroll  // keys stay in registers
    for (unsigned j = 0; j < K; ++j) {
      int const at = place(first, j);
      key[j] = at < 0 ? smallest : largest;
      if (at >= 0 && at < n) key[j] = Order::coded(from[at]);
    }
  }
  /// Those at places from `begin` up to `end`.
  template <typename Order>
  __device__ __forceinline__ void store(unsigned* to, int first, int begin, int end) const {
#pragma unroll  // keys stay in registers
    for (unsigned j = 0; j < K; ++j) {
      int const at = place(first, j);
      if (at >= begin && at < end) to[at] = Order::decoded(key[j]);
    }
  }

  /// Gathers in `change`, if Looks, the bits in which the left one of a pair has become another.
  template <bool Looks>
  static __device__ __forceinline__ void order(unsigned& a, unsigned& b, unsigned& change) {
    unsigned const low = min(a, b);
    if constexpr (Looks) change |= a ^ low;
    b = max(a, b);
    a = low;
  }
  /// An even pass and an odd one. What others wait for comes first: a shuffle takes about as long
  /// as the minima and maxima that stand between it and its use. The outermost lanes of the warp
  /// have nobody beyond them and get a key of their own for one, which spoils the outermost
  /// borrowed key. Those beyond both ends of all keys are alike: nothing can spoil them.
  template <bool Looks = false>
  __device__ __forceinline__ void two_passes(unsigned& change) {
    order<Looks>(key[0], key[1], change);
    if constexpr (K > 2) order<Looks>(key[K - 2], key[K - 1], change);
    unsigned const behind = __shfl_down_sync(whole_warp, key[0], 1);
    unsigned const before = __shfl_up_sync(whole_warp, key[K - 1], 1);
#pragma unroll  // keys stay in registers
    for (unsigned j = 2; j + 2 < K; j += 2) order<Looks>(key[j], key[j + 1], change);
#pragma unroll  // keys stay in registers
    for (unsigned j = 1; j + 1 < K; j += 2) order<Looks>(key[j], key[j + 1], change);
    unsigned const last = min(key[K - 1], behind);
    if constexpr (Looks) change |= key[K - 1] ^ last;
    key[K - 1] = last;
    key[0] = max(before, key[0]);
  }
  /// As many passes as the borrowed keys are good for; if Looks, not 0 where the last two changed a
  /// pair of this lane, or the one that it shares with the next lane.
  template <bool Looks>
  __device__ __forceinline__ unsigned passes() {
    unsigned change = 0;
#pragma unroll 5  // some of them: the code is to fit the instruction cache
    for (unsigned i = Looks ? 2 : 0; i < reach; i += 2) two_passes(change);
    if constexpr (Looks) two_passes<true>(change);
    return change;
  }
};

// Two words of shared memory at a time, at a 32-bit address. `volatile` and "memory": other warps
// read and write them.
__device__ __forceinline__ void st_shared_v2_u32(unsigned address, unsigned a, unsigned b) {
  asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(address), "r"(a), "r"(b) : "memory");
}
__device__ __forceinline__ void ld_shared_v2_u32(unsigned address, unsigned& a, unsigned& b) {
  asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(address) : "memory");
}

/// What the warps of a block give each other: for each its first and its last own keys, in pairs of
/// neighbours. One half is read while the other one is written.
template <unsigned K, unsigned E>
struct alignas(8) row_edges {
  static constexpr unsigned most_warps = 32;
  unsigned key[2][most_warps][2][E * K];

  /// The address of the first pair of one lane.
  __device__ __forceinline__ unsigned at(unsigned warp, bool last, unsigned lane) {
    return static_cast<unsigned>(__cvta_generic_to_shared(&key[0][warp][last][2 * lane]));
  }
  static constexpr unsigned half_bytes = sizeof(unsigned) * most_warps * 2 * E * K;
  static constexpr unsigned pair_bytes =
      sizeof(unsigned) * 2 * E;  ///< from a lane's pair to the next
};

/// A row over all warps of a block. What the outermost warps borrow beyond the block is good for
/// `reach` passes only, unless nothing stands there.
template <unsigned K, unsigned E>
struct block_row {
  using row = warp_row<K, E>;
  using memory = row_edges<K, E>;
  static constexpr unsigned reach = row::reach;
  static constexpr unsigned nowhere = 0xffffffffU;

  row keys;
  int first;                                      ///< where key 0 of this warp stands
  unsigned give_at = nowhere, take_at = nowhere;  ///< this lane's addresses
  unsigned to_other_half = memory::half_bytes;

  /// Its first own key stands at `begin`.
  __device__ __forceinline__ block_row(memory& edges, int begin)
      : first(begin + static_cast<int>(warp() * row::owned) - static_cast<int>(reach)) {
    unsigned const l = row::lane(), warps = blockDim.x / 32;
    if (l >= E && l < 2 * E) give_at = edges.at(warp(), false, l - E);
    if (l >= 32 - 2 * E && l < 32 - E) give_at = edges.at(warp(), true, l - (32 - 2 * E));
    if (l < E && warp() > 0) take_at = edges.at(warp() - 1, true, l);
    if (l >= 32 - E && warp() + 1 < warps) take_at = edges.at(warp() + 1, false, l - (32 - E));
    // Through a shuffle, ptxas does not know what they are. Else it computes them again for every
    // use, from a special register (SR_CgaCtaId) that takes tens of cycles to read.
    give_at = __shfl_sync(row::whole_warp, give_at, l);
    take_at = __shfl_sync(row::whole_warp, take_at, l);
  }

  static __device__ __forceinline__ unsigned warp() { return threadIdx.x / 32; }

  template <typename Order>
  __device__ __forceinline__ void load(const unsigned* from, int n) {
    keys.template load<Order>(from, n, first);
  }
  /// Own keys at places from `begin` up to `end`.
  template <typename Order>
  __device__ __forceinline__ void store(unsigned* to, int begin, int end) const {
    int const own = first + static_cast<int>(reach);
    keys.template store<Order>(to, first, max(begin, own),
                               min(end, own + static_cast<int>(row::owned)));
  }

  /// Passes until borrowed keys are used up; if Looks, true where the last two changed a key of
  /// this lane, if that stands at a place from `begin` up to `end`, multiples of K.
  template <bool Looks>
  __device__ __forceinline__ bool passes(int begin, int end) {
    bool const change = keys.template passes<Looks>() != 0;
    int const at = row::place(first, 0);
    return Looks && change && at >= begin && at < end;
  }
  /// Behind it the borrowed keys are as good as new.
  __device__ __forceinline__ void borrow() {
    give();
    __syncthreads();
    take();
  }
  /// The same, unless `change` is false in all threads: then false, and nothing is borrowed.
  __device__ __forceinline__ bool borrow_if(bool change) {
    give();
    if (__syncthreads_or(change) == 0) return false;
    take();
    return true;
  }

 private:
  __device__ __forceinline__ void give() {
    if (give_at == nowhere) return;
#pragma unroll  // keys stay in registers
    for (unsigned j = 0; j < K; j += 2)
      st_shared_v2_u32(give_at + j / 2 * memory::pair_bytes, keys.key[j], keys.key[j + 1]);
    give_at += to_other_half;
  }
  __device__ __forceinline__ void take() {
    if (take_at != nowhere) {
#pragma unroll  // keys stay in registers
      for (unsigned j = 0; j < K; j += 2)
        ld_shared_v2_u32(take_at + j / 2 * memory::pair_bytes, keys.key[j], keys.key[j + 1]);
      take_at += to_other_half;
    }
    to_other_half = 0U - to_other_half;
  }
};

// --- one block -----------------------------------------------------------------------------------

/// Whether a sort goes on for n passes, or ends once as many passes behind each other as named
/// changed nothing. Two are needed: one pass looks at every second pair only, so that {0, 2, 1, 3}
/// passes an even one unchanged. Two look at all pairs.
enum class stopping : unsigned { never = 0, after_one = 1, after_two = 2 };

/// What one thread of the block writes at the end.
__device__ __forceinline__ void tell_passes(sort_counts* counts, unsigned long long start,
                                            unsigned passes) {
  if (threadIdx.x != 0) return;
  counts->cycles = clock64_now() - start;
  counts->passes = passes;
}

/// Sorts n keys by one block of n / row::owned warps or more.
template <unsigned K, unsigned E, typename Order, stopping Stop = stopping::never>
__device__ __forceinline__ void sort_in_registers(const unsigned* from, unsigned* to,
                                                  sort_counts* counts, unsigned n) {
  __shared__ row_edges<K, E> edges;
  block_row<K, E> row(edges, 0);
  row.template load<Order>(from, static_cast<int>(n));
  __syncthreads();  // all keys are there before the clock starts
  unsigned long long const start = clock64_now();
  unsigned passes = 0;
#pragma unroll 1  // the passes are unrolled inside
  while (passes < n) {
    constexpr bool looks = Stop != stopping::never;
    bool const change = row.template passes<looks>(0, static_cast<int>(n));
    passes += row.reach;
    if (passes >= n) break;
    if constexpr (!looks)
      row.borrow();
    else if (!row.borrow_if(change))
      break;
  }
  __syncthreads();  // all warps are done before the clock stops
  tell_passes(counts, start, passes);
  row.template store<Order>(to, 0, static_cast<int>(n));
}

inline constexpr unsigned block_keys = 8192;  ///< of a sort in shared memory
inline constexpr unsigned pair_keys = 2048;   ///< of one with a pair for each thread

/// Sorts up to block_keys keys in shared memory, a barrier for each pass.
template <stopping Stop = stopping::never, bool Counts = false>
__device__ __forceinline__ void sort_in_shared_memory(const unsigned* from, unsigned* to,
                                                      sort_counts* counts, unsigned n) {
  __shared__ unsigned key[block_keys];
  n = min(n, block_keys);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) key[i] = from[i];
  __syncthreads();
  unsigned long long const start = clock64_now();
  unsigned pass = 0, unchanged = 0, exchanges = 0;
#pragma unroll 1  // one copy: what a pass costs is the question
  for (; pass < n; ++pass) {
    bool change = false;
    for (unsigned i = 2 * threadIdx.x + pass % 2; i + 1 < n; i += 2 * blockDim.x) {
      bool const exchanged = put_in_order(key + i);
      change |= exchanged;
      if constexpr (Counts) exchanges += exchanged;
    }
    if constexpr (Stop == stopping::never) {
      __syncthreads();
    } else {
      unchanged = __syncthreads_or(change) != 0 ? 0 : unchanged + 1;
      if (unchanged == static_cast<unsigned>(Stop)) {
        ++pass;
        break;
      }
    }
  }
  tell_passes(counts, start, pass);
  if constexpr (Counts) {
    if (exchanges != 0) atomicAdd(&counts->exchanges, exchanges);
  }
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) to[i] = key[i];
}

/// Where in shared memory the key at `place` stands: neighbours beside each other, or all even
/// places before all odd ones, so that no two lanes of a warp meet in a bank; also where a warp
/// reads 32 neighbours, since the odd ones begin half of the banks further.
template <bool Split>
__device__ __forceinline__ unsigned word_of(unsigned place) {
  return Split ? place % 2 * (pair_keys / 2 + 16) + place / 2 : place;
}

/// The same for up to two keys a thread, an even and an odd pass written out: where a thread's keys
/// stand is known beforehand, and both are stored whether or not they stay.
template <bool Split>
__device__ __forceinline__ void sort_unrolled(const unsigned* from, unsigned* to,
                                              sort_counts* counts, unsigned n) {
  __shared__ unsigned key[pair_keys + 16];
  n = min(n, 2 * blockDim.x);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) key[word_of<Split>(i)] = from[i];
  __syncthreads();
  unsigned const mine = 2 * threadIdx.x;
  unsigned* const first = key + word_of<Split>(mine);
  unsigned* const second = key + word_of<Split>(mine + 1);
  unsigned* const third = key + word_of<Split>(mine + 2);
  unsigned long long const start = clock64_now();
  unsigned pass = 0;
#pragma unroll 1  // one copy: what a pass costs is the question
  for (; pass < n; pass += 2) {
    if (mine + 1 < n) store_in_order(*first, *second);
    __syncthreads();
    if (mine + 2 < n) store_in_order(*second, *third);
    __syncthreads();
  }
  tell_passes(counts, start, pass);
  for (unsigned i = threadIdx.x; i < n; i += blockDim.x) to[i] = key[word_of<Split>(i)];
}

// --- many blocks ---------------------------------------------------------------------------------

/// One pass over n keys in global memory, a pair for each thread, or several where the grid is
/// smaller; how many this thread exchanged.
__device__ __forceinline__ unsigned pass_in_global_memory(unsigned* keys, unsigned n,
                                                          unsigned pass) {
  unsigned exchanges = 0;
  unsigned const step = 2 * gridDim.x * blockDim.x;
  for (unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + pass % 2; i + 1 < n; i += step)
    exchanges += put_in_order(keys + i);
  return exchanges;
}

/// How a block does `rounds` rounds of passes between two meetings of all blocks. What it holds at
/// both ends beyond its own is used up by then.
template <unsigned K, unsigned E, unsigned Rounds>
struct tile {
  using row = block_row<K, E>;
  static constexpr unsigned passes = Rounds * row::reach;
  static constexpr unsigned borrowed = 2 * (passes - row::reach);  ///< more than its warps' edges

  /// Own keys of a block.
  static __device__ __forceinline__ int owned() {
    return static_cast<int>(blockDim.x / 32 * row::row::owned - borrowed);
  }
  /// From memory to memory; if Looks, true where the last two passes changed an own key that this
  /// thread holds.
  template <bool Looks>
  static __device__ __forceinline__ bool done(row_edges<K, E>& edges, const unsigned* from,
                                              unsigned* to, int n) {
    int const begin = static_cast<int>(blockIdx.x) * owned();
    row r(edges, begin - static_cast<int>(borrowed / 2));
    r.template load<unsigned_order>(from, n);
#pragma unroll 1  // the passes are unrolled inside
    for (unsigned i = 1; i < Rounds; ++i) {
      r.template passes<false>(0, 0);
      r.borrow();
    }
    bool const change = r.template passes<Looks>(begin, begin + owned());
    r.template store<unsigned_order>(to, begin, min(n, begin + owned()));
    return change;
  }
};

}  // namespace ptxlab::device
