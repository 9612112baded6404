// SPDX-License-Identifier: Apache-2.0
// Texture objects, and the arrays that they can read.
#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "driver/cuda/handle.hpp"

namespace ptxlab::cuda {

struct destroy_texture {
  void operator()(CUtexObject t) const;
};
struct destroy_array {
  void operator()(CUarray a) const;
};

/// Texels in the device's own order.
class array {
 public:
  /// `what` as cuArray3DCreate takes it. `texels`: all of them, x first, then y, then z or the
  /// layer, without gaps. Throws ptxlab::error for another number of bytes than the array has.
  array(const CUDA_ARRAY3D_DESCRIPTOR& what, std::span<const std::byte> texels);
  CUarray get() const { return array_.get(); }

 private:
  unique_handle<CUarray, destroy_array> array_;
};

/// What it reads must outlive it.
class texture {
 public:
  /// Reads 32-bit unsigned integers, one channel, unfiltered, from `bytes` at `address`
  /// (tex1Dfetch).
  texture(CUdeviceptr address, std::size_t bytes);
  /// Any: `label` says in messages what it is.
  texture(const CUDA_RESOURCE_DESC& what, const CUDA_TEXTURE_DESC& how, const std::string& label);
  CUtexObject object() const { return object_.get(); }

 private:
  unique_handle<CUtexObject, destroy_texture> object_;
};

}  // namespace ptxlab::cuda
