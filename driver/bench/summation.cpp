// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/summation.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using kernels::summation;

/// No power of two divides it, so that what is read twice, or from elsewhere, has another sum.
constexpr std::uint64_t period = 100'003;

constexpr std::uint64_t most_blocks = (std::uint64_t{1} << 31) - 1;  // of a grid in x

unsigned blocks_for(std::uint64_t items, std::uint64_t of_a_block) {
  const std::uint64_t blocks = items == 0 ? 1 : (items - 1) / of_a_block + 1;
  if (blocks > most_blocks)
    throw error(fmt::format("{} blocks are more than a grid can have", blocks));
  return static_cast<unsigned>(blocks);
}

/// Bits of no order (splitmix64, Steele, Lea and Flood, 2014).
std::uint64_t bits_of(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// `n` numbers, the i-th of a period `count(i)` units.
template <typename T, typename F>
summands<T> made(std::uint64_t n, long double unit, F count) {
  summands<T> out;
  out.n = n;
  out.unit = unit;
  const std::uint64_t rest = n % period;
  std::uint64_t whole = 0, begun = 0;
  for (std::uint64_t i = 0; i < std::min(n, period); ++i) {
    const std::uint64_t c = count(i);
    whole += c;
    if (i < rest) begun += c;
    out.period.push_back(static_cast<T>(static_cast<T>(c) * static_cast<T>(unit)));
  }
  out.counts = n / period * whole + begun;
  return out;
}

template <typename T>
constexpr bool whole = std::is_integral_v<T>;

}  // namespace

std::vector<summation_launch> launches_of(const kernels::measurement& m, std::uint64_t n,
                                          unsigned resident) {
  const summation& s = m.sum;
  const std::uint64_t threads = m.threads.empty() ? 0 : m.threads.front();
  std::vector<summation_launch> out;
  switch (s.by) {
    case summation::leaves::sum:
    case summation::leaves::nothing: {
      if (s.tile == 0) throw error("a reduction of no tile");
      const unsigned step = std::max(1U, m.cluster_blocks);
      const std::uint64_t tiles = n == 0 ? 1 : (n - 1) / s.tile + 1;
      const auto blocks = static_cast<unsigned>(std::min<std::uint64_t>(resident, tiles));
      return {{n, (blocks + step - 1) / step * step}};
    }
    case summation::leaves::partials:
      if (s.tile < 2) throw error("a reduction whose tile is below 2 never ends");
      for (bool more = true; more;) {
        out.push_back({n, blocks_for(n, s.tile)});
        more = out.back().blocks > 1;
        n = out.back().blocks;
      }
      return out;
    case summation::leaves::in_place:
      if (s.unroll < 2 || threads == 0)
        throw error("a reduction in place whose unroll factor is below 2 never ends");
      for (; n > 1; n = std::max<std::uint64_t>(1, n / s.unroll))
        out.push_back({n, blocks_for(n / s.unroll, threads)});
      return out;
  }
  return out;
}

template <typename T>
std::vector<T> summands<T>::all() const {
  std::vector<T> out(n);
  for (std::uint64_t at = 0; at < n; at += period.size())
    std::copy_n(period.begin(), std::min<std::uint64_t>(period.size(), n - at),
                out.begin() + static_cast<std::ptrdiff_t>(at));
  return out;
}

template <typename T>
T summands<T>::sum() const {
  if constexpr (whole<T>)
    return static_cast<T>(counts);
  else
    return static_cast<T>(static_cast<long double>(counts) * unit);
}

template <typename T>
summands<T> exact_summands(std::uint64_t n) {
  if constexpr (whole<T>) {
    return made<T>(n, 1,
                   [](std::uint64_t i) -> std::uint64_t { return static_cast<T>(bits_of(i)); });
  } else {
    // Of many numbers most are 0: the others are 2.5 in the mean, and add up to less than `room`.
    constexpr std::uint64_t room = std::uint64_t{1} << std::numeric_limits<T>::digits;
    const std::uint64_t one_in = 1 + n / (room / 4);
    return made<T>(n, 1, [one_in](std::uint64_t i) -> std::uint64_t {
      const std::uint64_t bits = bits_of(i);
      return bits % one_in == 0 ? 1 + (bits >> 40) % 4 : 0;
    });
  }
}

template <typename T>
summands<T> real_summands(std::uint64_t n) {
  if constexpr (whole<T>) {
    return exact_summands<T>(n);
  } else {
    // 32 bits, so that the counts of 2^32 numbers fit 64.
    constexpr int digits = std::min(32, std::numeric_limits<T>::digits);
    return made<T>(n, std::ldexp(1.0L, -digits),
                   [](std::uint64_t i) { return (bits_of(i) >> (64 - digits)) | 1; });
  }
}

double additions_of(const kernels::measurement& m, const std::vector<summation_launch>& launches) {
  const summation& s = m.sum;
  const double threads = m.threads.empty() ? 1 : m.threads.front();
  double out = 64;  // the trees, and what is added to each of their leaves
  for (const summation_launch& l : launches) switch (s.by) {
      case summation::leaves::sum:
      case summation::leaves::nothing:
        out += static_cast<double>(l.n) / (threads * l.blocks);
        break;
      case summation::leaves::partials:
        out += s.tile / threads + 16;
        break;
      case summation::leaves::in_place:
        out += 2.0 * s.unroll;
        break;
    }
  // Rounded once to f32 behind sums of f64, whose errors are 2^29 times smaller.
  return s.wide ? 1 + out * 0x1p-29 : out;
}

template <typename T>
std::string wrong_sum(T result, const summands<T>& of, double additions) {
  bool right = result == of.sum();
  if constexpr (!whole<T>) {
    const long double exact = static_cast<long double>(of.counts) * of.unit;
    const long double most = exact * additions * std::numeric_limits<T>::epsilon() / 2;
    right = right || std::abs(result - exact) <= most;
  }
  return right ? "" : fmt::format("the sum is {}, not {}", result, of.sum());
}

#define PTXLAB_SUMMANDS(T)                               \
  template struct summands<T>;                           \
  template summands<T> exact_summands<T>(std::uint64_t); \
  template summands<T> real_summands<T>(std::uint64_t);  \
  template std::string wrong_sum<T>(T, const summands<T>&, double)
PTXLAB_SUMMANDS(float);
PTXLAB_SUMMANDS(double);
PTXLAB_SUMMANDS(std::uint32_t);
PTXLAB_SUMMANDS(std::uint64_t);
#undef PTXLAB_SUMMANDS

}  // namespace ptxlab::bench
