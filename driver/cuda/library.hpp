// SPDX-License-Identifier: Apache-2.0
// libcuda, opened at run time, so that the program starts on machines without a driver. All calls
// go through one table; a call that an old driver lacks throws, and is named.
#pragma once

#include <cuda.h>

#include <optional>
#include <string>

namespace ptxlab::cuda {

// Every entry point that is used. cuda.h maps some names to versioned ones (cuMemAlloc to
// cuMemAlloc_v2); the table follows it.
#define PTXLAB_CUDA_CALLS(X)                     \
  X(cuInit)                                      \
  X(cuDriverGetVersion)                          \
  X(cuGetErrorName)                              \
  X(cuGetErrorString)                            \
  X(cuDeviceGetCount)                            \
  X(cuDeviceGet)                                 \
  X(cuDeviceGetName)                             \
  X(cuDeviceGetAttribute)                        \
  X(cuDeviceTotalMem)                            \
  X(cuDeviceGetPCIBusId)                         \
  X(cuDeviceCanAccessPeer)                       \
  X(cuDeviceGetP2PAttribute)                     \
  X(cuDevicePrimaryCtxRetain)                    \
  X(cuCtxSetCurrent)                             \
  X(cuCtxSynchronize)                            \
  X(cuCtxEnablePeerAccess)                       \
  X(cuModuleLoadDataEx)                          \
  X(cuModuleUnload)                              \
  X(cuModuleGetFunction)                         \
  X(cuModuleGetGlobal)                           \
  X(cuFuncGetAttribute)                          \
  X(cuFuncSetAttribute)                          \
  X(cuOccupancyMaxActiveBlocksPerMultiprocessor) \
  X(cuOccupancyMaxActiveClusters)                \
  X(cuMemAlloc)                                  \
  X(cuMemFree)                                   \
  X(cuMemsetD8)                                  \
  X(cuMemsetD32)                                 \
  X(cuMemcpyHtoD)                                \
  X(cuMemcpyDtoH)                                \
  X(cuMemcpyDtoHAsync)                           \
  X(cuMemHostAlloc)                              \
  X(cuMemFreeHost)                               \
  X(cuMemHostGetDevicePointer)                   \
  X(cuStreamCreate)                              \
  X(cuStreamDestroy)                             \
  X(cuStreamQuery)                               \
  X(cuStreamWaitValue32)                         \
  X(cuEventCreate)                               \
  X(cuEventDestroy)                              \
  X(cuEventRecord)                               \
  X(cuEventElapsedTime)                          \
  X(cuStreamBeginCapture)                        \
  X(cuStreamEndCapture)                          \
  X(cuGraphInstantiateWithFlags)                 \
  X(cuGraphLaunch)                               \
  X(cuGraphExecDestroy)                          \
  X(cuGraphDestroy)                              \
  X(cuTexObjectCreate)                           \
  X(cuTexObjectDestroy)                          \
  X(cuArray3DCreate)                             \
  X(cuArrayDestroy)                              \
  X(cuMemcpy3D)                                  \
  X(cuLaunchKernelEx)                            \
  X(cuMemcpyHtoDAsync)                           \
  X(cuMemcpyDtoDAsync)

struct library {
// NOLINTNEXTLINE(bugprone-macro-parentheses): a name that is declared
#define PTXLAB_CUDA_MEMBER(name) decltype(&::name) name = nullptr;
  PTXLAB_CUDA_CALLS(PTXLAB_CUDA_MEMBER)
#undef PTXLAB_CUDA_MEMBER

  /// The process-wide table. Opens libcuda on the first call: the file $PTXLAB_LIBCUDA names, else
  /// libcuda.so.1. Throws ptxlab::error where there is none, or where cuInit fails.
  static const library& get();
  /// Why there is no usable driver, or nothing where there is one.
  static std::optional<std::string> problem();
};

}  // namespace ptxlab::cuda
