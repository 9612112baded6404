// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::bench {
namespace {

using kernels::ring;

void upload(CUdeviceptr to, const void* from, std::size_t bytes, const char* what) {
  cuda::check(cuda::library::get().cuMemcpyHtoD(to, from, bytes), "cuMemcpyHtoD", what);
}

}  // namespace

std::vector<std::uint32_t> ring_words(const ring& r, std::uint64_t footprint,
                                      std::uint64_t stride) {
  std::vector<std::uint32_t> order(footprint / stride);
  std::iota(order.begin(), order.end(), 0U);
  if (r.how == ring::order::random) std::shuffle(order.begin() + 1, order.end(), std::mt19937(1));
  std::vector<std::uint32_t> words(footprint / 4);
  const std::uint64_t step = stride / 4;
  for (std::size_t i = 0; i < order.size(); ++i)
    words[order[i] * step] = static_cast<std::uint32_t>(order[(i + 1) % order.size()] * step);
  return words;
}

std::vector<std::uint32_t> own_words(const ring& r, std::uint64_t footprint) {
  std::vector<std::uint32_t> words(footprint / 4);
  const std::uint32_t each = r.what == ring::link::index ? 1 : 4;
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = static_cast<std::uint32_t>(i) * each;
  return words;
}

void place_object(lab& l, const ring& r, CUtexObject object) {
  const auto [variable, room] = l.loaded().global(std::string(r.symbol));
  if (room < sizeof object)
    throw error(fmt::format("{} has {} bytes, not {}", r.symbol, room, sizeof object));
  upload(variable, &object, sizeof object, "a texture object");
}

std::optional<cuda::texture> place_words(lab& l, const ring& r,
                                         const std::vector<std::uint32_t>& words,
                                         std::uint64_t offset) {
  const std::uint64_t bytes = words.size() * sizeof(std::uint32_t);
  if (r.where == ring::memory::constant) {
    const auto [variable, room] = l.loaded().global(std::string(r.symbol));
    if (room < offset + bytes)
      throw error(fmt::format("{} has {} bytes, not {}", r.symbol, room, offset + bytes));
    upload(variable + offset, words.data(), bytes, "words of constant memory");
    if (cuda::download<std::uint32_t>(variable + offset, words.size()) != words)
      throw error(fmt::format("{} does not hold what was written {} bytes behind its start",
                              r.symbol, offset));
    return std::nullopt;
  }
  const CUdeviceptr memory = l.memory(bytes);
  upload(memory, words.data(), bytes, "words of a texture");
  std::optional<cuda::texture> bound;
  bound.emplace(memory, bytes);
  place_object(l, r, bound->object());
  return bound;
}

}  // namespace ptxlab::bench
