// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/texture_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {
namespace {

using machine::channel_type;
using machine::texel_storage;
using machine::texture_description;

CUarray_format format_of(channel_type t) {
  switch (t) {
    case channel_type::u8:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case channel_type::s8:
      return CU_AD_FORMAT_SIGNED_INT8;
    case channel_type::u16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case channel_type::s16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case channel_type::u32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case channel_type::s32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case channel_type::f16:
      return CU_AD_FORMAT_HALF;
    case channel_type::f32:
      break;
  }
  return CU_AD_FORMAT_FLOAT;
}

/// CUDA Driver API, cuArray3DCreate: a height of 0 is one dimension, a depth of 0 two.
CUDA_ARRAY3D_DESCRIPTOR array_of(const texture_description& d) {
  CUDA_ARRAY3D_DESCRIPTOR a{};
  a.Width = d.width;
  a.Height = machine::dimensions(d.shape) >= 2 ? d.height : 0;
  a.Depth = machine::layered(d.shape) ? d.layers : machine::dimensions(d.shape) == 3 ? d.depth : 0;
  a.Format = format_of(d.channel);
  a.NumChannels = d.channels;
  a.Flags = machine::layered(d.shape) ? CUDA_ARRAY3D_LAYERED : 0;
  return a;
}

CUDA_TEXTURE_DESC how_of(const texture_description& d) {
  CUDA_TEXTURE_DESC how{};
  for (unsigned k = 0; k < 3; ++k) how.addressMode[k] = static_cast<CUaddress_mode>(d.modes[k]);
  how.filterMode =
      d.filter == machine::filter_mode::linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (!machine::reads_floats(d)) how.flags |= CU_TRSF_READ_AS_INTEGER;
  if (d.normalized_coordinates) how.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  std::memcpy(how.borderColor, d.border.data(), sizeof how.borderColor);
  return how;
}

}  // namespace

machine::texture_limits limits_of(const device& d) {
  const auto ask = [&d](CUdevice_attribute a) {
    return static_cast<std::uint64_t>(std::max(d.attribute(a), 0));
  };
  machine::texture_limits l;
  l.of = d.identify();
  l.linear = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH)};
  l.pitched = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH),
               ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)};
  l.pitch_bytes = ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH);
  l.pitch_alignment_bytes =
      std::max<std::uint64_t>(ask(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT), 1);
  l.address_alignment_bytes =
      std::max<std::uint64_t>(ask(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT), 1);
  l.d1 = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH)};
  l.d2 = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH),
          ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT)};
  l.d3 = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH),
          ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT),
          ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH)};
  l.a1d = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH), 1, 1,
           ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS)};
  l.a2d = {ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH),
           ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT), 1,
           ask(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS)};
  return l;
}

texture_object::texture_object(const texture_description& d, std::span<const std::byte> texels) {
  CUDA_RESOURCE_DESC from{};
  if (d.storage == texel_storage::array) {
    array_ = std::make_unique<array>(array_of(d), texels);
    from.resType = CU_RESOURCE_TYPE_ARRAY;
    from.res.array.hArray = array_->get();
  } else {
    // The last row is whole, too.
    memory_ = std::make_unique<buffer<std::byte>>(texels.size() + d.pitch_bytes);
    check(library::get().cuMemcpyHtoD(memory_->address(), texels.data(), texels.size()),
          "cuMemcpyHtoD", fmt::format("{} bytes of texels", texels.size()));
  }
  if (d.storage == texel_storage::linear) {
    from.resType = CU_RESOURCE_TYPE_LINEAR;
    from.res.linear = {memory_->address(), format_of(d.channel), d.channels, texels.size()};
  }
  if (d.storage == texel_storage::pitched) {
    from.resType = CU_RESOURCE_TYPE_PITCH2D;
    from.res.pitch2D = {memory_->address(), format_of(d.channel), d.channels, d.width,
                        d.height,           d.pitch_bytes};
  }
  object_ = std::make_unique<texture>(
      from, how_of(d),
      fmt::format("a {} texture of {} x {} x {} texels", machine::name(d.shape), d.width, d.height,
                  machine::layered(d.shape) ? d.layers : d.depth));
}

}  // namespace ptxlab::cuda
