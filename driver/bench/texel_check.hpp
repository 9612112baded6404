// SPDX-License-Identifier: Apache-2.0
// Textures to be checked: what a declaration asks for as a description, texels to fill it, places
// to read it at, and what is wrong with what was read. No GPU is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/bench/protocol.hpp"
#include "driver/bench/texel_reference.hpp"
#include "ptx/machine/texture.hpp"

namespace ptxlab::bench {

/// The texture of a point: axes "format", "edge", "filtered", "normalised" and "width", what is not
/// there being 0, and the width 1. Height and depth are the width too if `cube`; else half and a
/// quarter of it, rounded up; an array has three layers. Rows in pitched memory lie at least 32
/// bytes further apart than they are long, if not `cube`.
machine::texture_description described(const kernels::texture& t, const axes& at, bool cube);

/// Random texels: floats between -4 and 4; integers with the ends of their range among them.
std::vector<std::byte> random_texels(const machine::texture_description& d);

/// Where it is read: every edge of every dimension and what lies beyond, ties between weights,
/// infinities and NaN, then anywhere; `count` in all.
std::vector<texel_place> places_of(const machine::texture_description& d, std::size_t count);

struct texel_errors {
  std::uint64_t wrong = 0;   ///< places where the reference does not admit what was read
  std::uint64_t unlike = 0;  ///< places where a bit differs from what the PTX machine gives
  std::string first;         ///< the first wrong one: "at (1.5, nan): 0x3f800000 ..., not ..."
  /// Of a filter of f32: the largest distance from the interpolation with exact weights, as a part
  /// of the spread of the texels between which it lies; of spreads that are not small.
  std::optional<double> largest;
};
/// `read[i]` is what the fetch at `places[i]` gave.
texel_errors errors_of(const machine::texture_description& d, const std::vector<std::byte>& texels,
                       const std::vector<texel_place>& places,
                       const std::vector<texel_words>& read);

}  // namespace ptxlab::bench
