// SPDX-License-Identifier: Apache-2.0
// What cuRAND's generators give on the machine, against the generators as their authors define
// them.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "tests/unit/machine/on_a_workbench.hpp"

namespace ptxlab::machine {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr unsigned draws = 9, drawing = 33;

/// Marsaglia's xorwow ("Xorshift RNGs", 2003), from the state that cuRAND makes of a seed.
struct xorwow_state {
  std::array<u32, 5> v{};
  u32 d = 0;

  explicit xorwow_state(u64 seed) {
    const u32 low = 1099087573U * (static_cast<u32>(seed) ^ 0xaad26b49U);
    const u32 high = 2591861531U * (static_cast<u32>(seed >> 32) ^ 0xf7dcefddU);
    d = 6615241U + high + low;
    v = {123456789U + low, 362436069U ^ low, 521288629U + high, 88675123U ^ high, 5783321U + low};
  }
  static std::array<u32, 5> stepped(const std::array<u32, 5>& v) {
    const u32 t = v[0] ^ v[0] >> 2;
    return {v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
  }
  u32 next() {
    v = stepped(v);
    d += 362437;
    return v[4] + d;
  }
};

/// What 2^67 steps, the distance of two subsequences, make of each single bit of the state: the
/// step is linear. (The counter comes round.)
using linear_map = std::array<std::array<u32, 5>, 160>;

std::array<u32, 5> mapped(const linear_map& m, const std::array<u32, 5>& v) {
  std::array<u32, 5> out{};
  for (unsigned bit = 0; bit < 160; ++bit)
    if ((v[bit / 32] >> bit % 32 & 1) != 0)
      for (unsigned k = 0; k < 5; ++k) out[k] ^= m[bit][k];
  return out;
}
const linear_map& next_subsequence() {
  static const linear_map map = [] {
    linear_map m{};
    for (unsigned bit = 0; bit < 160; ++bit) {
      std::array<u32, 5> one{};
      one[bit / 32] = 1U << bit % 32;
      m[bit] = xorwow_state::stepped(one);
    }
    for (int power = 0; power < 67; ++power) {
      linear_map twice{};
      for (unsigned bit = 0; bit < 160; ++bit) twice[bit] = mapped(m, m[bit]);
      m = twice;
    }
    return m;
  }();
  return map;
}

/// Philox4x32-10 (Salmon and others, "Parallel Random Numbers: As Easy as 1, 2, 3", 2011).
std::array<u32, 4> philox_block(std::array<u32, 4> c, std::array<u32, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const u64 a = u64{0xD2511F53} * c[0], b = u64{0xCD9E8D57} * c[2];
    c = {static_cast<u32>(b >> 32) ^ c[1] ^ key[0], static_cast<u32>(b),
         static_cast<u32>(a >> 32) ^ c[3] ^ key[1], static_cast<u32>(a)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return c;
}

class machine_curand : public on_a_workbench {
 protected:
  machine_curand() : on_a_workbench("curand.cu") {}
  template <class T>
  std::vector<T> drawn(const char* kernel, u64 seed, u64 offset, std::vector<T> behind = {}) {
    std::vector<T> room(draws * drawing);
    room.insert(room.end(), behind.begin(), behind.end());
    const address out = on->buffer(room, "out");
    launch(kernel, 1, drawing, {out, seed, offset}, {8, 8, 8});
    return on->read<T>(out, draws * drawing);
  }
  static std::vector<u32> xorwow_numbers(u64 seed, u64 offset) {
    std::vector<u32> out;
    xorwow_state first(seed);
    for (unsigned t = 0; t < drawing; ++t, first.v = mapped(next_subsequence(), first.v)) {
      xorwow_state s = first;
      for (u64 i = 0; i < offset; ++i) s.next();
      for (unsigned i = 0; i < draws; ++i) out.push_back(s.next());
    }
    return out;
  }
};

TEST_F(machine_curand, xorwow) {
  for (const auto& [seed, offset] :
       {std::pair<u64, u64>{0, 0}, {1234, 7}, {0x123456789abcdef0, 1001}})
    EXPECT_EQ(drawn<u32>("xorwow", seed, offset), xorwow_numbers(seed, offset)) << seed;
}

TEST_F(machine_curand, uniform_numbers_of_xorwow) {
  std::vector<float> wanted;
  for (const u32 x : xorwow_numbers(42, 3))
    wanted.push_back(std::fma(static_cast<float>(x), 0x1p-32F, 0x1p-33F));
  EXPECT_EQ(drawn<float>("uniform", 42, 3), wanted);
}

TEST_F(machine_curand, philox) {
  // The paper's known answer for a counter and key of zeros.
  EXPECT_EQ(philox_block({0, 0, 0, 0}, {0, 0}),
            (std::array<u32, 4>{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  for (const auto& [seed, offset] :
       {std::pair<u64, u64>{0, 0}, {99, 7}, {0xfedcba9876543210, 12345}}) {
    std::vector<u32> wanted;
    for (u32 t = 0; t < drawing; ++t)
      for (u64 i = offset; i < offset + draws; ++i)
        wanted.push_back(
            philox_block({static_cast<u32>(i / 4), 0, t, 0},
                         {static_cast<u32>(seed), static_cast<u32>(seed >> 32)})[i % 4]);
    EXPECT_EQ(drawn<u32>("philox", seed, offset), wanted) << seed;
  }
}

TEST_F(machine_curand, sobol) {
  // Any direction numbers will do: number i is the sum (xor) of those that i's Gray code names.
  std::vector<u32> directions(32);
  std::mt19937 next(11);
  for (u32& d : directions) d = static_cast<u32>(next());
  for (const u64 offset : {0, 5, 1023}) {
    std::vector<u32> wanted;
    for (u32 t = 0; t < drawing; ++t)
      for (u32 k = 0; k < draws; ++k) {
        const u32 i = static_cast<u32>(offset) + t + k, gray = i ^ i >> 1;
        u32 x = 0;
        for (unsigned bit = 0; bit < 32; ++bit)
          if ((gray >> bit & 1) != 0) x ^= directions[bit];
        wanted.push_back(x);
      }
    EXPECT_EQ(drawn<u32>("sobol", 0, offset, directions), wanted) << offset;
  }
}

}  // namespace
}  // namespace ptxlab::machine
