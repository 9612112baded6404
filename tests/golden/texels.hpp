// SPDX-License-Identifier: Apache-2.0
// The textures of golden cases: what they are, and what lies in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/machine/texture.hpp"

namespace ptxlab::golden {

enum class texel_content : std::uint8_t {
  ordinary,  ///< random, of floats between -4 and 4; now and then an end of an integer's range
  steps,     ///< 0 and 1 in turns, so that a linear filter gives its weights
  ramp,      ///< equal steps from the least number of an integer to the largest
  wild       ///< floats of all exponents, infinities, NaNs
};

/// A texture object; texture_description::at is not used.
struct textured {
  machine::texture_description what;
  texel_content content = texel_content::ordinary;
};

/// Bytes of all texels, the same on every host: as memory holds them, or an array without gaps.
std::vector<std::byte> texels_of(const textured& t);

}  // namespace ptxlab::golden
