// SPDX-License-Identifier: Apache-2.0
// A golden texture on a GPU.
#pragma once

#include <memory>

#include "driver/cuda/memory.hpp"
#include "driver/cuda/texture.hpp"
#include "tests/golden/texels.hpp"

namespace ptxlab::golden {

/// The texture object, and what it reads.
class gpu_texture {
 public:
  /// Throws ptxlab::error for what the driver refuses.
  explicit gpu_texture(const textured& t);
  CUtexObject object() const { return object_->object(); }

 private:
  std::unique_ptr<cuda::buffer<std::byte>> memory_;
  std::unique_ptr<cuda::array> array_;
  std::unique_ptr<cuda::texture> object_;
};

}  // namespace ptxlab::golden
