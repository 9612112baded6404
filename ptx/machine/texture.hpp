// SPDX-License-Identifier: Apache-2.0
// Texture objects: where texels lie and how they are to be read. What a fetch gives is said in
// sampling.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ptx/machine/memory.hpp"

namespace ptxlab::machine {

/// Type of one channel of a texel, as CUarray_format has them.
enum class channel_type : std::uint8_t { u8, s8, u16, s16, u32, s32, f16, f32 };
/// How a coordinate beyond the texture is used, in the order of CUaddress_mode.
enum class address_mode : std::uint8_t { wrap, clamp, mirror, border };
enum class filter_mode : std::uint8_t { point, linear };
/// What integer channels of 8 and 16 bits give: themselves, or a float in [0, 1] or [-1, 1].
/// Those of 32 bits always give themselves (CUDA Driver API, cuTexObjectCreate).
enum class read_mode : std::uint8_t { element, normalized_float };
/// Where texels lie: one behind the other; in rows that are `pitch_bytes` apart; or in an array of
/// the machine, without gaps: x first, then y, then z or the layer.
enum class texel_storage : std::uint8_t { linear, pitched, array };
/// The geometries of PTX's tex that the machine has, as they are spelled.
enum class texture_shape : std::uint8_t { d1, d2, d3, a1d, a2d };

/// Coordinates of a shape that are not a layer: 1 to 3.
unsigned dimensions(texture_shape s);
bool layered(texture_shape s);
/// "1d", "a2d"
std::string_view name(texture_shape s);

/// CUDA_RESOURCE_DESC and CUDA_TEXTURE_DESC in one, in texels.
struct texture_description {
  texel_storage storage = texel_storage::linear;
  texture_shape shape = texture_shape::d1;
  address at = 0;
  channel_type channel = channel_type::f32;
  std::uint32_t channels = 1;  ///< 1, 2 or 4
  std::uint32_t width = 1, height = 1, depth = 1, layers = 1;
  std::uint64_t pitch_bytes = 0;  ///< of texel_storage::pitched, else 0
  /// Of x, y, z. Not used by linear memory, which is read by texel number alone.
  std::array<address_mode, 3> modes = {address_mode::clamp, address_mode::clamp,
                                       address_mode::clamp};
  /// The colour behind address_mode::border: bits of floats, or of integers where those are read.
  std::array<std::uint32_t, 4> border = {};
  filter_mode filter = filter_mode::point;  ///< not used by linear memory
  read_mode reads = read_mode::element;
  bool normalized_coordinates = false;  ///< [0, 1) is the whole extent; else texels
};

std::uint32_t texel_bytes(const texture_description& d);
/// Width, height, depth: 1 beyond the shape's dimensions.
std::uint32_t extent(const texture_description& d, unsigned dimension);
/// From the first byte of the texture to behind its last one.
std::uint64_t texture_bytes(const texture_description& d);
/// Whether a fetch gives floats; else the channels' integers.
bool reads_floats(const texture_description& d);
/// What txq tells: the numbers of OpenCL (PTX ISA 9.0, "Channel Data Type and Channel Order
/// Fields").
std::uint32_t channel_data_type(const texture_description& d);
std::uint32_t channel_order(const texture_description& d);
/// Throws ptxlab::error for a description that cuTexObjectCreate refuses on sm_90: channels, shape
/// and storage that do not go together, sizes beyond the device's, a pitch that is not aligned, a
/// linear filter of integers.
void check(const texture_description& d);

/// The texture objects of a machine. A handle is no address, is never 0 and never used again.
class texture_table {
 public:
  /// Returns the handle. Throws ptxlab::error as check() does, and for texels that do not lie in
  /// one live allocation, or not at a multiple of 512 bytes from where it begins.
  std::uint64_t add(const texture_description& d, const memory& m);
  /// Throws ptxlab::error for what is no handle, or no longer one.
  void remove(std::uint64_t handle);

  struct entry {
    texture_description what;
    bool live = true;
  };
  /// Null for what never was a handle.
  const entry* find(std::uint64_t handle) const;

 private:
  std::vector<entry> all_;
};

}  // namespace ptxlab::machine
