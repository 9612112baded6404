// SPDX-License-Identifier: Apache-2.0
// Marsaglia's xorwow ("Xorshift RNGs", 2003) for a whole grid: set-up of many states by powers of
// the step's matrix, and drawing, as cuRAND's generator of that name orders it.
//
// A state is five words and a counter. The words' step is linear over GF(2). The counter grows by
// the same number at each step and by a multiple of 2^67 from one subsequence to the next, which is
// 0 modulo 2^32: it follows from how many numbers were drawn, and no state in memory holds it.
#pragma once

#include "ptx/device/random_output.cuh"

namespace ptxlab::device {

inline constexpr unsigned xorwow_weyl = 362437;
inline constexpr unsigned xorwow_bits = 160;
/// Which power of two of the step leads to the next subsequence.
inline constexpr unsigned xorwow_subsequence = 67;

/// The words of one state.
struct xorwow_words {
  unsigned v[5];

  /// One step; the counter is still to be added.
  __device__ __forceinline__ unsigned step() {
    unsigned const t = v[0] ^ (v[0] >> 2);
    v[0] = v[1];
    v[1] = v[2];
    v[2] = v[3];
    v[3] = v[4];
    v[4] = (v[4] ^ (v[4] << 4)) ^ (t ^ (t << 1));
    return v[4];
  }
  /// Multiplies by a matrix: 160 rows of five words, what the map makes of each single bit, aligned
  /// to 16 bytes. All lanes read the same: four rows are five loads.
  __device__ __forceinline__ void map(const unsigned* matrix) {
    using four = side_by_side<unsigned, 4>;
    unsigned to[5] = {};
    auto const* at = reinterpret_cast<const four*>(matrix);
    for (int word = 0; word < 5; ++word) {
#pragma unroll 2  // ten loads at a time
      for (int bit = 0; bit < 32; bit += 4, at += 5) {
        four const rows[5] = {at[0], at[1], at[2], at[3], at[4]};
#pragma unroll  // four rows
        for (int r = 0; r < 4; ++r) {
          unsigned const taken = 0U - (v[0] >> (bit + r) & 1U);
#pragma unroll  // one row
          for (int k = 0; k < 5; ++k) to[k] ^= rows[(5 * r + k) / 4].of[(5 * r + k) % 4] & taken;
        }
      }
      // The word that comes next is always the first: no register is indexed.
      unsigned const done = v[0];
      v[0] = v[1];
      v[1] = v[2];
      v[2] = v[3];
      v[3] = v[4];
      v[4] = done;
    }
#pragma unroll  // five words
    for (int k = 0; k < 5; ++k) v[k] = to[k];
  }
};

/// The words and the counter that cuRAND makes of a seed (curand_kernel.h, curand_init).
struct xorwow_seed {
  xorwow_words words;
  unsigned counter;

