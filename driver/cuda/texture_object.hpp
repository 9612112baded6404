// SPDX-License-Identifier: Apache-2.0
// A texture object with the memory that it reads, from the machine's description of it, so that one
// description serves the machine, a reference and a GPU.
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "driver/cuda/device.hpp"
#include "driver/cuda/memory.hpp"
#include "driver/cuda/texture.hpp"
#include "ptx/machine/texture_limits.hpp"

namespace ptxlab::cuda {

/// What the driver says of textures on `d`.
machine::texture_limits limits_of(const device& d);

class texture_object {
 public:
  /// `texels`: as memory holds them (machine::texture_bytes), or an array without gaps;
  /// texture_description::at is not used. Throws ptxlab::error for what the driver refuses.
  texture_object(const machine::texture_description& d, std::span<const std::byte> texels);
  CUtexObject object() const { return object_->object(); }
  /// Where the texels of linear or pitched memory begin; 0 of an array.
  CUdeviceptr memory() const { return memory_ ? memory_->address() : 0; }

 private:
  std::unique_ptr<buffer<std::byte>> memory_;
  std::unique_ptr<array> array_;
  std::unique_ptr<texture> object_;
};

}  // namespace ptxlab::cuda
