// SPDX-License-Identifier: Apache-2.0
// The host's generators against their authors' values, against themselves by jumps, and against
// cuRAND's host interface, which runs on the host as well.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "driver/bench/curand_library.hpp"
#include "driver/bench/drawing.hpp"
#include "driver/bench/random_reference.hpp"
#include "driver/bench/xorwow.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;
using kernels::generator;
using output = generator::output;

template <class Generator>
std::vector<u32> first_of(Generator g, int n) {
  std::vector<u32> out;
  for (int i = 0; i < n; ++i) out.push_back(g.next());
  return out;
}

TEST(random_generators, begin_as_published) {
  // "Xorshift RNGs" (2003) gives the programs with their starting values; these are what other
  // implementations of them print first.
  EXPECT_EQ(first_of(xorshift128(), 5),
            (std::vector<u32>{3701687786, 458299110, 2500872618, 3633119408, 516391518}));
  EXPECT_EQ(first_of(xorwow(), 5),
            (std::vector<u32>{246875399, 3690007200, 1264581005, 3906711041, 1866187943}));
}

TEST(random_generators, jump_as_they_step) {
  for (const u64 seed : {u64{0}, u64{1234}, u64{0x123456789abcdef0}}) {
    xorwow stepped = xorwow::of_seed(seed);
    u64 steps = 0;
    for (const u64 to : {0, 1, 2, 5, 31, 32, 1000, 65537}) {
      for (; steps < to; ++steps) stepped.next();
      xorwow jumped = xorwow::of_seed(seed);
      jumped.skip(to);
      EXPECT_EQ(jumped.v, stepped.v) << to;
      EXPECT_EQ(jumped.counter, stepped.counter) << to;
      EXPECT_EQ(xorwow::jump_of(to) * xorwow::of_seed(seed).v, stepped.v) << to;
    }
  }
}

TEST(random_generators, long_jumps_add_up) {
  std::mt19937_64 next(5);
  for (int i = 0; i < 20; ++i) {
    const u64 a = next() >> 1, b = next() >> 1;
    xorwow once = xorwow::of_seed(7), twice = once;
    once.skip(a + b);
    twice.skip(b);
    twice.skip(a);
    EXPECT_EQ(once.v, twice.v);
    EXPECT_EQ(once.counter, twice.counter);
  }
  // 2^67 steps are 2^63 steps sixteen times over; the counter comes round.
  xorwow far = xorwow::of_seed(7), near = far;
  far.skip_subsequences(1);
  for (int i = 0; i < 16; ++i) near.skip(u64{1} << 63);
  EXPECT_EQ(far.v, near.v);
  EXPECT_EQ(far.counter, near.counter);
}

/// 2^160 - 1 divided by its prime factor q; bit b of the quotient is bit b % 32 of word b / 32.
std::array<u32, 5> all_ones_divided_by(u64 q) {
  std::array<u32, 5> out{};
  u64 rest = 0;
  for (int word = 4; word >= 0; --word)
    for (int bit = 31; bit >= 0; --bit) {
      rest = rest << 1 | 1;
      if (rest >= q) {
        rest -= q;
        out[static_cast<unsigned>(word)] |= 1U << bit;
      }
    }
  EXPECT_EQ(rest, 0U) << q << " is no divisor";
  return out;
}

/// Whether the map goes through all 2^160 - 1 states but zero.
bool has_full_period(const xorwow::matrix& m) {
  const auto powers = squarings(m, 161);
  if (!(powers[160] == m)) return false;  // m^(2^160) is m
  for (const u64 q : {u64{3}, u64{5}, u64{11}, u64{17}, u64{31}, u64{41}, u64{257}, u64{61681},
                      u64{65537}, u64{414721}, u64{4278255361}, u64{44479210368001}}) {
    const std::array<u32, 5> exponent = all_ones_divided_by(q);
    xorwow::words one{1, 0, 0, 0, 0};
    const xorwow::words begin = one;
    for (std::size_t b = 0; b < 160; ++b)
      if ((exponent[b / 32] >> b % 32 & 1) != 0) one = powers[b] * one;
    if (one == begin) return false;
  }
  return true;
}

