// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/texture.hpp"

#include <fmt/format.h>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

void destroy_texture::operator()(CUtexObject t) const {
  library::get().cuTexObjectDestroy(t);
}

texture::texture(CUdeviceptr address, std::size_t bytes) {
  CUDA_RESOURCE_DESC resource{};
  resource.resType = CU_RESOURCE_TYPE_LINEAR;
  resource.res.linear.devPtr = address;
  resource.res.linear.format = CU_AD_FORMAT_UNSIGNED_INT32;
  resource.res.linear.numChannels = 1;
  resource.res.linear.sizeInBytes = bytes;
  CUDA_TEXTURE_DESC how{};
  how.filterMode = CU_TR_FILTER_MODE_POINT;
  how.flags = CU_TRSF_READ_AS_INTEGER;
  CUtexObject made{};
  check(library::get().cuTexObjectCreate(&made, &resource, &how, nullptr), "cuTexObjectCreate",
        fmt::format("{} bytes of linear memory", bytes));
  object_ = unique_handle<CUtexObject, destroy_texture>(made);
}

}  // namespace ptxlab::cuda
