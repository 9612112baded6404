// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/array_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <random>
#include <string>

#include "driver/bench/words.hpp"

namespace ptxlab::bench {
namespace {

constexpr std::uint32_t block = 4;  // texels of 8 bytes, each way

struct texel {
  std::uint32_t x, y;
};

/// Writes into texel `at` where texel `to` is.
void put(std::vector<std::byte>& texels, const machine::texture_description& d, texel at,
         texel to) {
  const float place[] = {static_cast<float>(to.x) + 0.5F, static_cast<float>(to.y) + 0.5F};
  std::memcpy(texels.data() + (std::size_t{at.y} * d.width + at.x) * sizeof place, place,
              sizeof place);
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
  const int texels = std::countr_zero(bytes) - 3, rows = texels / 2;  // of 8 bytes
  d.height = 1U << rows;
  d.width = 1U << (texels - rows);
  return d;
}

std::vector<std::byte> ring_texels(const machine::texture_description& d,
                                   kernels::ring::order how) {
  std::vector<std::byte> texels(machine::texture_bytes(d));
  std::vector<texel> links;
  for (std::uint32_t y = 0; y < d.height; y += block)
    for (std::uint32_t x = 0; x < d.width; x += block) links.push_back({x, y});
  if (how == kernels::ring::order::random)
    std::shuffle(links.begin() + 1, links.end(), std::mt19937(1));
  for (std::size_t i = 0; i < links.size(); ++i)
    put(texels, d, links[i], links[(i + 1) % links.size()]);
  return texels;
}

std::vector<std::byte> own_texels(const machine::texture_description& d) {
  std::vector<std::byte> texels(machine::texture_bytes(d));
  for (std::uint32_t y = 0; y < d.height; ++y)
    for (std::uint32_t x = 0; x < d.width; ++x) put(texels, d, {x, y}, {x, y});
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
