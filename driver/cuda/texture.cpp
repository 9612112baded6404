// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/texture.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {
namespace {

std::size_t channel_bytes(CUarray_format f) {
  switch (f) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      break;
  }
  throw error(fmt::format("array format {:#x} is not supported", static_cast<unsigned>(f)));
}

CUDA_RESOURCE_DESC words(CUdeviceptr address, std::size_t bytes) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = address;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = bytes;
  return resource;
}
CUDA_TEXTURE_DESC unfiltered_integers() {
  CUDA_TEXTURE_DESC how{};
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  how.flags = CU_TRSF_READ_AS_INTEGER;
  return how;
}

}  // namespace

void destroy_texture::operator()(CUtexObject t) const {
  library::get().cuTexObjectDestroy(t);
}
void destroy_array::operator()(CUarray a) const {
  library::get().cuArrayDestroy(a);
}

array::array(const CUDA_ARRAY3D_DESCRIPTOR& what, std::span<const std::byte> texels) {
  const std::size_t height = std::max<std::size_t>(what.Height, 1),
                    depth = std::max<std::size_t>(what.Depth, 1),
                    row = what.Width * what.NumChannels * channel_bytes(what.Format);
  const std::string label =
      fmt::format("an array of {} x {} x {} texels", what.Width, what.Height, what.Depth);
  if (texels.size() != row * height * depth)
    throw error(
        fmt::format("{} bytes for {}: it has {}", texels.size(), label, row * height * depth));
  CUarray made{};
  check(library::get().cuArray3DCreate(&made, &what), "cuArray3DCreate", label);
  array_ = unique_handle<CUarray, destroy_array>(made);
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_HOST;
  copy.srcHost = texels.data();
  copy.srcPitch = row;
  copy.srcHeight = height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = made;
  copy.WidthInBytes = row;
  copy.Height = height;
  copy.Depth = depth;
  check(library::get().cuMemcpy3D(&copy), "cuMemcpy3D", label);
}

texture::texture(CUdeviceptr address, std::size_t bytes)
    : texture(words(address, bytes), unfiltered_integers(),
              fmt::format("{} bytes of linear memory", bytes)) {}

texture::texture(const CUDA_RESOURCE_DESC& what, const CUDA_TEXTURE_DESC& how,
                 const std::string& label) {
  CUtexObject made{};
  check(library::get().cuTexObjectCreate(&made, &what, &how, nullptr), "cuTexObjectCreate", label);
  object_ = unique_handle<CUtexObject, destroy_texture>(made);
}

}  // namespace ptxlab::cuda
