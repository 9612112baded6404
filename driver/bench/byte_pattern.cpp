// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/byte_pattern.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace ptxlab::bench {
namespace {

std::uint32_t word_of(std::uint64_t i, std::uint32_t seed) {
  return static_cast<std::uint32_t>(i) * 2654435761U ^ seed;
}

unsigned char byte_of(std::uint64_t k, std::uint32_t seed) {
  return static_cast<unsigned char>(word_of(k / 4, seed) >> 8 * (k % 4));
}

}  // namespace

// A GiB passes through both: what is not whole words is left to the end.

void write_pattern(std::span<unsigned char> to, std::uint32_t seed) {
  const std::size_t whole = to.size() / 4;
  for (std::size_t i = 0; i < whole; ++i) {
    const std::uint32_t word = word_of(i, seed);
    std::memcpy(to.data() + 4 * i, &word, 4);  // the host, too, has the lowest byte first
  }
  for (std::size_t k = 4 * whole; k < to.size(); ++k) to[k] = byte_of(k, seed);
}

wrong_bytes count_wrong(std::span<const unsigned char> in, std::uint32_t seed) {
  wrong_bytes out;
  const auto look_at = [&](std::size_t k) {
    if (in[k] == byte_of(k, seed)) return;
    ++out.count;
    out.first = std::min<std::uint64_t>(out.first, k);
  };
  const std::size_t whole = in.size() / 4;
  for (std::size_t i = 0; i < whole; ++i) {
    std::uint32_t word = 0;
    std::memcpy(&word, in.data() + 4 * i, 4);
    if (word == word_of(i, seed)) continue;
    for (std::size_t k = 4 * i; k < 4 * i + 4; ++k) look_at(k);
  }
  for (std::size_t k = 4 * whole; k < in.size(); ++k) look_at(k);
  return out;
}

std::string wrong_bytes::text(std::uint64_t of) const {
  if (count == 0) return "";
  return fmt::format("{} of {} bytes are wrong, the first one at {}", count, of, first);
}

}  // namespace ptxlab::bench
