// SPDX-License-Identifier: Apache-2.0
// What a kernel that walks a whole texture reads: its tiles, and the word that a thread folds from
// them. kernels/texture/walk.cu does the same on the device.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ptx/machine/texture.hpp"

namespace ptxlab::bench {

/// A launch over `plane`, whose texels are gapless and f32 in every channel.
struct texel_walk {
  machine::texture_description plane;
  unsigned blocks = 1, block_threads = 32, rounds = 1;
  bool columns = false;

  /// Texels that are read in a round.
  double texels() const;
  /// What is added to a texel's number for its coordinate: its middle, or with a filter a quarter
  /// further on.
  float offset() const;
  /// Throws ptxlab::error, one line, for a plane that whole tiles do not cover.
  void check() const;
  /// The exclusive or of the bits that thread `thread` of block `block` reads, in all rounds.
  std::uint32_t folded(const std::vector<std::byte>& texels, unsigned block, unsigned thread) const;
};

/// Texels whose blends by quarters are exact: multiples of 256 below 2^22, no two alike nearby.
std::vector<std::byte> exact_texels(const machine::texture_description& d);

}  // namespace ptxlab::bench
