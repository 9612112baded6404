// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/array_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <random>
#include <string>

#include "driver/bench/words.hpp"

namespace ptxlab::bench {
namespace {

constexpr std::uint32_t block = 4;  // texels of 8 bytes, each way

/// Writes into texel `at` where texel `to` is.
void put(std::vector<std::byte>& texels, const machine::texture_description& d, std::uint64_t at,
         std::uint64_t to) {
  const float place[] = {static_cast<float>(to % d.width) + 0.5F,
                         static_cast<float>(to / d.width) + 0.5F};
  std::memcpy(texels.data() + at * sizeof place, place, sizeof place);
}

}  // namespace

machine::texture_description array_of_places(const kernels::texture& t, std::uint64_t bytes) {
  if (!std::has_single_bit(bytes) || bytes < 512)
    throw error(fmt::format("an array of {} bytes of places: a power of two, at least 512", bytes));
  machine::texture_description d;
  d.storage = machine::texel_storage::array;
  d.shape = machine::texture_shape::d2;
  d.channels = 2;
  if (t.filtered.front()) d.filter = machine::filter_mode::linear;
  const std::uint64_t texels = bytes / machine::texel_bytes(d);
  d.height = 1U << (std::bit_width(texels) - 1) / 2;
  d.width = static_cast<std::uint32_t>(texels / d.height);
  return d;
}

std::vector<std::byte> ring_texels(const machine::texture_description& d,
                                   kernels::ring::order how) {
  std::vector<std::byte> texels(machine::texture_bytes(d));
  std::vector<std::uint64_t> links;
  for (std::uint64_t y = 0; y < d.height; y += block)
    for (std::uint64_t x = 0; x < d.width; x += block) links.push_back(y * d.width + x);
  if (how == kernels::ring::order::random)
    std::shuffle(links.begin() + 1, links.end(), std::mt19937(1));
  for (std::size_t i = 0; i < links.size(); ++i)
    put(texels, d, links[i], links[(i + 1) % links.size()]);
  return texels;
}

std::vector<std::byte> own_texels(const machine::texture_description& d) {
  std::vector<std::byte> texels(machine::texture_bytes(d));
  for (std::uint64_t i = 0; i < std::uint64_t{d.width} * d.height; ++i) put(texels, d, i, i);
  return texels;
}

std::unique_ptr<cuda::texture_object> place_texels(lab& l, const kernels::ring& r,
                                                   const machine::texture_description& d,
                                                   const std::vector<std::byte>& texels) {
  machine::check(d, cuda::limits_of(l.gpu()));
  auto bound = std::make_unique<cuda::texture_object>(d, texels);
  place_object(l, r, bound->object());
  return bound;
}

}  // namespace ptxlab::bench
