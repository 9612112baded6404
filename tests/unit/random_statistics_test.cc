// SPDX-License-Identifier: Apache-2.0
// Statistics of what xorwow gives, with fixed seeds, and of generators that are known to be bad,
// which the same tests with the same thresholds have to notice. The host's numbers are those of the
// kernels: machine_kernels_random_test.cc and the protocol hold them equal.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "driver/bench/random_reference.hpp"
#include "driver/bench/sobol.hpp"
#include "driver/bench/xorwow.hpp"

namespace ptxlab::bench {
namespace {

using u32 = std::uint32_t;
using words = std::vector<u32>;
using output = kernels::generator::output;

constexpr std::uint64_t seed = 20121130;
constexpr std::size_t many = 1 << 18;

// --- where the words come from -------------------------------------------------------------------

words of_xorwow(std::size_t n, u32 subsequences = 1) {
  const auto numbers = xorwow_numbers(output::bits, seed, subsequences, 0, n);
  return {numbers.begin(), numbers.end()};
}
/// The linear part alone: what comes out if the counter is forgotten.
words without_counter(std::size_t n) {
  words out;
  xorwow one = xorwow::of_seed(seed);
  for (; out.size() < n; out.push_back(one.v[4])) one.v = xorwow::stepped(one.v);
  return out;
}
/// The counter alone: what comes out if the words stand still.
words counter_alone(std::size_t n) {
  words out;
  for (u32 c = 0; out.size() < n; out.push_back(c)) c += xorwow::weyl;
  return out;
}
/// RANDU, 65539^k modulo 2^31, in the upper 31 bits.
words of_randu(std::size_t n) {
  words out;
  for (u32 x = 1; out.size() < n; out.push_back(x << 1)) x = x * 65539 & 0x7fffffff;
  return out;
}

// --- tests ---------------------------------------------------------------------------------------

/// How many standard deviations a chi-square of `degrees` degrees of freedom is above its mean, by
/// the cube root of Wilson and Hilferty (1931).
double excess(double chi_square, double degrees) {
  const double v = 2 / (9 * degrees);
  return (std::cbrt(chi_square / degrees) - (1 - v)) / std::sqrt(v);
}
/// Beyond this a good generator comes about once in three million times, on either side.
constexpr double too_far = 5;

double chi_square(const std::vector<double>& found, const std::vector<double>& expected) {
  double out = 0;
  for (std::size_t i = 0; i < found.size(); ++i)
    out += (found[i] - expected[i]) * (found[i] - expected[i]) / expected[i];
  return out;
}

/// Of 256 equal cells, by `bits` from bit `from` on.
double by_cells(const words& all, unsigned from) {
  std::vector<double> found(256), expected(256, static_cast<double>(all.size()) / 256);
  for (const u32 x : all) ++found[x >> from & 255];
  return excess(chi_square(found, expected), 255);
}

/// Of 16^3 cells, three words in a row that do not overlap.
double by_triples(const words& all) {
  std::vector<double> found(4096), expected(4096, static_cast<double>(all.size() / 3) / 4096);
  for (std::size_t i = 0; i + 2 < all.size(); i += 3)
    ++found[all[i] >> 28 << 8 | all[i + 1] >> 28 << 4 | all[i + 2] >> 28];
  return excess(chi_square(found, expected), 4095);
}

/// sqrt(n) times the largest distance from the uniform distribution (Kolmogorov and Smirnov).
double by_distance(std::vector<double> numbers, double (*below)(double)) {
  std::sort(numbers.begin(), numbers.end());
  const auto n = static_cast<double>(numbers.size());
  double out = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double p = below(numbers[i]);
    const auto at = static_cast<double>(i);
    out = std::max({out, (at + 1) / n - p, p - at / n});
  }
  return std::sqrt(n) * out;
}
double uniform_below(double x) {
  return x;
}
double normal_below(double x) {
  return 0.5 * std::erfc(-x / std::sqrt(2.0));
}
/// P(above) = 2 exp(-2 x^2): 4e-6. A sequence that is too even is below the other end.
constexpr double too_distant = 2.56, too_close = 0.27;

/// Marsaglia's birthday spacings (1985): 512 birthdays in a year of 2^24 days, by 24 bits from bit
/// `from` on; spacings that come again are Poisson with mean 512^3 / (4 * 2^24) = 2.
double by_birthdays(const words& all, unsigned from) {
  constexpr std::size_t birthdays = 512, years = 500, classes = 7;
  std::vector<double> found(classes), expected(classes);
  double p = std::exp(-2.0), left = years;
  for (std::size_t k = 0; k + 1 < classes; ++k, p *= 2.0 / static_cast<double>(k)) {
    expected[k] = years * p;
    left -= expected[k];
  }
  expected.back() = left;
  for (std::size_t y = 0; y < years; ++y) {
    std::vector<u32> days;
    for (std::size_t i = 0; i < birthdays; ++i)
      days.push_back(all.at(y * birthdays + i) >> from & 0xffffff);
    std::sort(days.begin(), days.end());
    std::adjacent_difference(days.begin(), days.end(), days.begin());
    std::sort(days.begin() + 1, days.end());
    std::size_t again = 0;
    for (std::size_t i = 2; i < birthdays; ++i) again += days[i] == days[i - 1] ? 1 : 0;
    ++found[std::min(again, classes - 1)];
  }
  return excess(chi_square(found, expected), classes - 1);
}

/// Rank over GF(2) of a square matrix of 256 bits a side, by bit `bit` of successive words.
unsigned rank_of(const words& all, unsigned bit) {
  constexpr unsigned side = 256;
  std::vector<std::array<u32, side / 32>> rows(side);
  for (unsigned i = 0; i < side * side; ++i)
    rows[i / side][i % side / 32] |= (all.at(i) >> bit & 1) << i % 32;
  unsigned rank = 0;
  for (unsigned column = 0; column < side; ++column) {
    const auto has = [&](const auto& row) { return (row[column / 32] >> column % 32 & 1) != 0; };
    const auto pivot = std::find_if(rows.begin() + rank, rows.end(), has);
    if (pivot == rows.end()) continue;
    std::swap(*pivot, rows[rank]);
    for (unsigned r = rank + 1; r < side; ++r)
      if (has(rows[r]))
        for (unsigned k = 0; k < side / 32; ++k) rows[r][k] ^= rows[rank][k];
    ++rank;
  }
  return rank;
}
/// A random square matrix lacks four of its rank less often than once in 60 000 times.
constexpr unsigned full_rank = 252;

// --- what is good --------------------------------------------------------------------------------

TEST(random_statistics, words_fill_their_cells) {
  const words one = of_xorwow(many), across = of_xorwow(many, 4096);
  for (const unsigned from : {0U, 8U, 16U, 24U}) {
    EXPECT_LT(std::abs(by_cells(one, from)), too_far) << from;
    EXPECT_LT(std::abs(by_cells(across, from)), too_far) << from;
  }
  EXPECT_LT(std::abs(by_triples(one)), too_far);
  EXPECT_LT(std::abs(by_triples(across)), too_far);
}
TEST(random_statistics, birthdays_are_as_far_apart_as_chance_has_it) {
  const words one = of_xorwow(many), across = of_xorwow(many, 4096);
  for (const unsigned from : {0U, 8U}) {
    EXPECT_LT(std::abs(by_birthdays(one, from)), too_far) << from;
    EXPECT_LT(std::abs(by_birthdays(across, from)), too_far) << from;
  }
}
TEST(random_statistics, the_highest_bit_is_not_linear) {
  EXPECT_GE(rank_of(of_xorwow(1 << 16), 31), full_rank);
  EXPECT_GE(rank_of(of_xorwow(1 << 16, 4096), 31), full_rank);
}
TEST(random_statistics, the_lowest_bit_is_and_that_is_known_of_it) {
  // Bit 0 of a sum is the sum of bits 0: 160 linear bits, and a counter's that is 0 and 1 in turn,
  // the same in each row.
  EXPECT_EQ(rank_of(of_xorwow(1 << 16), 0), 161U);
}
TEST(random_statistics, numbers_have_their_distributions) {
  for (const output as : {output::uniform, output::uniform_double}) {
    const double far = by_distance(xorwow_numbers(as, seed, 4096, 0, 1 << 16), uniform_below);
    EXPECT_LT(far, too_distant);
    EXPECT_GT(far, too_close);
  }
  for (const output as : {output::normal, output::normal_double}) {
    const double far = by_distance(xorwow_numbers(as, seed, 4096, 0, 1 << 15), normal_below);
    EXPECT_LT(far, too_distant);
    EXPECT_GT(far, too_close);
  }
}

// --- what is bad, and is noticed -----------------------------------------------------------------

TEST(random_statistics, randu_is_noticed) {
  const words bad = of_randu(many);
  EXPECT_GT(std::abs(by_cells(bad, 0)), too_far) << "its low bits hardly change";
  EXPECT_GT(std::abs(by_birthdays(bad, 0)), too_far);
  EXPECT_GT(std::abs(by_triples(bad)), too_far) << "fifteen planes";
  EXPECT_LT(rank_of(bad, 8), full_rank);
}
TEST(random_statistics, a_forgotten_counter_is_noticed) {
  const words bad = without_counter(1 << 16);
  EXPECT_EQ(rank_of(bad, 31), 160U);
  EXPECT_EQ(rank_of(bad, 0), 160U);
}
TEST(random_statistics, a_counter_alone_is_noticed) {
  const words bad = counter_alone(many);
  EXPECT_GT(std::abs(by_birthdays(bad, 8)), too_far);
  EXPECT_GT(std::abs(by_triples(bad)), too_far);
}
TEST(random_statistics, wrong_distributions_are_noticed) {
  std::vector<double> numbers = xorwow_numbers(output::uniform, seed, 4096, 0, 1 << 16);
  EXPECT_GT(by_distance(numbers, normal_below), too_distant);
  for (double& x : numbers) x *= 0.98;
  EXPECT_GT(by_distance(numbers, uniform_below), too_distant);
}
TEST(random_statistics, points_of_sobol_are_more_even_than_chance) {
  // Quasirandom is not random: each of the cells has its share to the point.
  const sobol_vectors v = sobol_dimension{3, {1}}.vectors();
  words points;
  for (u32 i = 0; i < many; ++i) points.push_back(sobol_point(v.data(), i));
  EXPECT_LT(by_cells(points, 24), -too_far);
  std::vector<double> numbers(points.begin(), points.end());
  for (double& x : numbers) x = (x + 0.5) / 0x1p32;
  EXPECT_LT(by_distance(numbers, uniform_below), too_close);
}

}  // namespace
}  // namespace ptxlab::bench
