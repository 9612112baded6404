// SPDX-License-Identifier: Apache-2.0
// Texels that the host writes into an array of two dimensions for kernels that follow them: each
// holds the place of a texel's centre, in two channels of f32. The counterpart of words.hpp.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "driver/bench/lab.hpp"
#include "driver/cuda/texture_object.hpp"

namespace ptxlab::bench {

/// An array of `bytes` of f32; of three dimensions it has two planes of so many. Planes are as wide
/// as high, or twice as wide. Throws ptxlab::error for bytes that are no power of two, or fewer
/// than 512.
machine::texture_description array_of_places(const kernels::texture& t, std::uint64_t bytes);

/// One texel of 4 by 4 links to the next one, in the order of `how`; the others are zeros. So many
/// are taken for a line of 128 bytes: how they lie is not documented.
std::vector<std::byte> ring_texels(const machine::texture_description& d, kernels::ring::order how);

/// Every texel holds its own place.
std::vector<std::byte> own_texels(const machine::texture_description& d);

/// Makes the object and puts it into the variable `r.symbol` of the loaded kernel. It has to
/// outlive the launches. Throws ptxlab::error where the variable is missing or too small.
std::unique_ptr<cuda::texture_object> place_texels(lab& l, const kernels::ring& r,
                                                   const machine::texture_description& d,
                                                   const std::vector<std::byte>& texels);

}  // namespace ptxlab::bench
