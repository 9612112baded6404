// SPDX-License-Identifier: Apache-2.0
#include "driver/bench/texel_walk.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "driver/bench/texel_reference.hpp"
#include "ptx/text/error.hpp"

namespace ptxlab::bench {
namespace {

constexpr unsigned lanes = 32, own = 8;  // texels of a tile, across and along
constexpr unsigned shift = 37;           // blocks by which tiles move on from round to round

}  // namespace

double texel_walk::texels() const {
  return 1.0 * plane.width * plane.height * plane.depth;
}

float texel_walk::offset() const {
  return plane.filter == machine::filter_mode::linear ? 0.75F : 0.5F;
}

void texel_walk::check() const {
  const unsigned across = columns ? plane.height : plane.width;
  const unsigned along = columns ? plane.width : plane.height;
  if (across % lanes != 0 || along % own != 0)
    throw error(fmt::format("{} x {} texels are no whole number of tiles of {} x {}", across, along,
                            lanes, own));
}

std::uint32_t texel_walk::folded(const std::vector<std::byte>& texels, unsigned block,
                                 unsigned thread) const {
  const texel_reference wanted(plane, texels);
  const std::uint64_t across = (columns ? plane.height : plane.width) / lanes;
  const std::uint64_t along = (columns ? plane.width : plane.height) / own;
  const std::uint64_t warps = block_threads / lanes;
  std::uint32_t out = 0;
  for (std::uint64_t round = 0; round < rounds; ++round)
    for (std::uint64_t tile = (block + round * shift) % blocks * warps + thread / lanes;
         tile < across * along * plane.depth; tile += blocks * warps)
      for (std::uint64_t k = 0; k < own; ++k) {
        const std::uint64_t a = tile % across * lanes + thread % lanes;
        const std::uint64_t b = tile / across % along * own + k;
        const auto at = [this](std::uint64_t i) {
          return std::bit_cast<std::uint32_t>(static_cast<float>(i) + offset());
        };
        const expected_texel e =
            wanted.at({at(columns ? b : a), at(columns ? a : b), at(tile / across / along), 0});
        for (unsigned c = 0; c < plane.channels; ++c)
          out ^= e.filtered ? std::bit_cast<std::uint32_t>(static_cast<float>(e.ranges[c].exact))
                            : e.any_of.front()[c];
      }
  return out;
}

std::vector<std::byte> exact_texels(const machine::texture_description& d) {
  std::vector<std::byte> out(machine::texture_bytes(d));
  for (std::size_t i = 0; i * sizeof(float) < out.size(); ++i) {
    const std::uint64_t mixed = (i + 1) * 0x9e3779b97f4a7c15;
    const auto v = static_cast<float>((mixed >> 50) * 256);
    std::memcpy(out.data() + i * sizeof v, &v, sizeof v);
  }
  return out;
}

}  // namespace ptxlab::bench
