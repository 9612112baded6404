// SPDX-License-Identifier: Apache-2.0
#include "driver/cuda/check.hpp"

#include <fmt/format.h>

#include "driver/cuda/library.hpp"

namespace ptxlab::cuda {

std::string error_name(CUresult status) {
  const char* name = nullptr;
  const auto ask = library::get().cuGetErrorName;
  if (ask(status, &name) == CUDA_SUCCESS && name != nullptr) return name;
  return fmt::format("CUDA error {}", static_cast<int>(status));
}

// CUDA Driver API reference, CUresult: the errors after which "the process must be terminated".
bool cuda_error::sticky() const {
  switch (code_) {
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_EXTERNAL_DEVICE:
      return true;
    default:
      return false;
  }
}

void check(CUresult status, const char* attempted, const std::string& object) {
  if (status == CUDA_SUCCESS) return;
  const char* text = nullptr;
  if (const auto ask = library::get().cuGetErrorString; ask != nullptr) ask(status, &text);
  throw cuda_error(status, fmt::format("{}{}{}: {}{}{}", attempted, object.empty() ? "" : ": ",
                                       object, error_name(status), text != nullptr ? ": " : "",
                                       text != nullptr ? text : ""));
}

}  // namespace ptxlab::cuda
