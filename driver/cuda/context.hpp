// SPDX-License-Identifier: Apache-2.0
// The context in which this process uses a device.
#pragma once

#include "driver/cuda/device.hpp"

namespace ptxlab::cuda {

/// Retains the primary context of a device and makes it current for the calling thread, for as long
/// as the process lives: a process that measures ends with its last measurement.
class context {
 public:
  explicit context(int ordinal);
  const device& on() const { return device_; }
  /// Makes it current for the calling thread once more.
  void use() const;
  /// Lets kernels of this context read and write memory of `other`'s device, from now on and as
  /// long as the process lives. Makes this context current. Throws cuda_error where the devices
  /// cannot reach each other.
  void reach(const context& other) const;

 private:
  device device_;
  CUcontext handle_{};
};

/// Waits for all work of the current context. Throws what it ended with.
void synchronise();

/// Whether kernels on `from` can be given access to memory of `to`.
bool can_reach(const device& from, const device& to);

}  // namespace ptxlab::cuda
