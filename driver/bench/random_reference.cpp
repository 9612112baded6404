// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/random_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "driver/bench/sobol.hpp"
#include "driver/bench/xorwow.hpp"

namespace ptxlab::bench {
namespace {

using output = kernels::generator::output;

float single_uniform(std::uint32_t word) {
  return std::fma(static_cast<float>(word), 0x1p-32F, 0x1p-33F);
}
double double_uniform(std::uint32_t low, std::uint32_t high) {
  const std::uint64_t z = low ^ std::uint64_t{high} << 21;
  return std::fma(static_cast<double>(z), 0x1p-53, 0x1p-54);
}

/// By the formula that the kernels use for points of Sobol's sequences.
double sobol_number(output as, std::uint32_t x) {
  switch (as) {
    case output::bits:
      return x;
    case output::uniform:
      return single_uniform(x);
    case output::uniform_double:
      return std::fma(static_cast<double>(x), 0x1p-32, 0x1p-32);
    case output::normal:
    case output::normal_double:
      break;
  }
  const bool upper = x > 0x80000000U;
  const double p = single_uniform(upper ? ~x : x);
  return upper ? -normal_quantile(p) : normal_quantile(p);
}

}  // namespace

random_output output_of(output as) {
  // __sincosf is off by 2^-21 and more outside of -pi to pi (CUDA C++ Programming Guide, "Intrinsic
  // Functions"), here up to 2 pi, times a radius below 6.8; logf and sqrtf by units in the last
  // place.
  constexpr double single = 2e-5, twice = 1e-13;
  switch (as) {
    case output::bits:
    case output::uniform:
      return {};
    case output::normal:
      return {2, 2, 4, single};
    case output::uniform_double:
      return {2, 1, 8, 0};
    case output::normal_double:
      return {4, 2, 8, twice};
  }
  return {};
}

void convert(output as, std::span<const std::uint32_t> words, double* numbers) {
  constexpr double pi = std::numbers::pi;
  switch (as) {
    case output::bits:
      numbers[0] = words[0];
      return;
    case output::uniform:
      numbers[0] = single_uniform(words[0]);
      return;
    case output::uniform_double:
      numbers[0] = double_uniform(words[0], words[1]);
      return;
    case output::normal: {
      constexpr float turn = 0x1p-32F * 6.2831855F;
      const double angle = std::fma(static_cast<float>(words[1]), turn, turn / 2);
      const double radius = std::sqrt(-2 * std::log(static_cast<double>(single_uniform(words[0]))));
      numbers[0] = radius * std::sin(angle);
      numbers[1] = radius * std::cos(angle);
      return;
    }
    case output::normal_double: {
      const double angle = 2 * pi * double_uniform(words[2], words[3]);
      const double radius = std::sqrt(-2 * std::log(double_uniform(words[0], words[1])));
      numbers[0] = radius * std::sin(angle);
      numbers[1] = radius * std::cos(angle);
      return;
    }
  }
}

std::vector<double> xorwow_numbers(output as, std::uint64_t seed, std::uint32_t subsequences,
                                   std::uint64_t first, std::uint64_t count) {
  const random_output o = output_of(as);
  std::vector<double> out(count * o.numbers);
  const std::uint64_t row = first / subsequences;
  const auto start = static_cast<std::uint32_t>(first % subsequences);
  const xorwow::matrix& next = xorwow::jumps()[xorwow::subsequence_power];
  xorwow one = xorwow::of_seed(seed);
  one.skip(row * o.words);
  one.skip_subsequences(start);
  std::array<std::uint32_t, 4> words{};
  for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, subsequences); ++k) {
    if (start + k == subsequences) {  // the first subsequence again, in the next row
      one = xorwow::of_seed(seed);
      one.skip((row + 1) * o.words);
    }
    xorwow at = one;
    for (std::uint64_t e = k; e < count; e += subsequences) {
      for (unsigned i = 0; i < o.words; ++i) words[i] = at.next();
      convert(as, std::span(words).first(o.words), &out[e * o.numbers]);
    }
    one.v = next * one.v;
  }
  return out;
}

std::vector<double> sobol_numbers(output as, const std::vector<std::uint32_t>& vectors,
                                  const std::vector<std::uint32_t>& constants, std::uint64_t points,
                                  std::uint64_t first, std::uint64_t count) {
  std::vector<double> out(count);
  for (std::uint64_t k = 0; k < count; ++k) {
    const std::uint64_t dimension = (first + k) / points;
    std::uint32_t x =
        sobol_point(&vectors.at(32 * dimension), static_cast<std::uint32_t>((first + k) % points));
    if (!constants.empty()) x ^= constants.at(dimension);
    out[k] = sobol_number(as, x);
  }
  return out;
}

std::string wrong_numbers(const std::vector<double>& found, const std::vector<double>& wanted,
                          double tolerance, std::uint64_t first) {
  std::size_t wrong = 0, at = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (i >= found.size() || !(std::abs(found[i] - wanted[i]) <= tolerance))
      if (wrong++ == 0) at = i;
  if (wrong == 0) return "";
  return fmt::format("{} of {} are wrong, the first is number {}: {}, not {}", wrong, wanted.size(),
                     first + at, at < found.size() ? fmt::format("{}", found[at]) : "missing",
                     wanted[at]);
}

double normal_quantile(double p) {
  // Newton's steps on the distribution, from the tail's or the middle's approximation; the last
  // ones change nothing.
  if (p > 0.5) return -normal_quantile(1 - p);
  double x = p < 0.02 ? -std::sqrt(-2 * std::log(p)) : (p - 0.5) * 2.5;
  for (int i = 0; i < 60; ++i) {
    const double below = 0.5 * std::erfc(-x / std::numbers::sqrt2);
    const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = (below - p) / density;
    x -= std::clamp(step, -0.5, 0.5);
    if (std::abs(step) < 1e-13) break;
  }
  return x;
}

}  // namespace ptxlab::bench
