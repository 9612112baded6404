// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/sort_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <random>
#include <tuple>

#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

using u32 = std::uint32_t;
using key = std::tuple<bool, std::uint64_t>;  // smaller goes first

constexpr unsigned three = 3;

u32 bits(float x) {
  return std::bit_cast<u32>(x);
}

/// A number that grows with a float's total order, and back.
u32 total_order(u32 b) {
  return (b >> 31) != 0 ? ~b : b | 0x80000000U;
}
u32 from_total_order(u32 coded) {
  return (coded >> 31) != 0 ? coded & 0x7fffffff : ~coded;
}

/// The keys of element i, as something to compare.
key key_of(const kernels::sort& s, const sort_words& words, std::size_t n, std::size_t i) {
  if (!s.three_keys)
    return {false, s.of == kernels::number::f32 ? total_order(words[i]) : words[i]};
  if (std::bit_cast<std::int32_t>(words[i]) <= 0) return {true, 0};
  const std::uint64_t level = words[n + i] ^ 0x80000000U;
  return {false, ~(level << 32 | total_order(words[2 * n + i]))};
}

std::vector<key> keys_of(const kernels::sort& s, const sort_words& words, unsigned n) {
  std::vector<key> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = key_of(s, words, n, i);
  return out;
}

/// Where each element of the sorted sequence stands in `words`.
std::vector<u32> stable_order(const kernels::sort& s, const sort_words& words, unsigned n) {
  const std::vector<key> keys = keys_of(s, words, n);
  std::vector<u32> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(), [&](u32 a, u32 b) { return keys[a] < keys[b]; });
  return order;
}

sort_words taken(const sort_words& words, unsigned rows, const std::vector<u32>& order) {
  const std::size_t n = order.size();
  sort_words out(words.size());
  for (std::size_t r = 0; r < rows; ++r)
    for (std::size_t i = 0; i < n; ++i) out[r * n + i] = words[r * n + order[i]];
  return out;
}

/// Keys alone: equal ones cannot be told apart, so that no order has to be kept.
sort_words sorted_keys(const kernels::sort& s, sort_words keys) {
  const bool floats = s.of == kernels::number::f32;
  if (floats) std::transform(keys.begin(), keys.end(), keys.begin(), total_order);
  std::sort(keys.begin(), keys.end());
  if (floats) std::transform(keys.begin(), keys.end(), keys.begin(), from_total_order);
  return keys;
}

/// One of a few keys, those that are likely to be put wrong.
u32 special(const kernels::sort& s, u32 random) {
  using limits = std::numeric_limits<float>;
  static const std::array<u32, 12> floats = {bits(limits::quiet_NaN()),
                                             bits(-limits::quiet_NaN()),
                                             0x7fffffff,
                                             0xffffffff,
                                             bits(limits::infinity()),
                                             bits(-limits::infinity()),
                                             bits(0.0F),
                                             bits(-0.0F),
                                             bits(limits::denorm_min()),
                                             bits(-1.5F),
                                             bits(1.5F),
                                             bits(limits::max())};
  static const std::array<u32, 6> integers = {0, 1, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  return s.of == kernels::number::f32 ? floats[random % floats.size()]
                                      : integers[random % integers.size()];
}

/// Keys in no order: with many ties where there are three.
sort_words unordered(const kernels::sort& s, unsigned n, bool few) {
  std::mt19937 next(n + 1);
  const kernels::sort floats{.of = kernels::number::f32};
  sort_words out(std::size_t{n} * sort_rows(s));
  for (std::size_t i = 0; i < n; ++i) {
    if (!s.three_keys) {
      const u32 random = next();
      out[i] = few ? special(s, random) : random;
      continue;
    }
    out[i] = next() % 4 == 0 ? 0 : next() % 9 - 1;  // some below 0: not placed either
    out[n + i] = static_cast<u32>(next() % 7) - 3;  // levels of both signs
    out[2 * n + i] = few ? special(floats, next()) : bits(static_cast<float>(next() % 64));
    for (std::size_t c = 0; c < s.columns; ++c)
      out[(three + c) * n + i] = static_cast<u32>(i * s.columns + c + 1);
  }
  return out;
}

/// Counts by merging.
std::uint64_t merge_count(std::vector<key>& keys, std::vector<key>& other, std::size_t begin,
                          std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = begin + (end - begin) / 2;
  std::uint64_t out =
      merge_count(keys, other, begin, middle) + merge_count(keys, other, middle, end);
  std::size_t left = begin, right = middle;
  for (std::size_t to = begin; to < end; ++to) {
    if (right == end || (left < middle && !(keys[right] < keys[left]))) {
      other[to] = keys[left++];
    } else {
      out += middle - left;
      other[to] = keys[right++];
    }
  }
  const auto at = [](std::vector<key>& v, std::size_t i) {
    return v.begin() + static_cast<std::ptrdiff_t>(i);
  };
  std::copy(at(other, begin), at(other, end), at(keys, begin));
  return out;
}

}  // namespace

