// SPDX-License-Identifier: Apache-2.0
// The host's end of a copy, and the copies that a stream makes.
#pragma once

#include <cuda.h>
#include <fmt/format.h>

#include <cstring>
#include <span>
#include <vector>

#include "driver/cuda/check.hpp"
#include "driver/cuda/library.hpp"
#include "driver/cuda/memory.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::cuda {

/// Bytes of the host's memory, touched and zeroed.
class host_memory {
 public:
  /// `pinned`: page-locked, and mapped for kernels. Throws cuda_error where there is not enough.
  host_memory(std::size_t bytes, bool pinned) {
    if (!pinned) {
      pageable_.resize(bytes);
      all_ = pageable_;
      return;
    }
    void* p = nullptr;
    check(library::get().cuMemHostAlloc(&p, bytes, CU_MEMHOSTALLOC_DEVICEMAP), "cuMemHostAlloc",
          fmt::format("{} bytes", bytes));
    pinned_ = unique_handle<void*, free_host_memory>(p);
    all_ = {static_cast<unsigned char*>(p), bytes};
    std::memset(p, 0, bytes);
    check(library::get().cuMemHostGetDevicePointer(&address_, p, 0), "cuMemHostGetDevicePointer");
  }

  std::span<unsigned char> bytes() const { return all_; }
  /// Its address for kernels; 0 where it is not pinned.
  CUdeviceptr address() const { return address_; }

 private:
  std::vector<unsigned char> pageable_;
  unique_handle<void*, free_host_memory> pinned_;
  std::span<unsigned char> all_;
  CUdeviceptr address_{};
};

/// For calls whose time counts: the text is made only where one failed.
inline void check_copy(CUresult status, const char* attempted, std::size_t bytes) {
  if (status != CUDA_SUCCESS) check(status, attempted, fmt::format("{} bytes", bytes));
}

/// Queue a copy of `bytes` bytes on `s`. From or to pageable memory the call itself takes part.
inline void copy_to_device(CUdeviceptr to, const void* from, std::size_t bytes, const stream& s) {
  check_copy(library::get().cuMemcpyHtoDAsync(to, from, bytes, s.handle()), "cuMemcpyHtoDAsync",
             bytes);
}
inline void copy_to_host(void* to, CUdeviceptr from, std::size_t bytes, const stream& s) {
  check_copy(library::get().cuMemcpyDtoHAsync(to, from, bytes, s.handle()), "cuMemcpyDtoHAsync",
             bytes);
}
/// From one device's memory to another's, or within one.
inline void copy_between(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, const stream& s) {
  check_copy(library::get().cuMemcpyDtoDAsync(to, from, bytes, s.handle()), "cuMemcpyDtoDAsync",
             bytes);
}

}  // namespace ptxlab::cuda
