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

}  // namespace

void write_pattern(std::span<unsigned char> to, std::uint32_t seed) {
  for (std::size_t at = 0; at < to.size(); at += 4) {
    const std::uint32_t word = word_of(at / 4, seed);
    std::memcpy(&to[at], &word, std::min<std::size_t>(4, to.size() - at));  // of a PC: lowest first
  }
}

wrong_bytes count_wrong(std::span<const unsigned char> in, std::uint32_t seed) {
  wrong_bytes out;
  for (std::size_t at = 0; at < in.size(); at += 4) {
    const std::uint32_t word = word_of(at / 4, seed);
    const std::size_t n = std::min<std::size_t>(4, in.size() - at);
    if (std::memcmp(&in[at], &word, n) == 0) continue;
    for (std::size_t k = at; k < at + n; ++k) {
      if (in[k] == static_cast<unsigned char>(word >> 8 * (k - at))) continue;
      ++out.count;
      out.first = std::min<std::uint64_t>(out.first, k);
    }
  }
  return out;
}

std::string wrong_bytes::text(std::uint64_t of) const {
  if (count == 0) return "";
  return fmt::format("{} of {} bytes are wrong, the first one at {}", count, of, first);
}

}  // namespace ptxlab::bench
