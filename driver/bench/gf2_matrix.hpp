// SPDX-License-Identifier: Apache-2.0
// Matrices over GF(2): how a generator whose step is linear jumps.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace ptxlab::bench {

/// A linear map of 32 * Words bits, held as what it makes of each single bit; bit b of a vector is
/// bit b % 32 of word b / 32.
template <std::size_t Words>
class gf2_matrix {
 public:
  static constexpr std::size_t bits = 32 * Words;
  using vector = std::array<std::uint32_t, Words>;

  /// Of a step that is linear, which is not checked.
  template <typename Step>
  explicit gf2_matrix(const Step& step) : images_(bits) {
    for (std::size_t b = 0; b < bits; ++b) {
      vector one{};
      one[b / 32] = 1U << b % 32;
      images_[b] = step(one);
    }
  }
  static gf2_matrix identity() {
    return gf2_matrix([](const vector& v) { return v; });
  }

  vector operator*(const vector& v) const {
    vector out{};
    for (std::size_t word = 0; word < Words; ++word)
      for (std::uint32_t left = v[word]; left != 0; left &= left - 1) {
        const vector& image = images_[32 * word + static_cast<std::size_t>(std::countr_zero(left))];
        for (std::size_t k = 0; k < Words; ++k) out[k] ^= image[k];
      }
    return out;
  }
  /// First `right`, then this.
  gf2_matrix operator*(const gf2_matrix& right) const {
    return gf2_matrix([&](const vector& v) { return *this * (right * v); });
  }
  bool operator==(const gf2_matrix&) const = default;

  const std::vector<vector>& images() const { return images_; }

 private:
  std::vector<vector> images_;
};

/// The first `count` of m, m^2, m^4, m^8, ...
template <std::size_t Words>
std::vector<gf2_matrix<Words>> squarings(gf2_matrix<Words> m, std::size_t count) {
  std::vector<gf2_matrix<Words>> out;
  for (; out.size() < count; m = out.back() * out.back()) out.push_back(std::move(m));
  return out;
}

}  // namespace ptxlab::bench
