// SPDX-License-Identifier: Apache-2.0
// How large a texture may be, and how its texels have to lie: of sm_90, or of a device that was
// asked.
#pragma once

#include <cstdint>
#include <string>

#include "ptx/machine/texture.hpp"

namespace ptxlab::machine {

/// Most texels in each direction, and layers.
struct texture_extents {
  std::uint64_t width = 1, height = 1, depth = 1, layers = 1;
};

/// As first given: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability",
/// column 9.0; pitch and alignments are attributes of an sm_90 (CU_DEVICE_ATTRIBUTE_...).
struct texture_limits {
  std::string of = "sm_90";  ///< whose, for messages
  /// For linear memory the driver may allow less for wide texels
  /// (cuDeviceGetTexture1DLinearMaxWidth).
  texture_extents linear = {std::uint64_t{1} << 28};
  texture_extents pitched = {131072, 65000};
  texture_extents d1 = {131072}, d2 = {131072, 65536}, d3 = {16384, 16384, 16384};
  texture_extents a1d = {32768, 1, 1, 2048}, a2d = {32768, 32768, 1, 2048};
  std::uint64_t pitch_bytes = 2097120;          ///< MAXIMUM_TEXTURE2D_LINEAR_PITCH
  std::uint64_t pitch_alignment_bytes = 32;     ///< TEXTURE_PITCH_ALIGNMENT
  std::uint64_t address_alignment_bytes = 512;  ///< TEXTURE_ALIGNMENT
};

/// Throws ptxlab::error, one line, for a description that cuTexObjectCreate or cuArray3DCreate
/// refuses: channels, shape and storage that do not go together, sizes of 0 or beyond the limits, a
/// pitch that is not aligned, a linear filter of integers.
void check(const texture_description& d, const texture_limits& l);

/// Throws ptxlab::error for texels that begin `offset` bytes behind an aligned address, if they
/// must not.
void check_offset(std::uint64_t offset, const std::string& name, const texture_limits& l);

}  // namespace ptxlab::machine