const char* name(disorder d) {
  constexpr const char* names[] = {"random", "sorted", "nearly sorted", "reversed", "equal", "few"};
  return names[static_cast<int>(d)];
}

unsigned sort_rows(const kernels::sort& s) {
  return s.three_keys ? three + s.columns : 1;
}

sort_words sort_input(const kernels::sort& s, disorder d, unsigned n) {
  if (s.of != kernels::number::u32 && s.of != kernels::number::f32)
    throw error("only u32 and f32 are sorted");
  sort_words out = unordered(s, n, d == disorder::few);
  if (d == disorder::random || d == disorder::few) return out;
  if (d == disorder::equal) {
    for (std::size_t r = 0; r < (s.three_keys ? three : 1); ++r)
      for (std::size_t i = 0; i < n; ++i) out[r * n + i] = s.three_keys ? 5 : out[0];
    return out;
  }
  out = sort_expected(s, out, n);
  if (d == disorder::sorted) return out;
  std::vector<u32> order(n);
  std::iota(order.begin(), order.end(), 0U);
  if (d == disorder::reversed) std::reverse(order.begin(), order.end());
  if (d == disorder::nearly) {
    std::mt19937 next(n);
    for (std::size_t i = 0; i < n; i += nearly_places)
      std::shuffle(
          order.begin() + static_cast<std::ptrdiff_t>(i),
          order.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, i + nearly_places)),
          next);
  }
  return taken(out, sort_rows(s), order);
}

sort_words sort_expected(const kernels::sort& s, const sort_words& in, unsigned n) {
  if (!s.three_keys) return sorted_keys(s, in);
  return taken(in, sort_rows(s), stable_order(s, in, n));
}

std::string sort_difference(const sort_words& seen, const sort_words& wanted) {
  if (seen.size() != wanted.size())
    return fmt::format("{} words instead of {}", seen.size(), wanted.size());
  std::size_t wrong = 0, first = 0;
  for (std::size_t i = seen.size(); i-- > 0;) {
    if (seen[i] == wanted[i]) continue;
    ++wrong;
    first = i;
  }
  if (wrong == 0) return "";
  return fmt::format("{} of {} words are wrong, the first is word {}: {}, not {}", wrong,
                     seen.size(), first, seen[first], wanted[first]);
}

std::uint64_t inversions(const kernels::sort& s, const sort_words& in, unsigned n) {
  std::vector<key> keys = keys_of(s, in, n), other(n);
  return merge_count(keys, other, 0, n);
}

std::uint64_t comparisons_of(std::uint64_t passes, std::uint64_t n) {
  if (n < 2) return 0;
  return (passes + 1) / 2 * (n / 2) + passes / 2 * ((n - 1) / 2);
}

unsigned zero_orders(const sort_words& in, unsigned n) {
  return static_cast<unsigned>(std::count(in.begin(), in.begin() + n, 0U));
}

}  // namespace ptxlab::bench
