// SPDX-License-Identifier: Apache-2.0
// Words that the host writes for kernels that cannot write them: in constant memory and behind a
// texture object.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "driver/bench/lab.hpp"
#include "driver/cuda/texture.hpp"

namespace ptxlab::bench {

/// `footprint` bytes of links: one every `stride` bytes, each the index of the next one's word.
std::vector<std::uint32_t> ring_words(const kernels::ring& r, std::uint64_t footprint,
                                      std::uint64_t stride);

/// `footprint` bytes of words that name themselves, each by what `r` says a link is.
std::vector<std::uint32_t> own_words(const kernels::ring& r, std::uint64_t footprint);

/// Puts a texture object where the loaded kernel reads it: into the variable `r.symbol`. Throws
/// ptxlab::error where that is missing or too small.
void place_object(lab& l, const kernels::ring& r, CUtexObject object);

/// Puts `words` where the loaded kernel reads them: into the variable `r.symbol`, `offset` bytes
/// behind its start, or into memory that a texture object covers, which is put there. The object
/// has to outlive the launches. Throws ptxlab::error where the variable is missing or too small, or
/// does not hold what was written when it is read back.
std::optional<cuda::texture> place_words(lab& l, const kernels::ring& r,
                                         const std::vector<std::uint32_t>& words,
                                         std::uint64_t offset = 0);

}  // namespace ptxlab::bench
