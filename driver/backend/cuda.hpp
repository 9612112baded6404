// SPDX-License-Identifier: Apache-2.0
// A GPU as a backend, through the CUDA driver.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "driver/backend/backend.hpp"
#include "driver/cuda/context.hpp"
#include "driver/cuda/memory.hpp"
#include "driver/cuda/module.hpp"
#include "driver/cuda/stream.hpp"

namespace ptxlab::harness {

/// Why there is no GPU to run on, or empty where there is one.
std::string no_gpu();

class cuda_backend : public backend {
 public:
  /// Opens a device. A kernel that runs longer than `deadline` is given up; the process must then
  /// end, for nothing else stops the kernel.
  explicit cuda_backend(int ordinal = 0,
                        std::chrono::milliseconds deadline = std::chrono::seconds(10));

  std::string identify() const override;
  std::optional<std::uint64_t> attribute(device_attribute a) const override;
  std::optional<std::uint64_t> attribute(function_handle f, function_attribute a) const override;
  /// Takes the cubin if there is one for this device, else the PTX.
  module_handle load(const module_code& code) override;
  function_handle function(module_handle m, const std::string& name) override;
  std::pair<device_address, std::uint64_t> variable(module_handle m,
                                                    const std::string& name) override;
  device_address allocate(std::uint64_t bytes, const std::string& name) override;
  void release(device_address begin) override;
  void copy_to(device_address to, std::span<const std::byte> from) override;
  void copy_from(std::span<std::byte> to, device_address from) override;
  void launch(function_handle f, const launch_shape& shape,
              std::span<const std::byte> parameters) override;
  void synchronise() override;

  /// The last kernel was given up at the deadline, and still runs.
  bool given_up() const { return given_up_; }

 private:
  cuda::context context_;
  cuda::stream stream_;
  std::chrono::milliseconds deadline_;
  std::vector<std::unique_ptr<cuda::module>> modules_;
  std::vector<cuda::kernel> functions_;
  std::map<device_address, cuda::unique_handle<CUdeviceptr, cuda::free_memory>> memory_;
  bool given_up_ = false;
};

}  // namespace ptxlab::harness
