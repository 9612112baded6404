// SPDX-License-Identifier: Apache-2.0
// A GPU and what identifies it in a result.
#pragma once

#include <cuda.h>

#include <map>
#include <string>

namespace ptxlab::cuda {

/// One device, by its number in the driver's order.
class device {
 public:
  /// Throws cuda_error, or ptxlab::error naming the devices there are, if `ordinal` is none.
  explicit device(int ordinal = 0);

  int ordinal() const { return ordinal_; }
  CUdevice handle() const { return handle_; }
  std::string name() const;
  int attribute(CUdevice_attribute a) const;
  std::size_t memory_bytes() const;
  int multiprocessors() const { return attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT); }
  /// "sm_90".
  std::string arch() const;
  /// "00000000:01:00.0": what NVML knows it by.
  std::string bus_id() const;
  /// "device 0 (NVIDIA H200)", for messages.
  std::string identify() const;

 private:
  int ordinal_;
  CUdevice handle_{};
};

/// Devices that the driver shows.
int device_count();
/// 13000 for CUDA 13.0: the newest that the driver supports.
int driver_version();

/// Attributes that a result has to carry to be compared: name, arch, sizes, clocks, ECC.
std::map<std::string, std::string> fingerprint(const device& d);

}  // namespace ptxlab::cuda
