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

 private:
  device device_;
};

/// Waits for all work of the current context. Throws what it ended with.
void synchronise();

}  // namespace ptxlab::cuda