TEST(random_generators, the_step_has_the_longest_period) {
  EXPECT_TRUE(has_full_period(xorwow::jumps().front()));
}
TEST(random_generators, a_step_with_a_wrong_shift_has_not) {
  EXPECT_FALSE(has_full_period(xorwow::matrix([](const xorwow::words& v) {
    const u32 t = v[0] ^ v[0] >> 3;
    return xorwow::words{v[1], v[2], v[3], v[4], (v[4] ^ v[4] << 4) ^ (t ^ t << 1)};
  })));
}

// --- cuRAND --------------------------------------------------------------------------------------

class random_curand : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string& why = curand().missing(); !why.empty()) GTEST_SKIP() << why;
  }
  static const curand_library& curand() { return curand_library::get(); }
  /// `count` numbers from number `offset` on.
  template <class T>
  static std::vector<double> drawn(output as, u64 seed, u64 offset, u64 count,
                                   curandOrdering_t order = CURAND_ORDERING_PSEUDO_LEGACY) {
    curand_generator g(curand(), generator::law::xorwow, curand_generator::place::host);
    g.seed(seed);
    g.order(order);
    g.offset(offset);
    std::vector<T> out(count);
    g.generate(as, out.data(), count);
    return {out.begin(), out.end()};
  }
};

constexpr u32 legacy = 4096;

TEST_F(random_curand, bits_in_the_legacy_order) {
  for (const u64 seed : {u64{0}, u64{1234}, u64{0x123456789abcdef0}})
    for (const u64 offset : {0, 5, 4096, 10000})
      EXPECT_EQ(wrong_numbers(drawn<u32>(output::bits, seed, offset, 10001),
                              xorwow_numbers(output::bits, seed, legacy, offset, 10001), 0, 0),
                "")
          << seed << ", " << offset;
}
TEST_F(random_curand, on_the_host_the_other_orders_are_the_legacy_one) {
  const auto wanted = drawn<u32>(output::bits, 5, 0, 9000);
  EXPECT_EQ(drawn<u32>(output::bits, 5, 0, 9000, CURAND_ORDERING_PSEUDO_DEFAULT), wanted);
  EXPECT_EQ(drawn<u32>(output::bits, 5, 0, 9000, CURAND_ORDERING_PSEUDO_BEST), wanted);
  EXPECT_NE(drawn<u32>(output::bits, 5, 0, 9000, CURAND_ORDERING_PSEUDO_SEEDED), wanted);
}
TEST_F(random_curand, uniform_numbers) {
  const auto found = drawn<float>(output::uniform, 42, 0, 9000);
  EXPECT_EQ(wrong_numbers(found, xorwow_numbers(output::uniform, 42, legacy, 0, 9000), 0, 0), "");
  for (const double x : found) ASSERT_TRUE(x > 0 && x <= 1) << x;
}
TEST_F(random_curand, uniform_doubles) {
  EXPECT_EQ(wrong_numbers(drawn<double>(output::uniform_double, 42, 0, 9000),
                          xorwow_numbers(output::uniform_double, 42, legacy, 0, 9000), 0, 0),
            "");
}
TEST_F(random_curand, normal_numbers) {
  EXPECT_EQ(wrong_numbers(drawn<float>(output::normal, 42, 0, 9000),
                          xorwow_numbers(output::normal, 42, legacy, 0, 4500),
                          output_of(output::normal).tolerance, 0),
            "");
  EXPECT_EQ(wrong_numbers(drawn<double>(output::normal_double, 42, 0, 9000),
                          xorwow_numbers(output::normal_double, 42, legacy, 0, 4500),
                          output_of(output::normal_double).tolerance, 0),
            "");
}
TEST_F(random_curand, an_odd_number_of_normal_numbers_is_refused) {
  try {
    drawn<float>(output::normal, 42, 0, 7);
    FAIL() << "nothing was said";
  } catch (const error& e) {
    EXPECT_EQ(std::string(e.what()),
              "curandGenerateNormal: CURAND_STATUS_LENGTH_NOT_MULTIPLE (105)");
  }
}
TEST_F(random_curand, says_what_it_is) {
  EXPECT_TRUE(curand().about().starts_with("cuRAND ")) << curand().about();
}

