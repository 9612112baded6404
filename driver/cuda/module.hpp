// SPDX-License-Identifier: Apache-2.0
// Code on the device: loaded from a cubin, or from PTX where that is asked for, with both logs of
// the driver's compiler in the error.
#pragma once

#include <cuda.h>

#include <string>
#include <string_view>

#include "driver/cuda/device.hpp"
#include "driver/cuda/handle.hpp"

namespace ptxlab::cuda {

struct unload_module {
  void operator()(CUmodule m) const;
};

/// A kernel of a module; valid as long as the module.
class kernel {
 public:
  kernel(CUfunction f, std::string name) : function_(f), name_(std::move(name)) {}
  CUfunction handle() const { return function_; }
  const std::string& name() const { return name_; }
  int attribute(CUfunction_attribute a) const;
  void set_attribute(CUfunction_attribute a, int value) const;
  /// Resident blocks per multiprocessor for this block size and dynamic shared memory, as the
  /// driver computes it.
  int blocks_per_sm(int block_threads, std::size_t dynamic_shared_bytes) const;

 private:
  CUfunction function_;
  std::string name_;
};

class module {
 public:
  enum class image : std::uint8_t { cubin, ptx };

  /// Loads `bytes`. `label` names the image in messages. Before the driver is asked, an image that
  /// it cannot take is refused with the reason: a cubin of another architecture, PTX newer than the
  /// driver, an arch-specific PTX target. Throws ptxlab::error.
  module(const device& d, std::string_view bytes, image kind, std::string label);

  kernel function(const std::string& name) const;
  /// Address and size in bytes of a global variable.
  std::pair<CUdeviceptr, std::size_t> global(const std::string& name) const;
  /// What the driver's compiler had to say about PTX that it accepted.
  const std::string& info_log() const { return info_log_; }

 private:
  unique_handle<CUmodule, unload_module> module_;
  std::string label_, info_log_;
};

}  // namespace ptxlab::cuda
