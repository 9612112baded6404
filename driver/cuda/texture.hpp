// SPDX-License-Identifier: Apache-2.0
// A texture object over linear memory.
#pragma once

#include <cuda.h>

#include <cstdint>

#include "driver/cuda/handle.hpp"

namespace ptxlab::cuda {

struct destroy_texture {
  void operator()(CUtexObject t) const;
};

/// Reads 32-bit unsigned integers, one channel, unfiltered, from `bytes` at `address` (tex1Dfetch).
/// The memory must outlive it.
class texture {
 public:
  texture(CUdeviceptr address, std::size_t bytes);
  CUtexObject object() const { return object_.get(); }

 private:
  unique_handle<CUtexObject, destroy_texture> object_;
};

}  // namespace ptxlab::cuda
