// SPDX-License-Identifier: Apache-2.0
// Arrays that kernels get, and comparison of what they give back.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <type_traits>
#include <vector>

namespace ptxlab::machine {

template <class T>
std::vector<T> random_values(std::size_t n, std::uint32_t seed) {
  std::mt19937 next(seed);
  std::vector<T> out(n);
  for (T& x : out) {
    if constexpr (std::is_floating_point_v<T>)
      x = std::ldexp(static_cast<T>(next() | 1), -static_cast<int>(next() % 60));
    else
      x = static_cast<T>(next());
  }
  return out;
}

/// Distance in units of the last place; NaN is at no distance from NaN only.
inline std::int64_t units_between(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b) ? 0 : 1LL << 40;
  const auto key = [](float x) {
    std::int32_t bits = 0;
    std::memcpy(&bits, &x, 4);
    return bits < 0 ? -static_cast<std::int64_t>(bits & 0x7fffffff) : std::int64_t{bits};
  };
  return std::abs(key(a) - key(b));
}

template <class T>
void expect_same(const std::vector<T>& got, const std::vector<T>& wanted, std::int64_t units = 0) {
  ASSERT_EQ(got.size(), wanted.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    if constexpr (std::is_same_v<T, float>)
      ASSERT_LE(units_between(got[i], wanted[i]), units)
          << "element " << i << ": " << got[i] << " and not " << wanted[i];
    else
      ASSERT_EQ(got[i], wanted[i]) << "element " << i;
  }
}

inline std::vector<float> small_floats(std::size_t n) {
  std::vector<float> out(n);
  std::mt19937 next(11);
  for (float& x : out) x = static_cast<float>(next() % 1000) * 0.001F;
  return out;
}

}  // namespace ptxlab::machine
