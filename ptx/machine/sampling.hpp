// SPDX-License-Identifier: Apache-2.0
// What a texture fetch gives: which texels it reads, with which weights, and their sum. CUDA C++
// Programming Guide, appendix "Texture Fetching". Pure functions of a description and of bytes.
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
/// `x`: texels, half a texel subtracted; NaN is taken as 0. The one place that rounds to 8 bits, to
/// the nearest and halves up: the guide does not say how, it is to be measured on a device.
filter_position fixed(double x);

/// The texels that one fetch reads.
struct footprint {
  struct corner {
    std::uint64_t offset = 0;  ///< bytes from texture_description::at
    std::uint32_t weight = 0;  ///< of 256 to the power of the dimensions
    bool inside = false;       ///< else it is border, or nothing
  };
  std::array<corner, 8> corners;  ///< x varies first, then y, then z
  unsigned count = 0;
  unsigned weight_bits = 0;     ///< the weights' sum is 2 to this; 0 for a fetch without filter
  bool beyond_is_zero = false;  ///< what is not inside is zeros; else the border colour
};

/// A fetch by floating coordinates, with the texture's filter. Layers beyond the last are the last,
/// as in Direct3D; neither CUDA's guide nor PTX ISA says so: to be measured on a device.
footprint at_coordinates(const texture_description& d, const std::array<float, 3>& x,
                         std::uint32_t layer);
/// A fetch by texel number: no filter and no address mode; beyond the texture are zeros.
footprint at_texel(const texture_description& d, const std::array<std::int32_t, 3>& x,
                   std::uint32_t layer);
/// The four texels that a linear filter of a 2D texture would read, whatever its filter (tld4).
footprint around(const texture_description& d, const std::array<float, 3>& x, std::uint32_t layer);

/// What the four registers of a tex get: bits of floats, or integers extended to 32 bits.
/// A channel that the texel does not have is 0, the fourth 1 (as for Direct3D's and OpenCL's R and
/// RG formats; PTX ISA does not say). `texels`: host address of texture_description::at.
std::array<std::uint32_t, 4> sample(const texture_description& d, const footprint& f,
                                    const std::byte* texels);
/// The four registers of a tld4: channel 0 to 3 of texels (x, y+1), (x+1, y+1), (x+1, y), (x, y),
/// which is "counter-clockwise starting at lower left" (PTX ISA 9.0, tld4).
std::array<std::uint32_t, 4> gather(const texture_description& d, const footprint& f,
                                    unsigned channel, const std::byte* texels);

}  // namespace ptxlab::machine
