// SPDX-License-Identifier: Apache-2.0
// Arrays in the host's memory that kernels read and write through the bus.
#pragma once

#include <cuda.h>
#include <fmt/format.h>

#include <span>

#include "driver/cuda/memory.hpp"

namespace ptxlab::cuda {

/// `count` elements of T, not initialised. Host and device must not use an element at the same
/// time: between a launch and the end of its kernel they are the device's.
template <typename T>
class mapped_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit mapped_array(std::size_t count) : count_(count) {
    void* p = nullptr;
    check(library::get().cuMemHostAlloc(&p, count * sizeof(T), CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc", fmt::format("{} elements", count));
    memory_ = unique_handle<void*, free_host_memory>(p);
    check(library::get().cuMemHostGetDevicePointer(&address_, p, 0), "cuMemHostGetDevicePointer");
  }
  std::span<T> elements() const { return {static_cast<T*>(memory_.get()), count_}; }
  /// Its address for kernels.
  CUdeviceptr address() const { return address_; }

 private:
  std::size_t count_;
  unique_handle<void*, free_host_memory> memory_;
  CUdeviceptr address_{};
};

}  // namespace ptxlab::cuda
