// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a texture's linear filter, bit for bit as measured on an H200 (tests/golden,
// part textures): no document says it.
#pragma once

#include <cstdint>
#include <span>

#include "ptx/machine/texture.hpp"

namespace ptxlab::machine {

/// One channel of a texel that a filter reads.
struct filter_term {
  std::uint32_t bits = 0;    ///< of a float (f16 is widened), or an integer extended to 32 bits
  std::uint32_t weight = 0;  ///< of 256
  bool counts = false;       ///< had a weight before weights were rounded: an infinity is seen
};

/// Bits of the float that a linear filter gives, for channels of any type but integers of 32 bits.
/// `terms`: 2, 4 or 8, x first, then y, then z; their weights' sum is 256.
std::uint32_t blended(channel_type t, std::span<const filter_term> terms);

/// The border colour as texels of the type could have it: a fraction is cut to the type's range and
/// rounded to its steps, halves towards zero; a float to f16's numbers. Integers stay what they
/// are. The result is as filter_term::bits.
std::uint32_t border_bits(const texture_description& d, unsigned channel);

/// An f16 as bits of a float; NaN keeps its payload.
std::uint32_t widened_half(std::uint16_t h);

}  // namespace ptxlab::machine
