// SPDX-License-Identifier: Apache-2.0
// What a program that nvcc compiled asks of the CUDA runtime, without that runtime's types: the
// program's side is forwarded_runtime.cpp, which is linked to it in place of libcudart.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ptxlab::machine {

/// A kernel launch as host code asks for it.
struct runtime_launch {
  const char* kernel = nullptr;  ///< its mangled name
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::size_t shared_bytes = 0;  ///< dynamic
  void** arguments = nullptr;    ///< addresses of the values, in the parameters' order
};

/// Results are the numbers of cudaError_t (driver_types.h), 0 for success. Nothing throws.
class cuda_runtime {
 public:
  static constexpr int invalid_value = 1, memory_allocation = 2, launch_failure = 719,
                       not_supported = 801;

  virtual ~cuda_runtime() = default;
  virtual int launch(const runtime_launch& what) noexcept = 0;
  virtual int allocate(void** at, std::size_t bytes) noexcept = 0;
  virtual int release(void* at) noexcept = 0;
  /// Each of the two addresses is of the device or of the host, as with cudaMemcpyDefault.
  virtual int copy(void* to, const void* from, std::size_t bytes) noexcept = 0;
  virtual int fill(void* at, int value, std::size_t bytes) noexcept = 0;
  /// `which` is a number of cudaDeviceAttr (driver_types.h).
  virtual int attribute(int* value, int which) noexcept = 0;
  /// Blocks that fit on a multiprocessor.
  virtual int occupancy(int* blocks, const char* kernel, int threads,
                        std::size_t shared_bytes) noexcept = 0;
  /// The module's virtual architecture: 90.
  virtual int ptx_version() noexcept = 0;
};

}  // namespace ptxlab::machine

/// What a program linked with forwarded_runtime.cpp gives to who loads it: it uses `runtime` from
/// now on; and the fat binary that nvcc registered, as crt/fatbinary_section.h begins it.
extern "C" void use_runtime(ptxlab::machine::cuda_runtime* runtime);
extern "C" const void* registered_image();
