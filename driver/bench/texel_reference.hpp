// SPDX-License-Identifier: Apache-2.0
// What a texture fetch must give, by the CUDA C++ Programming Guide, appendix "Texture Fetching":
// its formulas, in double precision, and nothing of the machine's. Where the guide leaves something
// open there is a range, as wide as it leaves open and no wider.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "ptx/machine/texture.hpp"

namespace ptxlab::bench {

/// Where a fetch reads: bits of x, y and z as floats (in linear memory the texel's number instead
/// of x), and the layer.
using texel_place = std::array<std::uint32_t, 4>;
/// The four registers that a fetch gives.
using texel_words = std::array<std::uint32_t, 4>;

/// What one fetch may give.
struct expected_texel {
  struct range {
    double low = 0, high = 0;
    double exact = 0;   ///< with weights that are not rounded, at the place itself
    double spread = 0;  ///< between the texels that have a weight
  };
  unsigned channels = 1;  ///< behind them are zeros
  bool filtered = false;
  std::array<range, 4> ranges;      ///< filtered: of each channel
  std::vector<texel_words> any_of;  ///< else: one of these
  bool fractions = false;           ///< of integers: the last digit may differ

  bool admits(const texel_words& got) const;
};

/// One texture. What is open in the guide, and what is taken:
///  * How a filter's position comes to its 8 digits behind the point: within one step, either way.
///  * Whether products of weights are rounded, too: each of two in 2D, of six in 3D, by half a
///  step.
///  * Digits of a normalised coordinate: at least 20 behind the point.
///  * The digits of what a filter gives: those of the texels' floats; 16 bits of fractions.
///  * Whether the least signed number, which reads as -1, is less than that in a filter: either
///  way.
///  * NaN as a coordinate, and infinity where it is to be repeated: as 0. Subnormal ones: as 0. A
///    channel that is not there: 0. These three are as an H200 has them.
///  * ptxas makes a fetch in two dimensions of one in an array of one dimension, the second
///    coordinate being 0: half of what a filter then gives is border, where there is one.
class texel_reference {
 public:
  /// `texels` as cuda::texture_object takes them; they have to outlive this.
  texel_reference(const machine::texture_description& d, std::span<const std::byte> texels)
      : d_(d), texels_(texels) {}
  expected_texel at(const texel_place& p) const;

 private:
  /// Texels from the first one's centre, or, unfiltered, from its edge.
  struct position {
    double low = 0, high = 0, middle = 0;
  };
  using positions = std::array<position, 3>;
  using indices = std::array<std::int64_t, 3>;

  machine::address_mode mode(unsigned dimension) const;
  std::int64_t size(unsigned dimension) const;
  unsigned dimensions() const;
  bool filters() const;
  position position_of(unsigned dimension, std::uint32_t word) const;
  /// Offset of a texel, or -1 for border.
  std::int64_t offset(const indices& at, std::uint32_t layer) const;
  std::uint32_t word(std::int64_t offset, unsigned channel) const;
  double value(std::int64_t offset, unsigned channel) const;
  texel_words words(std::int64_t offset) const;
  std::vector<texel_words> unfiltered(const positions& at, std::uint32_t layer) const;
  double blend(const std::array<double, 3>& at, std::uint32_t layer, unsigned channel,
               double& least, double& most) const;
  expected_texel::range filtered(const positions& at, std::uint32_t layer, unsigned channel) const;

  machine::texture_description d_;
  std::span<const std::byte> texels_;
};

}  // namespace ptxlab::bench
