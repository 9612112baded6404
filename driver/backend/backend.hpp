// SPDX-License-Identifier: Apache-2.0
// What a program needs of a device, in the shape of the CUDA Driver API: modules, functions,
// memory, launches. Implemented by the PTX machine (cpu.hpp) and by a GPU (cuda.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace ptxlab::harness {

/// An address in the memory of a device.
using device_address = std::uint64_t;

/// Code of a module in the forms there are; each backend takes the one that it runs.
struct module_code {
  std::string name;   ///< for messages
  std::string ptx;    ///< text; empty: none
  std::string cubin;  ///< bytes; empty: none
};

/// A module of one backend, and a kernel of it: valid as long as the backend.
enum class module_handle : std::size_t {};
enum class function_handle : std::size_t {};

/// A launch without its arguments. Bytes of dynamic shared memory are those of one block.
struct launch_shape {
  std::uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  std::uint32_t cluster[3] = {0, 0, 0};  ///< blocks of a cluster; 0: what the kernel says
  std::uint32_t dynamic_shared = 0;
  bool cooperative = false;

  bool has_clusters() const { return cluster[0] != 0 || cluster[1] != 0 || cluster[2] != 0; }
};

/// What can be asked of a kernel. Bytes; registers and local memory are those of one thread.
enum class function_attribute : std::uint8_t { max_threads, static_shared, registers, local };
/// What can be asked of a device.
enum class device_attribute : std::uint8_t { multiprocessors, memory_bytes };

/// One device. Every call throws ptxlab::error, with the reason, for what the device refuses.
class backend {
 public:
  virtual ~backend() = default;

  /// "the PTX machine", "device 0 (NVIDIA H200)".
  virtual std::string identify() const = 0;
  /// Nothing where the device does not know: the machine has no registers to count.
  virtual std::optional<std::uint64_t> attribute(device_attribute a) const = 0;
  virtual std::optional<std::uint64_t> attribute(function_handle f, function_attribute a) const = 0;

  virtual module_handle load(const module_code& code) = 0;
  virtual function_handle function(module_handle m, const std::string& name) = 0;
  /// Address and bytes of a variable in global or constant memory.
  virtual std::pair<device_address, std::uint64_t> variable(module_handle m,
                                                            const std::string& name) = 0;

  /// Memory whose content is undefined. `name` stands for it in messages.
  virtual device_address allocate(std::uint64_t bytes, const std::string& name) = 0;
  virtual void release(device_address begin) = 0;
  virtual void copy_to(device_address to, std::span<const std::byte> from) = 0;
  virtual void copy_from(std::span<std::byte> to, device_address from) = 0;

  /// Starts a kernel; `parameters` is its parameter space, laid out as the PTX declares it.
  virtual void launch(function_handle f, const launch_shape& shape,
                      std::span<const std::byte> parameters) = 0;
  /// Waits for what was launched. Throws ptxlab::error for a kernel that did not finish.
  virtual void synchronise() = 0;
};

}  // namespace ptxlab::harness