  __device__ explicit xorwow_seed(unsigned long long seed) {
    unsigned const low = 1099087573U * (static_cast<unsigned>(seed) ^ 0xaad26b49U);
    unsigned const high = 2591861531U * (static_cast<unsigned>(seed >> 32) ^ 0xf7dcefddU);
    words = {
        {123456789U + low, 362436069U ^ low, 521288629U + high, 88675123U ^ high, 5783321U + low}};
    counter = 6615241U + high + low;
  }
};

/// `words` of subsequence `subsequence`, `steps` steps on. `powers` holds the matrices of 2^i steps
/// for i = 0 to 98.
__device__ __forceinline__ void xorwow_skip(xorwow_words& words, const unsigned* powers,
                                            unsigned subsequence, unsigned long long steps) {
  unsigned const* matrix = powers + xorwow_subsequence * xorwow_bits * 5;
  for (; subsequence != 0; subsequence >>= 1, matrix += xorwow_bits * 5)
    if ((subsequence & 1) != 0) words.map(matrix);
  matrix = powers;
  for (; steps != 0; steps >>= 1, matrix += xorwow_bits * 5)
    if ((steps & 1) != 0) words.map(matrix);
}

/// What is drawn by one launch, in units (random_output.cuh). Unit number e of the whole sequence
/// is drawn from subsequence e modulo `subsequences`, so that a row of `subsequences` units takes
/// one from each: cuRAND's legacy order, where there are 4096.
struct xorwow_portion {
  unsigned rows, rest;  ///< whole rows, and units beyond them
  unsigned start;       ///< the subsequence that the first unit comes from
  unsigned counter;     ///< of the states from `start` on; the others are a unit further
  unsigned subsequences;
  /// Rows that one state draws; each further part of the rows has states of its own.
  unsigned segment;
};

/// Sets up `subsequences` states for each of `segments` parts, `steps` steps from the seed and
/// `steps_per_unit` more for what xorwow_portion says: word j of subsequence s of part p goes to
/// state[(p * 5 + j) * subsequences + s]. A thread sets up W subsequences side by side, the first
/// by jumps, each other by one more from the one before.
template <int W>
__device__ __forceinline__ void xorwow_set_up(unsigned* state, const unsigned* powers,
                                              unsigned long long seed, unsigned long long steps,
                                              unsigned steps_per_unit, unsigned start,
                                              unsigned subsequences, unsigned segment,
                                              unsigned segments) {
  unsigned const groups = (subsequences + W - 1) / W;
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const part = thread / groups, first = (thread - part * groups) * W;
  if (part >= segments) return;
  xorwow_words words = xorwow_seed(seed).words;
  unsigned long long const units = static_cast<unsigned long long>(part) * segment;
  xorwow_skip(words, powers, first, steps + units * steps_per_unit);
  unsigned* const to = state + static_cast<unsigned long long>(part) * 5 * subsequences;
  unsigned const end = min(first + W, subsequences);
#pragma unroll 1  // a map is long
  for (unsigned s = first; s < end; ++s) {
    xorwow_words own = words;
    if (s < start)  // a unit ahead
      for (unsigned i = 0; i < steps_per_unit; ++i) own.step();
#pragma unroll  // five words
    for (int j = 0; j < 5; ++j)
      to[static_cast<unsigned long long>(j) * subsequences + s] = own.v[j];
    if (s + 1 < end) words.map(powers + xorwow_subsequence * xorwow_bits * 5);
  }
}

/// Draws a portion: each thread from W subsequences side by side, so that it stores W units at
/// once. `subsequences` and `start` are multiples of W, `out` and `state` are aligned to 16 bytes.
/// Where a portion is one segment, the states are left as they are after it.
template <class As, int W>
__device__ __forceinline__ void xorwow_draw(unsigned* state, typename As::unit* out,
                                            const xorwow_portion& p) {
  using unit = typename As::unit;
  unsigned const groups = p.subsequences / W;
  unsigned const thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const part = thread / groups, first = (thread - part * groups) * W;
  unsigned const from = part * p.segment;
  if (from > p.rows) return;
  bool const ahead = first < p.start;
  unsigned const column = first - p.start + (ahead ? p.subsequences : 0);
  unsigned whole = min(p.rows + (column + W <= p.rest ? 1 : 0) - from, p.segment);
  // nvcc 13.0 takes every minimum for a multiple of five and would unroll the loop below without a
  // remainder (kernels/loops/lost_remainder.cu): it shall not see where the number comes from.
  asm("" : "+r"(whole));

  unsigned* const at = state + static_cast<unsigned long long>(part) * 5 * p.subsequences + first;
  xorwow_words words[W];
#pragma unroll  // five words of W states
  for (int j = 0; j < 5; ++j) {
    auto const some = *reinterpret_cast<const side_by_side<unsigned, W>*>(
        at + static_cast<unsigned long long>(j) * p.subsequences);
#pragma unroll
    for (int w = 0; w < W; ++w) words[w].v[j] = some.of[w];
  }
  unsigned counter = p.counter + xorwow_weyl * As::draws * (from + (ahead ? 1 : 0));
  auto const draw = [&](xorwow_words& one, unsigned count) {
    unsigned x[As::draws];
#pragma unroll  // the numbers of one unit
    for (int i = 0; i < As::draws; ++i) x[i] = one.step() + (count += xorwow_weyl);
    return As::of(x);
  };

  unit* to = out + static_cast<unsigned long long>(from) * p.subsequences + column;
#pragma unroll 5  // then the words are where they began, and none is moved
  for (unsigned row = 0; row < whole; ++row, to += p.subsequences) {
    side_by_side<unit, W> some;
#pragma unroll  // W states
    for (int w = 0; w < W; ++w) some.of[w] = draw(words[w], counter);
    counter += xorwow_weyl * As::draws;
    *reinterpret_cast<side_by_side<unit, W>*>(to) = some;
  }
  // A row that ends among these W.
  if (W > 1 && column < p.rest && p.rest < column + W && p.rows - from < p.segment) {
#pragma unroll  // W states
    for (int w = 0; w < W; ++w)
      if (column + w < p.rest) to[w] = draw(words[w], counter);
  }
  if (p.segment <= p.rows) return;
#pragma unroll  // five words of W states
  for (int j = 0; j < 5; ++j) {
    side_by_side<unsigned, W> some;
#pragma unroll
    for (int w = 0; w < W; ++w) some.of[w] = words[w].v[j];
    *reinterpret_cast<side_by_side<unsigned, W>*>(at + static_cast<unsigned long long>(j) *
                                                           p.subsequences) = some;
  }
}

}  // namespace ptxlab::device
