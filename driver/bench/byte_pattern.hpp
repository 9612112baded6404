// SPDX-License-Identifier: Apache-2.0
// Bytes that a seed and their place make, as the kernels of kernels/transfer write and read them,
// and what a transfer made of them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace ptxlab::bench {

/// Bytes 4 i to 4 i + 3 are i * 2654435761 ^ seed, lowest first; the last ones may be fewer.
void write_pattern(std::span<unsigned char> to, std::uint32_t seed);

struct wrong_bytes {
  std::uint64_t count = 0, first = ~std::uint64_t{0};
  /// "3 of 1000 bytes are wrong, the first one at 17"; empty where none is.
  std::string text(std::uint64_t of) const;
};
/// How many bytes are not those of `seed`, and where the first one is.
wrong_bytes count_wrong(std::span<const unsigned char> in, std::uint32_t seed);

/// Two seeds whose patterns differ in every byte.
inline constexpr std::uint32_t first_seed = 0x3c96a55a, second_seed = ~first_seed;

}  // namespace ptxlab::bench
