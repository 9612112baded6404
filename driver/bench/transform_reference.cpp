// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/transform_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

namespace ptxlab::bench {
namespace {

/// Between -1 and 1, of 24 bits: the same numbers with every standard library.
class numbers {
 public:
  float next() {
    return static_cast<float>(static_cast<int>(from_() >> 8) - (1 << 23)) / (1 << 23);
  }

 private:
  std::mt19937 from_{2012};
};

bool same_bits(float a, float b) {
  return std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace

float transform_element(const std::vector<float>& from, const std::vector<float>& weights,
                        std::size_t j) {
  float sum = 0;
  std::size_t at = j % from.size();
  for (const float w : weights) {
    sum = std::fma(w, from[at], sum);
    if (++at == from.size()) at = 0;
  }
  return sum * (1 / static_cast<float>(weights.size()));
}

std::vector<float> transform_step(const std::vector<float>& from,
                                  const std::vector<float>& weights) {
  std::vector<float> to(from.size());
  for (std::size_t j = 0; j < to.size(); ++j) to[j] = transform_element(from, weights, j);
  return to;
}

std::vector<float> real_weights(unsigned terms) {
  // One of 0.9 of the whole and the rest at random: the sum of their sizes is at most the divisor.
  numbers any;
  std::vector<float> out(terms);
  for (float& w : out) w = 0.1F * any.next();
  out[terms / 2] += 0.9F * static_cast<float>(terms);
  return out;
}

std::vector<float> first_elements(unsigned n) {
  numbers any;
  std::vector<float> out(n);
  for (float& x : out) x = any.next();
  return out;
}

std::vector<std::size_t> looked_at(std::size_t n, std::size_t terms, std::size_t most_terms) {
  const std::size_t count = std::clamp<std::size_t>(most_terms / std::max<std::size_t>(terms, 1),
                                                    std::min<std::size_t>(n, 64), n);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back(count == 1 ? 0 : i * (n - 1) / (count - 1));
  return out;
}

std::string wrong_elements(const std::string& name, const std::vector<float>& from,
                           const std::vector<float>& to, const std::vector<float>& weights,
                           const std::vector<std::size_t>& which) {
  std::string first;
  std::size_t wrong = 0;
  for (const std::size_t j : which) {
    const float expected = transform_element(from, weights, j);
    if (same_bits(expected, to[j])) continue;
    if (wrong++ == 0) first = fmt::format("{}[{}] is {}, not {}", name, j, to[j], expected);
  }
  if (wrong == 0) return "";
  return fmt::format("{}; {} of {} looked at are wrong", first, wrong, which.size());
}

double transform_ns(unsigned n, unsigned terms, unsigned blocks, unsigned threads, const sizes& s) {
  constexpr double cycles_of_term = 45, cycles_of_warp = 2.5, ns_of_cycle = 0.5, ns_of_step = 1000;
  const double grid = static_cast<double>(blocks) * threads;
  const double elements = std::ceil(n / grid);  // of a thread
  const double warps = std::ceil(static_cast<double>(blocks) / s.multiprocessors) * threads / 32;
  const double term = std::max(cycles_of_term, cycles_of_warp * warps);
  return 2 * (elements * terms * term * ns_of_cycle + ns_of_step);
}

}  // namespace ptxlab::bench
