// SPDX-License-Identifier: Apache-2.0
// What a texture fetch gives: which texels it reads, and with which weights. CUDA C++ Programming
// Guide, appendix "Texture Fetching"; what it leaves open is as measured on an H200 (tests/golden,
// part textures). Pure functions of a description and of bytes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "ptx/machine/texture.hpp"

namespace ptxlab::machine {

/// A coordinate where a linear filter reads: the lower texel, and the share of the next one.
struct filter_position {
  std::int64_t texel = 0;
  std::uint32_t weight = 0;  ///< of 256: "9-bit fixed point with 8 bits of fractional value"
};
/// `x`: texels, half a texel subtracted; NaN is taken as 0. Rounds to 8 bits, to the nearest and
/// halves up, as measured on an H200.
filter_position fixed(double x);

/// The texels that one fetch reads.
struct footprint {
  struct corner {
    std::uint64_t offset = 0;  ///< bytes from texture_description::at
    std::uint32_t weight = 0;  ///< of 256, rounded
    bool inside = false;       ///< else it is border, or nothing
    bool counts = false;       ///< has a weight before it is rounded: an infinity is seen
  };
  std::array<corner, 8> corners;  ///< x varies first, then y, then z
  unsigned count = 0;
  bool filters = false;         ///< weights are used, and their sum is 256
  bool beyond_is_zero = false;  ///< what is not inside is zeros; else the border colour
};

/// A fetch by floating coordinates, with the texture's filter. Layers beyond the last are the last.
footprint at_coordinates(const texture_description& d, const std::array<float, 3>& x,
                         std::uint32_t layer);

/// What a fetch by texel number gives beyond the texture and its layers, whatever its address mode.
enum class beyond : std::uint8_t {
  zero,  ///< tex and tex.base
  clamp  ///< tex.level
};
/// A fetch by texel number: no filter. Of a texture of shape 1d that is no linear memory it gives
/// zeros, as measured on an H200.
footprint at_texel(const texture_description& d, const std::array<std::int32_t, 3>& x,
                   std::uint32_t layer, beyond b = beyond::zero);
/// The four texels that a linear filter of a 2D texture would read, whatever its filter (tld4).
footprint around(const texture_description& d, const std::array<float, 3>& x, std::uint32_t layer);

/// What the four registers of a tex get: bits of floats, or integers extended to 32 bits.
/// A channel that the texel does not have is 0, the fourth too: measured, PTX ISA does not say.
/// `texels`: host address of texture_description::at.
std::array<std::uint32_t, 4> sample(const texture_description& d, const footprint& f,
                                    const std::byte* texels);
/// The four registers of a tld4: channel 0 to 3 of texels (x, y+1), (x+1, y+1), (x+1, y), (x, y),
/// which is "counter-clockwise starting at lower left" (PTX ISA 9.0, tld4).
std::array<std::uint32_t, 4> gather(const texture_description& d, const footprint& f,
                                    unsigned channel, const std::byte* texels);

}  // namespace ptxlab::machine
