// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/xorwow.hpp"

namespace ptxlab::bench {

std::uint32_t xorshift128::next() {
  const std::uint32_t t = x ^ x << 11;
  x = y;
  y = z;
  z = w;
  return w = w ^ w >> 19 ^ t ^ t >> 8;
}

xorwow xorwow::of_seed(std::uint64_t seed) {
  const std::uint32_t low = 1099087573U * (static_cast<std::uint32_t>(seed) ^ 0xaad26b49U);
  const std::uint32_t high = 2591861531U * (static_cast<std::uint32_t>(seed >> 32) ^ 0xf7dcefddU);
  xorwow out;
  out.v[0] += low;
  out.v[1] ^= low;
  out.v[2] += high;
  out.v[3] ^= high;
  out.v[4] += low;
  out.counter += low + high;
  return out;
}

const std::vector<xorwow::matrix>& xorwow::jumps() {
  static const std::vector<matrix> all = squarings(matrix(stepped), powers);
  return all;
}

xorwow::matrix xorwow::jump_of(std::uint64_t steps) {
  matrix out = matrix::identity();
  for (std::size_t i = 0; steps != 0; ++i, steps >>= 1)
    if ((steps & 1) != 0) out = jumps()[i] * out;
  return out;
}

void xorwow::skip(std::uint64_t steps) {
  counter += weyl * static_cast<std::uint32_t>(steps);
  for (std::size_t i = 0; steps != 0; ++i, steps >>= 1)
    if ((steps & 1) != 0) v = jumps()[i] * v;
}

void xorwow::skip_subsequences(std::uint32_t count) {
  for (std::size_t i = subsequence_power; count != 0; ++i, count >>= 1)
    if ((count & 1) != 0) v = jumps()[i] * v;
}

std::vector<std::uint32_t> xorwow_powers() {
  std::vector<std::uint32_t> out;
  for (const xorwow::matrix& m : xorwow::jumps())
    for (const xorwow::words& image : m.images()) out.insert(out.end(), image.begin(), image.end());
  return out;
}

}  // namespace ptxlab::bench
