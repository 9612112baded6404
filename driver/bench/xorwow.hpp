// SPDX-License-Identifier: Apache-2.0
// Marsaglia's generators ("Xorshift RNGs", Journal of Statistical Software 8(14), 2003) on the
// host: xorshift128, and xorwow with the seeds and subsequences of cuRAND.
#pragma once

#include <cstdint>
#include <vector>

#include "driver/bench/gf2_matrix.hpp"

namespace ptxlab::bench {

/// 128 bits; begins with the paper's values.
struct xorshift128 {
  std::uint32_t x = 123456789, y = 362436069, z = 521288629, w = 88675123;
  std::uint32_t next();
};

/// 160 bits that a linear step moves on, and a counter that is added to what comes out.
struct xorwow {
  using matrix = gf2_matrix<5>;
  using words = matrix::vector;
  static constexpr std::uint32_t weyl = 362437;
  /// Subsequences are 2^67 steps apart.
  static constexpr unsigned subsequence_power = 67;
  /// Powers of two of the step that a jump may take: subsequences are numbered by 32 bits.
  static constexpr unsigned powers = subsequence_power + 32;

  words v = {123456789, 362436069, 521288629, 88675123, 5783321};  ///< begins with the paper's
  std::uint32_t counter = 6615241;

  xorwow() = default;
  /// As curand_init and curandSetPseudoRandomGeneratorSeed begin (curand_kernel.h).
  static xorwow of_seed(std::uint64_t seed);

  std::uint32_t next() {
    v = stepped(v);
    return v[4] + (counter += weyl);
  }
  /// The linear part of one step.
  static words stepped(const words& v) {
    const std::uint32_t t = v[0] ^ v[0] >> 2;
    return {v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
  }
  /// As if next() had been called so often.
  void skip(std::uint64_t steps);
  /// The same for so many times 2^67; the counter comes round.
  void skip_subsequences(std::uint32_t count);

  /// Matrix i is 2^i steps.
  static const std::vector<matrix>& jumps();
  /// The map of `steps` steps.
  static matrix jump_of(std::uint64_t steps);
};

/// All of xorwow::jumps() as a kernel reads them (ptx/device/xorwow.cuh): 160 times five words for
/// each.
std::vector<std::uint32_t> xorwow_powers();

}  // namespace ptxlab::bench