TEST(random_no_curand, is_told) {
  const curand_library none(std::vector<std::string>{"/nowhere/libcurand.so"});
  EXPECT_TRUE(none.missing().starts_with("no cuRAND: /nowhere/libcurand.so: ")) << none.missing();
  EXPECT_THROW(curand_generator(none, generator::law::xorwow, curand_generator::place::host),
               error);
  EXPECT_THROW(curand_vectors(none, false), error);
  EXPECT_THROW(curand_constants(none), error);
  EXPECT_THROW((void)none.about(), error);
  const curand_library other(std::vector<std::string>{"libdl.so.2"});
  EXPECT_EQ(other.missing(), "this cuRAND has no curandGetVersion");
}

// --- comparisons, and what becomes of words ------------------------------------------------------

TEST(random_reference, notices_one_wrong_number) {
  const std::vector<double> wanted = {1, 2, 3, 4};
  EXPECT_EQ(wrong_numbers(wanted, wanted, 0, 0), "");
  EXPECT_EQ(wrong_numbers({1, 2, 3.5, 4}, wanted, 0.25, 100),
            "1 of 4 are wrong, the first is number 102: 3.5, not 3");
  EXPECT_EQ(wrong_numbers({1, 2.25, 3, 4}, wanted, 0.25, 0), "");
  EXPECT_EQ(wrong_numbers({1, 2, NAN, 5}, wanted, 0.25, 0),
            "2 of 4 are wrong, the first is number 2: nan, not 3");
  EXPECT_EQ(wrong_numbers({1, 2}, wanted, 0, 7),
            "2 of 4 are wrong, the first is number 9: missing, not 3");
}
TEST(random_reference, goes_on_from_any_place) {
  const auto all = xorwow_numbers(output::bits, 3, 12, 0, 100);
  for (const u64 from : {0, 1, 11, 12, 13, 50})
    for (const u64 count : {0, 1, 5, 12, 30})
      EXPECT_EQ(xorwow_numbers(output::bits, 3, 12, from, count),
                std::vector<double>(all.begin() + static_cast<std::ptrdiff_t>(from),
                                    all.begin() + static_cast<std::ptrdiff_t>(from + count)))
          << from << ", " << count;
}
TEST(random_reference, ends_of_the_uniform_numbers) {
  double x = 0;
  const auto of = [&](output as, u32 first, u32 second) {
    const std::array<u32, 2> words = {first, second};
    convert(as, std::span(words).first(output_of(as).words), &x);
    return x;
  };
  EXPECT_EQ(of(output::uniform, 0, 0), 0x1p-33);
  EXPECT_EQ(of(output::uniform, ~0U, 0), 1);
  EXPECT_EQ(of(output::uniform_double, 0, 0), 0x1p-54);
  EXPECT_EQ(of(output::uniform_double, 0x1fffff, ~0U), 1) << "all 53 bits";
}
TEST(random_reference, quantiles_of_the_normal_distribution) {
  EXPECT_NEAR(normal_quantile(0.5), 0, 1e-12);
  EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-10);
  for (const double p : {1e-9, 1e-4, 0.02, 0.2, 0.7, 0.99})
    EXPECT_NEAR(0.5 * std::erfc(-normal_quantile(p) / std::sqrt(2.0)), p, 1e-12 + 1e-9 * p);
}

}  // namespace
}  // namespace ptxlab::bench
