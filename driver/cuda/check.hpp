// SPDX-License-Identifier: Apache-2.0
// Results of driver calls become exceptions that say what was attempted, on what, and how it ended.
#pragma once

#include <cuda.h>

#include <string>

#include "ptx/text/error.hpp"

namespace ptxlab::cuda {

/// A driver call that failed.
class cuda_error : public error {
 public:
  cuda_error(CUresult code, const std::string& message) : error(message), code_(code) {}
  CUresult code() const { return code_; }
  /// The context is lost: nothing more can be done in this process (illegal address, launch
  /// timeout, hardware fault, ...).
  bool sticky() const;

 private:
  CUresult code_;
};

/// Throws cuda_error unless `status` is success. `attempted` is the call or a few words; `object`
/// names what it was done to ("module fma.cubin on device 0").
void check(CUresult status, const char* attempted, const std::string& object = {});

/// "CUDA_ERROR_NO_DEVICE", or the number where the driver has no name for it.
std::string error_name(CUresult status);

}  // namespace ptxlab::cuda
