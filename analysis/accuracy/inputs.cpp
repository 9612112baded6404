// SPDX-License-Identifier: Apache-2.0
#include "analysis/accuracy/inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "ptx/text/error.hpp"

namespace ptxlab::accuracy {
namespace {

/// Number `i` of a sequence that looks random: the output function of splitmix64 (Steele, Lea and
/// Flood, 2014) over a Weyl sequence.
std::uint64_t random_word(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

/// Place in the order of all floats, where -0 stands before 0.
std::int64_t place(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  const std::int64_t magnitude = bits & 0x7fffffff;
  return bits >> 31 != 0 ? -magnitude - 1 : magnitude;
}

std::uint32_t float_at(std::int64_t place) {
  return place < 0 ? 0x80000000U | static_cast<std::uint32_t>(-place - 1)
                   : static_cast<std::uint32_t>(place);
}

void need_ends(number of, double lowest, double highest) {
  const auto fits = [&](double x) {
    if (of == number::f32) return std::isinf(x) || static_cast<double>(static_cast<float>(x)) == x;
    const double low = of == number::s32 ? std::numeric_limits<std::int32_t>::min() : 0;
    const double high = of == number::s32 ? std::numeric_limits<std::int32_t>::max()
                                          : std::numeric_limits<std::uint32_t>::max();
    return x >= low && x <= high && x == std::floor(x);
  };
  if (std::isnan(lowest) || std::isnan(highest) || lowest > highest || !fits(lowest) ||
      !fits(highest))
    throw error(
        fmt::format("no operands from {} to {}: both have to be numbers of the type, the "
                    "smaller one first",
                    lowest, highest));
}

std::uint64_t size_of(std::int64_t lowest, std::int64_t highest) {
  return static_cast<std::uint64_t>(highest - lowest) + 1;
}

}  // namespace

inputs::inputs(const function& f, const ends& e, std::uint64_t samples)
    : of_(f.of), operands_(f.operands) {
  const auto span_from = [&](double lowest, double highest) {
    need_ends(of_, lowest, highest);
    if (of_ != number::f32)
      return span_of_numbers{static_cast<std::int64_t>(lowest), static_cast<std::int64_t>(highest)};
    return span_of_numbers{place(lowest), place(highest)};
  };
  x_ = span_from(e.lowest, e.highest);
  if (operands_ == 2) y_ = span_from(e.lowest_second, e.highest_second);
  if (samples == 0 && operands_ == 2)
    throw error(fmt::format("{} takes two numbers: there are too many to try all", f.name));
  const span_of_numbers& swept = operands_ == 2 ? y_ : x_;
  const std::uint64_t all = size_of(swept.lowest, swept.highest);
  count_ = samples == 0 ? all : samples;
  if (of_ != number::f32) return;
  if (count_ < all) {
    step_ = all / count_ | 1;
    count_ = (all + step_ - 1) / step_;
  } else {
    count_ = all;
  }
}

std::uint32_t inputs::integer(std::uint64_t random, unsigned length,
                              const span_of_numbers& s) const {
  const bool negative = s.lowest < 0 && random >> 63 != 0;
  auto x = static_cast<std::int64_t>(random & 0xffffffff);
  if (length < 32) x &= (std::int64_t{1} << length) - 1;
  if (length > 0) x |= std::int64_t{1} << (length - 1);
  return static_cast<std::uint32_t>(std::clamp(negative ? -x : x, s.lowest, s.highest));
}

void inputs::fill(std::uint64_t first, std::span<std::uint32_t> x,
                  std::span<std::uint32_t> y) const {
  const std::uint64_t n = std::min<std::uint64_t>(x.size(), count_ - first);
  if (operands_ == 1) {
    auto at = x_.lowest + static_cast<std::int64_t>(first * step_);
    for (std::uint64_t i = 0; i < n; ++i, at += static_cast<std::int64_t>(step_))
      x[i] = float_at(at);
    return;
  }
  const auto bits_of = [](const span_of_numbers& s) {
    const auto most = std::max(std::abs(s.lowest), std::abs(s.highest));
    return static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(most)));
  };
  const std::uint64_t all_x = size_of(x_.lowest, x_.highest);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t k = first + i, random = random_word(k);
    if (of_ == number::f32) {
      x[i] = float_at(x_.lowest + static_cast<std::int64_t>((random >> 32) * all_x >> 32));
      y[i] = float_at(y_.lowest + static_cast<std::int64_t>(k * step_));
      continue;
    }
    // As many of each length, from 1 bit for the second and 0 for the first.
    const std::uint64_t other = random_word(k ^ std::uint64_t{1} << 63);
    const auto length = static_cast<unsigned>(1 + k * bits_of(y_) / count_);
    x[i] = integer(random, static_cast<unsigned>((other >> 40) % (bits_of(x_) + 1)), x_);
    y[i] = integer(other, length, y_);
  }
}

slice slice_of(std::size_t length, std::size_t size, unsigned core, unsigned cores) {
  const std::size_t first = std::min(length, size * core / cores);
  return {first, std::min(length, size * (core + 1) / cores) - first};
}

}  // namespace ptxlab::accuracy
